import { CROCKFORD } from '@portal/fixtures/random'

/** Returns random Crockford base32 characters; 32 divides 256, so there is no bias. */
export function randomCode(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, byte => CROCKFORD[byte % CROCKFORD.length] ?? '0').join('')
}

export const newTransactionId = () => `CVF${randomCode(21)}`
/** Returns a payment reference for the gateway, which accepts at most 15 characters. */
export const newReference = () => `CV${randomCode(13)}`
export const newLetterCode = () => randomCode(12)
/** Returns the ID of an organisation, or of something that belongs to one. */
export const newPrefixedId = (prefix: string) => `${prefix}_${randomCode(24).toLowerCase()}`
export const newId = () => crypto.randomUUID()
