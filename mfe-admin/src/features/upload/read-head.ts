import { readUploadHeader, type UploadHeader } from '@portal/contract/upload-columns'
import { DateOrderEvidence } from '@portal/contract/upload-dates'
import { CsvReader } from '@portal/format/csv-reader'
import { decodeText, incompleteBytesAtEnd } from '@portal/format/encoding'

/** Number of bytes read from the beginning: enough for the header and a few hundred rows of any file. */
const HEAD_BYTES = 64 * 1024

/** What is known from the beginning of a file before the file is sent. */
export interface FileHead {
  header: UploadHeader
  /** The date order that the first rows suggest. */
  dates: DateOrderEvidence
}

/** Parses the beginning of a CSV file in the same way as the import. Returns undefined if it has no header. */
export async function readHead(file: Blob): Promise<FileHead | undefined> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const isWholeFile = file.size <= HEAD_BYTES
  const reader = new CsvReader()
  const dates = new DateOrderEvidence()
  let header: UploadHeader | undefined
  const text = decodeText(isWholeFile ? bytes : bytes.subarray(0, bytes.length - incompleteBytesAtEnd(bytes)))
  try {
    for (const { cells, line } of [...reader.push(text), ...(isWholeFile ? reader.end() : [])]) {
      if (cells.every(cell => cell.trim() === '')) continue
      if (header) dates.add(cells[dateColumn(header)]?.trim() ?? '', line)
      else header = readUploadHeader(cells)
    }
  } catch {
    // The API reports what is wrong with such a file, and on which line.
  }
  return header && { header, dates }
}

const dateColumn = ({ recognised }: UploadHeader) =>
  recognised.find(({ field }) => field === 'graduation_date')?.columnIndex ?? -1
