/** What a cell of a CSV file may hold; null is an empty cell. */
export type CsvValue = string | number | boolean | null

// What spreadsheets take for the start of a formula, full-width forms included, and what hides one from the eye.
const RISKY = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * One cell after RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe; a number is
 * one, whatever its sign.
 */
export function csvCell(value: CsvValue): string {
  if (value === null) return ''
  const text = typeof value === 'string' && RISKY.test(value) ? `'${value}` : String(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record, with its line end. */
export const csvLine = (cells: readonly CsvValue[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** The record of a row, its cells in the order of the columns; numbers of a `money` column have two decimals. */
export const csvRecord = (
  row: Readonly<Record<string, CsvValue>>,
  { columns, money = [] }: { columns: readonly string[]; money?: readonly string[] },
): string =>
  `${columns
    .map(column => {
      const value = row[column] ?? null
      // A number is no text that could run: its sign needs no apostrophe.
      return typeof value === 'number' && money.includes(column) ? value.toFixed(2) : csvCell(value)
    })
    .join(',')}\r\n`
