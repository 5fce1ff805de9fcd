/**
 * Locale of every amount, figure and date on screens, in emails and in documents: the specification writes `₦5,000.00` and
 * `January 31, 2026`. The formatters of this package do not use Intl, but their tests compare them with it.
 */
export const LOCALE = 'en-US'
