import { isCertificateNumber, normaliseCertificateNumber } from '@portal/contract/certificate-number'

/** Maximum number of certificates in one bulk verification, from the API. */
export const MAX_NUMBERS = 500

const PREFIXED = /^(?:UG|PG|CCED|HND)(?![A-Z])/

/** Spaces separate numbers, but a prefix and its number stay one: `UG 2019 00123`, which the check then refuses. */
function numbersOfPiece(piece: string): string[] {
  const number = normaliseCertificateNumber(piece)
  const parts = number.split(/\s+/).map(normaliseCertificateNumber)
  const prefixed = parts.filter(part => PREFIXED.test(part))
  const separate = prefixed.length === 0 || prefixed.filter(isCertificateNumber).length > 1
  return (separate ? parts : [number]).filter(part => part !== '')
}

/**
 * Extracts the certificate numbers from text. They are separated by line breaks, tabs, commas and semicolons,
 * and by spaces between complete numbers.
 */
export const numbersIn = (text: string): string[] => text.split(/[\n\r\t,;，；、]+/).flatMap(numbersOfPiece)

const HEADING = /^(certificate|cert)?[\s_-]*(number|no\.?|nr\.?)$|^certificate$/i

/**
 * Extracts the certificate numbers from a table: from the column with that heading, or else the one with the most
 * numbers. Empty if there is no such column.
 */
export function numbersOfTable(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows
  const headedColumn = head.findIndex(cell => HEADING.test(cell.trim()))
  const columnOf = (index: number, from: number) =>
    rows.slice(from).flatMap(row => {
      const cell = normaliseCertificateNumber(row[index] ?? '')
      return cell === '' ? [] : [cell]
    })
  if (headedColumn >= 0) return columnOf(headedColumn, 1)
  const width = Math.max(0, ...rows.map(row => row.length))
  // Requires a digit too, because a column of words would pass as numbers of five letters.
  const likely = (cell: string) => isCertificateNumber(cell) && /\d/.test(cell)
  const counts = Array.from({ length: width }, (_, index) => columnOf(index, 0).filter(likely).length)
  const best = Math.max(0, ...counts)
  if (best === 0) return []
  const column = columnOf(counts.indexOf(best), 0)
  const [first = ''] = column
  return likely(first) ? column : column.slice(1)
}
