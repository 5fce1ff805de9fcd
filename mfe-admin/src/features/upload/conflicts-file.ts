import { failedRowsColumns } from '@portal/contract/upload-columns'
import { csvLine, withoutApostrophe } from '@portal/format/csv'
import { CsvReader } from '@portal/format/csv-reader'

/**
 * Rebuilds the uploaded file from its conflicting rows as downloaded: with its name, without the columns that the download
 * adds, and with each row on its original line, so that the next report uses the file name and line numbers that the user knows.
 */
export async function conflictsFile(conflicts: Blob, name: string): Promise<File> {
  const reader = new CsvReader()
  const [header, ...rows] = [...reader.push(await conflicts.text()), ...reader.end()].map(
    ({ cells }) => cells,
  )
  const addedColumns = failedRowsColumns.map(column => header?.lastIndexOf(column) ?? -1)
  const [lineColumn = -1] = addedColumns
  const originalRow = (cells: readonly string[]) =>
    csvLine(cells.filter((_, index) => !addedColumns.includes(index)).map(withoutApostrophe))
  const lines = [originalRow(header ?? [])]
  // Blank lines keep the numbers of the rows that follow, because they are not counted as rows.
  let line = 2
  for (const cells of rows) {
    const originalLine = Number(cells[lineColumn])
    if (originalLine > line) lines.push('\n'.repeat(originalLine - line))
    lines.push(originalRow(cells))
    line = Math.max(line, originalLine) + 1
  }
  return new File(lines, name, { type: 'text/csv' })
}
