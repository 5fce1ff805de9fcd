/** One line of the table: the measurement, its reference, and their ratio. */
export interface Figure {
  what: string
  value: string
  comparison: string
  ratio: string
}

const digits = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
const fine = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 })

/** 1234.5 as `1,235`, 1.234 as `1.23`. */
export const amount = (value: number): string => (value >= 100 ? digits : fine).format(value)

/** `1.25` */
export const ratioOf = (value: number, reference: number): string => fine.format(value / reference)

/** A line with the ratio of value and reference. */
export function compared(
  what: string,
  [value, unit]: [value: number, unit: string],
  [name, reference]: [name: string, reference: number],
): Figure {
  const comparison = `${name}: ${amount(reference)} ${unit}`
  return { what, value: `${amount(value)} ${unit}`, comparison, ratio: ratioOf(value, reference) }
}

/** A line without a reference. */
export const single = (what: string, value: number, unit: string, comparison = ''): Figure => ({
  what,
  value: `${amount(value)} ${unit}`,
  comparison,
  ratio: '',
})

/** The table in Markdown. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = figures.map(
    ({ what, value, comparison, ratio }) => `| ${what} | ${value} | ${comparison} | ${ratio} |`,
  )
  return ['| What | Measured | Compared with | Ratio |', '| --- | ---: | --- | ---: |', ...lines].join('\n')
}

/** The percentile of the numbers; `share` is 0.95 for the 95th. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
