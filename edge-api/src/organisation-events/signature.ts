import { fromBase64, toBase64 } from '../letters/base64.ts'

/* Symmetric signatures according to Standard Webhooks 1.0.0. */

const PREFIX = 'whsec_'

/** Returns a new secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `${PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`

/**
 * Returns the value of the header `webhook-signature`, with one signature for each secret.
 * @param timestamp time of this attempt, in seconds since 1970
 */
export async function createSignatureHeader(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Promise<string> {
  const signedContent = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signaturesOfSecrets = secrets.map(async secret => {
    const raw = fromBase64(secret.slice(PREFIX.length))
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signedContent)))}`
  })
  return (await Promise.all(signaturesOfSecrets)).join(' ')
}
