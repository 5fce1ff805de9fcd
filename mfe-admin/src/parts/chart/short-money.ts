import { LOCALE } from '@portal/format/locale'
/** Formats an amount for an axis label, such as `₦20K`. */
export function shortMoney(value: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  return new Intl.NumberFormat(LOCALE, { ...style, notation: 'compact', maximumFractionDigits: 1 }).format(
    value,
  )
}
