import { formatLongDate } from '@portal/format/dates'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns `length` random characters of Crockford base32, 5 bits each. */
export function randomCrockford(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), byte => CROCKFORD[byte & 31]).join('')
}

/** Returns `CVF` and 21 random characters: 24 in total, 105 random bits. */
export const newTransactionId = (): string => `CVF${randomCrockford(21)}`

/** Returns a reference for the gateway: 15 characters, the longest that every gateway accepts; 65 random bits. */
export const newReference = (): string => `CV${randomCrockford(13)}`

/** Returns a code to be printed on a letter: 60 random bits. */
export const newLetterCode = (): string => randomCrockford(12)

/** Returns the reference number of a letter, with the year of its date: `CV/2026/7M2K9QXA`. */
export const newRefNumber = (at: number): string => `CV/${formatLongDate(at).slice(-4)}/${randomCrockford(8)}`

/** Returns an ID for an organisation or for a record that belongs to one: a prefix and 24 characters, 120 random bits. */
export const newPrefixedId = (
  prefix: 'org' | 'inv' | 'ver' | 'bat' | 'mov' | 'bil' | 'whe' | 'evt' | 'dlv' | 'key',
): string => `${prefix}_${randomCrockford(24).toLowerCase()}`
