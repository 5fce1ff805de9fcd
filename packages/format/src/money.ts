import { groupThousands } from './numbers.ts'

const symbols = new Map([
  ['NGN', '₦'],
  ['USD', '$'],
  ['EUR', '€'],
  ['GBP', '£'],
])

/**
 * Formats money: `formatMoney(5000, 'NGN')` is `₦5,000.00`. A negative amount has a minus sign (U+2212), which is as wide as a
 * plus sign.
 * @param major amount in major units, as sent by the API
 * @param currency ISO 4217 code; if it has no known symbol, the code precedes the amount (`XOF 1.00`)
 */
export function formatMoney(major: number, currency = 'NGN'): string {
  const figure = groupThousands(Math.abs(major).toFixed(2))
  const sign = major < 0 && figure !== '0.00' ? '−' : ''
  const symbol = symbols.get(currency)
  return symbol === undefined ? `${sign}${currency} ${figure}` : `${sign}${symbol}${figure}`
}

/** Like `formatMoney`, but returns `N/A` for an unknown amount. */
export function formatMoneyOrNone(major: number | null | undefined, currency = 'NGN'): string {
  return major === null || major === undefined ? 'N/A' : formatMoney(major, currency)
}

/** Like `formatMoney`, but for an integer in minor units (kobo, cents). */
export function formatMinor(minor: number, currency = 'NGN'): string {
  return formatMoney(toMajor(minor), currency)
}

/**
 * Converts major units to an integer in minor units: `toMinor(5000.1)` is `500010`.
 * @throws RangeError for more than two decimals, or for an amount too large to be exact
 */
export function toMinor(major: number): number {
  const minor = Math.round(major * 100)
  // For an amount with two decimals, the nearest double is exactly `minor / 100`; anything else is rejected.
  if (!Number.isSafeInteger(minor) || minor / 100 !== major) {
    throw new RangeError(`not an amount with at most two decimals: ${major}`)
  }
  return minor === 0 ? 0 : minor
}

/**
 * Converts an integer in minor units to major units: `toMajor(500010)` is `5000.1`.
 * @throws RangeError if it is not a safe integer
 */
export function toMajor(minor: number): number {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`not an integer of minor units: ${minor}`)
  return minor / 100
}
