/**
 * Locale of every amount, figure and date on screens, in mails and in documents: the specification writes `₦5,000.00` and
 * `January 31, 2026`. The formatters of this package follow it without Intl; their tests compare them with Intl.
 */
export const LOCALE = 'en-US'
