import { CROCKFORD } from '@portal/fixtures/random'

/** Returns random Crockford base32 characters. They are unbiased, because 256 is a multiple of 32. */
export function randomCode(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, byte => CROCKFORD[byte % CROCKFORD.length] ?? '0').join('')
}

export const newTransactionId = () => `CVF${randomCode(21)}`
/** Returns a new payment reference for the gateway, which accepts at most 15 characters. */
export const newReference = () => `CV${randomCode(13)}`
export const newLetterCode = () => randomCode(12)
/** Returns a new ID for an organisation, or for something that belongs to one. */
export const newPrefixedId = (prefix: string) => `${prefix}_${randomCode(24).toLowerCase()}`
export const newId = () => crypto.randomUUID()
