import {
  readUploadHeader,
  type UploadField,
  type UploadHeader,
  uploadFields,
} from '@portal/contract/upload-columns'
import { byKey } from '@portal/format/by-key'
import { asWindows1252, FileEncoding, readUtf8, utf16Of } from '@portal/format/encoding'
import { uploadMessages } from '@portal/rules/messages'
import { Fault } from './fault.ts'

/* Parses a CSV file as the API does: encoding, separator, header and date order. */

export interface SheetRow {
  /** Number of the line in the file, from 1. */
  line: number
  values: Record<UploadField, string>
  /** What is wrong with the syntax of the line, if anything. */
  error?: string
}

interface Line {
  line: number
  cells: string[]
  damaged?: true
}

function detectSeparator(header: string): string {
  const unquoted = header.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map(separator => [separator, unquoted.split(separator).length] as const)
  return counts.reduce((best, item) => (item[1] > best[1] ? item : best))[0]
}

/**
 * Splits text into records. A quoted field may contain line breaks; an unclosed quotation mark invalidates only its own line.
 */
function splitLines(text: string): Line[] {
  const separator = detectSeparator(text.trimStart().split('\n', 1)[0] ?? '')
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|((?!")[^\\n${separator}]*))(${separator}|\\n|$)`, 'y')
  const lines: Line[] = []
  let line = 1
  let position = 0
  while (position < text.length) {
    const start = position
    const cells: string[] = []
    for (let ending = separator; ending === separator; ) {
      field.lastIndex = position
      const read = field.exec(text)
      ending = read?.[3] ?? 'damaged'
      cells.push(read?.[1]?.replaceAll('""', '"') ?? read?.[2]?.trim() ?? '')
      position = field.lastIndex
      if (read) continue
      position = text.indexOf('\n', start) + 1 || text.length
      lines.push({ line, cells: [], damaged: true })
    }
    if (lines.at(-1)?.line !== line) lines.push({ line, cells })
    line += Math.max(1, text.slice(start, position).split('\n').length - 1)
  }
  return lines
}

function refuse(message: string): never {
  throw new Fault('INVALID_CSV', undefined, message)
}

const SAVE_AS = 'Please save the sheet as "CSV UTF-8" and choose that file.'
const UNDECODED_ERROR = uploadMessages.mixedEncodings

/** Decodes the text of a file; bytes that are not UTF-8 are escaped. */
function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  const decoded = utf16 ? new TextDecoder(utf16).decode(bytes) : readUtf8(bytes)
  const text = decoded.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const nul = text.indexOf('\0')
  if (nul < 0) return text
  const line = text.slice(0, nul).split('\n').length
  refuse(`Line ${line} has a NUL character, so this is not a text file. ${SAVE_AS}`)
}

/**
 * Returns the header and the rows of a file; blank lines are left out.
 * @throws Fault `INVALID_CSV` if it is not text, has no rows or lacks required columns
 */
export function parseSheet(bytes: Uint8Array): { header: UploadHeader; rows: SheetRow[] } {
  const encoding = new FileEncoding({
    hasByteOrderMark: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf,
  })
  const [first, ...lines] = splitLines(decodeText(bytes))
    .filter(({ cells, damaged }) => damaged || cells.some(cell => cell.trim() !== ''))
    .map(({ cells, ...rest }) => ({
      ...rest,
      cells: cells.map(asWindows1252),
      reading: encoding.observe(cells.join(' '), rest.line),
    }))
  if (!first) refuse('The file is empty. Please use the template.')
  const header = readUploadHeader(first.cells)
  if (header.problem !== undefined) refuse(header.problem)
  if (lines.length === 0) refuse(uploadMessages.empty)
  if (encoding.misreadLine !== undefined)
    refuse(`The encoding of this file cannot be recognised (see line ${encoding.misreadLine}). ${SAVE_AS}`)
  const { width, recognised } = header
  const columnOf = (name: UploadField) => recognised.find(({ field }) => field === name)?.columnIndex ?? -1
  const rows = lines.map(({ line, cells, damaged, reading }) => ({
    line,
    values: byKey(uploadFields, name => (cells[columnOf(name)] ?? '').trim()),
    ...(damaged && { error: uploadMessages.openQuote }),
    ...(cells.slice(width).some(cell => cell.trim() !== '') && {
      error: `This row has ${cells.length} cells, but the header has ${width}.`,
    }),
    ...(encoding.mixed && reading !== 'ascii' && reading !== 'utf-8' && { error: UNDECODED_ERROR }),
  }))
  return { header, rows }
}
