/*
 * English figures are written here and not by Intl: a browser takes some 15 ms of work for the first formatter of a visit,
 * and a phone four times that.
 */

/** `12,345.60` from `12345.60`: digits before the decimals in threes. */
export const grouped = (figure: string): string => figure.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',')

/** Without a sign on what is rounded to nothing. */
const rounded = (value: number, decimals: number): number =>
  value < 0 ? 0 - Number((-value).toFixed(decimals)) : Number(value.toFixed(decimals))

/** `12,345`. */
export function formatCount(count: number): string {
  return grouped(String(rounded(count, 0)))
}

/** `1,234.5`, at most one decimal. */
export function formatFigure(figure: number): string {
  return grouped(String(rounded(figure, 1)))
}

/** `87.5%`, at most one decimal. Takes percent, not a fraction. */
export function formatPercent(percent: number): string {
  return `${formatFigure(percent)}%`
}

/** How much of a total a part is, in percent to one decimal; 0 where there is no total. */
export function percentOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part / total) * 1000) / 10
}

/** Growth as the dashboards give it: how much of all is recent. */
export const growthPercent = percentOf
