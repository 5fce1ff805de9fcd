import { failedRowsColumns } from '@portal/contract/upload-columns'
import { csvLine, withoutApostrophe } from '@portal/format/csv'
import { CsvReader } from '@portal/format/csv-reader'

/**
 * Builds a file of the same name from the downloaded conflicting rows of an uploaded file. It leaves out the columns that the
 * download adds, and keeps each row on its original line, so that the next report has the line numbers that the user knows.
 */
export async function rebuildConflictsFile(conflicts: Blob, name: string): Promise<File> {
  const reader = new CsvReader()
  const [header, ...rows] = [...reader.push(await conflicts.text()), ...reader.end()].map(
    ({ cells }) => cells,
  )
  const addedColumns = failedRowsColumns.map(column => header?.lastIndexOf(column) ?? -1)
  const [lineColumn = -1] = addedColumns
  const originalRow = (cells: readonly string[]) =>
    csvLine(cells.filter((_, index) => !addedColumns.includes(index)).map(withoutApostrophe))
  const lines = [originalRow(header ?? [])]
  // Blank lines keep each row on its original line. The import skips them.
  let line = 2
  for (const cells of rows) {
    const originalLine = Number(cells[lineColumn])
    if (originalLine > line) lines.push('\n'.repeat(originalLine - line))
    lines.push(originalRow(cells))
    line = Math.max(line, originalLine) + 1
  }
  return new File(lines, name, { type: 'text/csv' })
}
