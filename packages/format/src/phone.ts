// Matches only directly before a mobile number, so that other digits are kept.
const PREFIX = /(?<![\p{L}\p{N}])(?:\+?234[\s-]*0?|0)(?=[789][01]\d)/gu

/**
 * Removes the prefixes of Nigerian phone numbers from a search, so that all ways to write a number become equal: `0803 555
 * 0108` and `+234 803 555 0108` both become `803 555 0108`.
 */
export const withoutPhonePrefix = (search: string): string => search.replace(PREFIX, '')
