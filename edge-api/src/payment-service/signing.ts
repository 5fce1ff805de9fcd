/** HMAC-SHA512 with WebCrypto, random IDs, and comparison in constant time. */

const encoder = new TextEncoder()

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the HMAC-SHA512 of `text` in lowercase hexadecimal. */
export async function hmac(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-512' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  return toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

export async function sha256(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

/** Compares two texts of any length in constant time. */
export async function isSameText(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(left), sha256(right)])
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

/** Returns the value of the header `x-sandbox-signature`: `t=<unix seconds>,v1=<hex HMAC-SHA512 of "t.raw">`. */
export async function signWebhook(secrets: string, seconds: number, raw: string): Promise<string> {
  const [secret = ''] = listSecrets(secrets)
  return `t=${seconds},v1=${await hmac(secret, `${seconds}.${raw}`)}`
}

/** Splits a list of secrets that are separated by commas: the first one signs, and all are accepted. */
function listSecrets(secrets: string): string[] {
  return secrets.split(',').map(secret => secret.trim())
}

/**
 * Returns the signature over the hidden form's fields. Its key differs from that of webhooks, although both use the same
 * secret.
 */
export function computeFormHash(secrets: string, fields: FormFields): Promise<string> {
  return computeFormHashWith(listSecrets(secrets)[0] ?? '', fields)
}

/**
 * True if the hash was made with any of the secrets, so that a form stays valid if the secret is rotated while the payer has
 * the form open.
 */
export async function isFormHash(secrets: string, fields: FormFields, hash: string): Promise<boolean> {
  const expected = await Promise.all(listSecrets(secrets).map(secret => computeFormHashWith(secret, fields)))
  const matches = await Promise.all(expected.map(text => isSameText(text, hash)))
  return matches.includes(true)
}

function computeFormHashWith(secret: string, fields: FormFields): Promise<string> {
  const { amount, currency, payment_code, request_id, transaction_id } = fields
  const text = new URLSearchParams({ amount, currency, payment_code, request_id, transaction_id })
  return hmac(`checkout.${secret}`, text.toString())
}

/**
 * Fields of the form that the browser posts to the card page, without the hash. `amount` is in major units with two decimals.
 */
export type FormFields = {
  transaction_id: string
  request_id: string
  payment_code: string
  amount: string
  currency: string
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns random characters of Crockford base32, 5 bits each. */
export function randomId(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), byte => crockford[byte & 31]).join('')
}

/** Returns random decimal digits. */
export function randomDigits(length: number): string {
  const bytes = crypto.getRandomValues(new Uint32Array(length))
  return Array.from(bytes, value => String(value % 10)).join('')
}
