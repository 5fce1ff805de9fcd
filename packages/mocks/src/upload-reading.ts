import { byKey } from '@portal/format/by-key'
import { asWindows1252, FileEncoding, readUtf8, utf16Of } from '@portal/format/encoding'
import { Fault } from './fault.ts'

/* A CSV file as the API reads it: its encoding, what separates its fields, its header and its dates. */

export const COLUMNS = [
  'certificate_number',
  'student_name',
  'matric_number',
  'course',
  'graduation_date',
  'grade',
  'department',
] as const
export type Column = (typeof COLUMNS)[number]

export interface SheetRow {
  /** Line of the file, the header being 1. */
  line: number
  values: Record<Column, string>
  /** What is wrong with the line itself. */
  error?: string
}

interface Line {
  line: number
  cells: string[]
  damaged?: true
}

function separatorOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map(separator => [separator, bare.split(separator).length] as const)
  return counts.reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}

/** Lines of the text; a quoted field may hold line breaks, and an open quotation mark damages its own line alone. */
function linesOf(text: string): Line[] {
  const separator = separatorOf(text.trimStart().split('\n', 1)[0] ?? '')
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|((?!")[^\\n${separator}]*))(${separator}|\\n|$)`, 'y')
  const lines: Line[] = []
  let line = 1
  let at = 0
  while (at < text.length) {
    const start = at
    const cells: string[] = []
    for (let ending = separator; ending === separator; ) {
      field.lastIndex = at
      const read = field.exec(text)
      ending = read?.[3] ?? 'damaged'
      cells.push(read?.[1]?.replaceAll('""', '"') ?? read?.[2]?.trim() ?? '')
      at = field.lastIndex
      if (read) continue
      at = text.indexOf('\n', start) + 1 || text.length
      lines.push({ line, cells: [], damaged: true })
    }
    if (lines.at(-1)?.line !== line) lines.push({ line, cells })
    line += Math.max(1, text.slice(start, at).split('\n').length - 1)
  }
  return lines
}

/** `Certificate No.` is no name, but `CERTIFICATE NUMBER` and `certificate-number` are one. */
const plain = (header: string) => header.toLowerCase().replace(/[^a-z]/g, '')

function placesOf(header: readonly string[]): Record<Column, number> {
  const names = header.map(plain)
  const missing = COLUMNS.filter(name => name !== 'matric_number' && !names.includes(plain(name)))
  const twice = COLUMNS.find(name => names.filter(each => each === plain(name)).length > 1)
  if (twice) throw new Fault('INVALID_CSV', undefined, `The header names ${twice} twice.`)
  if (missing.length > 0) {
    const message =
      missing.length > 3
        ? 'The first line must name the columns of the template.'
        : `The header has no column ${missing.join(', ')}. Please compare it with the template.`
    throw new Fault('INVALID_CSV', undefined, message)
  }
  return byKey(COLUMNS, name => names.indexOf(plain(name)))
}

function refuse(message: string): never {
  throw new Fault('INVALID_CSV', undefined, message)
}

const SAVE_AS = 'Please save the sheet as "CSV UTF-8" and choose that file.'
const UNDECODED =
  'This line cannot be decoded: it is not UTF-8, but other lines are. Please save the file as "CSV UTF-8".'

/** The text, in which bytes that are not UTF-8 are kept. */
function textOf(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  const text = utf16 ? new TextDecoder(utf16).decode(bytes) : readUtf8(bytes)
  const whole = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const nul = whole.indexOf('\0')
  if (nul < 0) return whole
  const line = whole.slice(0, nul).split('\n').length
  refuse(`Line ${line} has a NUL character, so this is not a text file. ${SAVE_AS}`)
}

/** Rows of a file, blank lines left out. @throws Fault `INVALID_CSV` for no text, no rows or without the columns */
export function rowsOf(bytes: Uint8Array): SheetRow[] {
  const encoding = new FileEncoding({ marked: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf })
  const [header, ...lines] = linesOf(textOf(bytes))
    .filter(({ cells, damaged }) => damaged || cells.some(cell => cell.trim() !== ''))
    .map(({ cells, ...rest }) => ({
      ...rest,
      cells: cells.map(asWindows1252),
      reading: encoding.see(cells.join(' '), rest.line),
    }))
  if (!header) refuse('The file is empty. Please use the template.')
  const places = placesOf(header.cells)
  if (lines.length === 0)
    refuse('The file has no rows. Please add them below the header and upload it again.')
  if (encoding.misreadAt !== undefined)
    refuse(`The encoding of this file cannot be recognised (see line ${encoding.misreadAt}). ${SAVE_AS}`)
  const width = header.cells.length
  return lines.map(({ line, cells, damaged, reading }) => ({
    line,
    values: byKey(COLUMNS, name => (cells[places[name]] ?? '').trim()),
    ...(damaged && { error: 'A quotation mark on this line is not closed.' }),
    ...(cells.slice(width).some(cell => cell.trim() !== '') && {
      error: `This line has ${cells.length} cells, the header has ${width}.`,
    }),
    ...(encoding.mixed && reading !== 'ascii' && reading !== 'utf-8' && { error: UNDECODED }),
  }))
}

const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/
const WRITTEN = /^(\d{1,2})[ -]([A-Za-z]{3})[a-z]*[ -](\d{4})$/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `DD/MM/YYYY` and `D MMM YYYY` as `YYYY-MM-DD`; anything else as it is. Whether there is such a day is not asked. */
export function isoDateOf(text: string): string {
  const [, day = '', written = '', year = ''] = DAY_FIRST.exec(text) ?? WRITTEN.exec(text) ?? []
  const month = /^\d/.test(written) ? written : String(MONTHS.indexOf(written.toLowerCase()) + 1)
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
}
