import { failedRowsColumns } from '@portal/contract/upload-columns'
import { csvLine, withoutApostrophe } from '@portal/format/csv'
import { CsvReader } from '@portal/format/csv-reader'

/**
 * Rebuilds the downloaded conflicting rows as a part of the file that they come from: its name, without the columns that the
 * download adds, and each row on its original line, so that the next report names the file and the lines that the user knows.
 */
export async function conflictsFile(conflicts: Blob, name: string): Promise<File> {
  const reader = new CsvReader()
  const [header, ...rows] = [...reader.push(await conflicts.text()), ...reader.end()].map(
    ({ cells }) => cells,
  )
  const added = failedRowsColumns.map(column => header?.lastIndexOf(column) ?? -1)
  const [lineAt = -1] = added
  const part = (cells: readonly string[]) =>
    csvLine(cells.filter((_, at) => !added.includes(at)).map(withoutApostrophe))
  const lines = [part(header ?? [])]
  // Blank lines are not rows.
  let line = 2
  for (const cells of rows) {
    const wanted = Number(cells[lineAt])
    if (wanted > line) lines.push('\n'.repeat(wanted - line))
    lines.push(part(cells))
    line = Math.max(line, wanted) + 1
  }
  return new File(lines, name, { type: 'text/csv' })
}
