import { isCertificateNumber, normaliseCertificateNumber } from '@portal/contract/certificate-number'

/** Maximum number of certificates in one bulk verification, as in the API. */
export const MAX_NUMBERS = 500

const PREFIXED_NUMBER = /^(?:UG|PG|CCED|HND)(?![A-Z])/

/** Splits a text at spaces if it contains several numbers. `UG 2019 00123` stays one number, which the check then refuses. */
function splitNumbers(piece: string): string[] {
  const number = normaliseCertificateNumber(piece)
  const parts = number.split(/\s+/).map(normaliseCertificateNumber)
  const prefixed = parts.filter(part => PREFIXED_NUMBER.test(part))
  const areSeparate = prefixed.length === 0 || prefixed.filter(isCertificateNumber).length > 1
  return (areSeparate ? parts : [number]).filter(part => part !== '')
}

/**
 * Extracts the certificate numbers from text, where they are separated by line breaks, tabs, commas and semicolons, or by
 * spaces between complete numbers.
 */
export const parseNumbers = (text: string): string[] => text.split(/[\n\r\t,;，；、]+/).flatMap(splitNumbers)

const HEADING = /^(certificate|cert)?[\s_-]*(number|no\.?|nr\.?)$|^certificate$/i

/**
 * Extracts the certificate numbers from a table: from the column with their heading, or else from the column that contains the
 * most numbers. Returns an empty list if no column contains any.
 */
export function findNumbersInTable(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows
  const headedColumn = head.findIndex(cell => HEADING.test(cell.trim()))
  const columnOf = (index: number, fromRow: number) =>
    rows.slice(fromRow).flatMap(row => {
      const cell = normaliseCertificateNumber(row[index] ?? '')
      return cell === '' ? [] : [cell]
    })
  if (headedColumn >= 0) return columnOf(headedColumn, 1)
  const width = Math.max(0, ...rows.map(row => row.length))
  // A cell must also contain a digit, because five-letter words would otherwise pass as numbers.
  const isLikelyNumber = (cell: string) => isCertificateNumber(cell) && /\d/.test(cell)
  const counts = Array.from({ length: width }, (_, index) => columnOf(index, 0).filter(isLikelyNumber).length)
  const maxCount = Math.max(0, ...counts)
  if (maxCount === 0) return []
  const column = columnOf(counts.indexOf(maxCount), 0)
  const [firstCell = ''] = column
  return isLikelyNumber(firstCell) ? column : column.slice(1)
}
