/** Value of a CSV cell; null is empty. */
export type CsvValue = string | number | boolean | null

// Characters that start a formula in a spreadsheet, including full-width forms, and invisible characters that can hide them.
// Leading apostrophes are skipped, so that removing one apostrophe always restores the original text.
const FORMULA_START = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** Formats one cell (RFC 4180). Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers do not. */
export function csvCell(value: CsvValue): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA_START.test(value) ? `'${value}` : String(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Formats one record with its line break. */
export const csvLine = (cells: readonly CsvValue[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Formats a row in the order of the columns; numbers in a `money` column have two decimals. */
export const csvRecord = (
  row: Readonly<Record<string, CsvValue>>,
  { columns, money = [] }: { columns: readonly string[]; money?: readonly string[] },
): string =>
  `${columns
    .map(column => {
      const value = row[column] ?? null
      // Numbers are never formulas, so a negative number needs no apostrophe.
      return typeof value === 'number' && money.includes(column) ? value.toFixed(2) : csvCell(value)
    })
    .join(',')}\r\n`

/** Removes the apostrophe that `csvCell` puts before a formula. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell
