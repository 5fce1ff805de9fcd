// Matches only before the start of a mobile number, so that other digits are kept.
const PREFIX = /(?<![\p{L}\p{N}])(?:\+?234[\s-]*0?|0)(?=[789][01]\d)/gu

/**
 * Reduces the Nigerian phone numbers in a search to the part that all their forms share: `0803 555 0108` and `+234 803
 * 555 0108` become `803 555 0108`.
 */
export const withoutPhonePrefix = (search: string): string => search.replace(PREFIX, '')
