const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const oneDecimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 0, maximumFractionDigits: 1 })

/** `12,345`. */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** `87.5%`, at most one decimal. Takes percent, not a fraction. */
export function formatPercent(percent: number): string {
  return `${oneDecimal.format(percent)}%`
}

/** Growth as the dashboards give it: recent of total in percent, to one decimal; 0 where there is no total. */
export function growthPercent(recent: number, total: number): number {
  return total === 0 ? 0 : Math.round((recent / total) * 1000) / 10
}
