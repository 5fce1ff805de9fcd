/** One row of the table: a measurement, its reference value, and the ratio of both. */
export interface Figure {
  what: string
  value: string
  comparison: string
  ratio: string
}

const noDecimals = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
const twoDecimals = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 })

/** Formats a number: 1234.5 as `1,235`, and 1.234 as `1.23`. */
export const formatNumber = (value: number): string => (value >= 100 ? noDecimals : twoDecimals).format(value)

/** Formats the ratio of two numbers, for example `1.25`. */
export const formatRatio = (value: number, reference: number): string => twoDecimals.format(value / reference)

/** Returns a row that compares a value with a reference. */
export function compareFigures(
  what: string,
  [value, unit]: [value: number, unit: string],
  [name, reference]: [name: string, reference: number],
): Figure {
  const comparison = `${name}: ${formatNumber(reference)} ${unit}`
  return { what, value: `${formatNumber(value)} ${unit}`, comparison, ratio: formatRatio(value, reference) }
}

/** Returns a row for a value that has no reference. */
export const singleFigure = (what: string, value: number, unit: string, comparison = ''): Figure => ({
  what,
  value: `${formatNumber(value)} ${unit}`,
  comparison,
  ratio: '',
})

/** Returns the table in Markdown. */
export function toTable(figures: readonly Figure[]): string {
  const lines = figures.map(
    ({ what, value, comparison, ratio }) => `| ${what} | ${value} | ${comparison} | ${ratio} |`,
  )
  return ['| What | Measured | Compared with | Ratio |', '| --- | ---: | --- | ---: |', ...lines].join('\n')
}

/** Returns a percentile of the numbers; a `share` of 0.95 means the 95th. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
