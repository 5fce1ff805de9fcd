import { grouped } from './numbers.ts'

const symbols = new Map([
  ['NGN', '₦'],
  ['USD', '$'],
  ['EUR', '€'],
  ['GBP', '£'],
])

/**
 * Money for people: `formatMoney(5000, 'NGN')` is `₦5,000.00`.
 * @param major amount in major units, as it travels on the wire
 * @param currency ISO 4217 code; one without a known symbol is written before the amount (`XOF 1.00`)
 */
export function formatMoney(major: number, currency = 'NGN'): string {
  const figure = grouped(Math.abs(major).toFixed(2))
  const sign = major < 0 && figure !== '0.00' ? '-' : ''
  const symbol = symbols.get(currency)
  return symbol === undefined ? `${sign}${currency} ${figure}` : `${sign}${symbol}${figure}`
}

/** As `formatMoney`, with `N/A` where no amount is known. */
export function formatMoneyOrNone(major: number | null | undefined, currency = 'NGN'): string {
  return major === null || major === undefined ? 'N/A' : formatMoney(major, currency)
}

/** As `formatMoney`, from an integer in minor units (kobo, cents). */
export function formatMinor(minor: number, currency = 'NGN'): string {
  return formatMoney(toMajor(minor), currency)
}

/**
 * Major units to an integer of minor units, exactly: `toMinor(5000.1)` is `500010`.
 * @throws RangeError when the amount has more than two decimals or is too large to be exact
 */
export function toMinor(major: number): number {
  const minor = Math.round(major * 100)
  // The double nearest to a two-decimal number is always minor / 100; any other double is not such an amount.
  if (!Number.isSafeInteger(minor) || minor / 100 !== major) {
    throw new RangeError(`not an amount with at most two decimals: ${major}`)
  }
  return minor === 0 ? 0 : minor
}

/**
 * An integer of minor units to major units: `toMajor(500010)` is `5000.1`.
 * @throws RangeError when it is not a safe integer
 */
export function toMajor(minor: number): number {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`not an integer of minor units: ${minor}`)
  return minor / 100
}
