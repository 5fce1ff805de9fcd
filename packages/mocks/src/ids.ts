import { CROCKFORD } from '@portal/fixtures/random'

/** Random Crockford base32 characters; 32 divides 256, so there is no bias. */
export function randomCode(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, byte => CROCKFORD[byte % CROCKFORD.length] ?? '0').join('')
}

export const newTransactionId = () => `CVF${randomCode(21)}`
/** Reference sent to the gateway: 15 characters at most. */
export const newReference = () => `CV${randomCode(13)}`
export const newLetterCode = () => randomCode(12)
/** The id of an organisation and what belongs to it. */
export const newPrefixedId = (prefix: string) => `${prefix}_${randomCode(24).toLowerCase()}`
export const newId = () => crypto.randomUUID()
