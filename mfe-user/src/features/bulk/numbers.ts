import { isCertificateNumber } from '@portal/contract/certificate-number'

/** Most numbers of one bulk verification, as the API has it. */
export const MOST = 500

/** Certificate numbers hold no blanks, commas or semicolons, so any of these parts them. */
export function numbersIn(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map(part => part.replace(/^["']+|["']+$/g, '').toUpperCase())
    .filter(part => part !== '')
}

const HEADING = /^(certificate|cert)?[\s_-]*(number|no\.?|nr\.?)$|^certificate$/i

/**
 * The certificate numbers of a table: the column that is headed so, or else the one that holds most of what looks
 * like them. Without a column, none.
 */
export function numbersOfTable(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows
  const named = head.findIndex(cell => HEADING.test(cell.trim()))
  const columnOf = (index: number, from: number) =>
    rows.slice(from).flatMap(row => {
      const cell = row[index]?.trim().toUpperCase() ?? ''
      return cell === '' ? [] : [cell]
    })
  if (named >= 0) return columnOf(named, 1)
  const width = Math.max(0, ...rows.map(row => row.length))
  // A digit besides, for a column of words would pass as numbers of five letters.
  const likely = (cell: string) => isCertificateNumber(cell) && /\d/.test(cell)
  const counts = Array.from({ length: width }, (_, index) => columnOf(index, 0).filter(likely).length)
  const best = Math.max(0, ...counts)
  if (best === 0) return []
  const column = columnOf(counts.indexOf(best), 0)
  const [first = ''] = column
  return likely(first) ? column : column.slice(1)
}
