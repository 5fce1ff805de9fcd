/** Formats axis labels as `₦20K`. */
export function shortMoney(value: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  return new Intl.NumberFormat('en-US', { ...style, notation: 'compact', maximumFractionDigits: 1 }).format(
    value,
  )
}
