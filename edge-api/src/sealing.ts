import { CompactEncrypt, compactDecrypt, errors } from 'jose'

/*
 * Encrypts stored data that someone who has only the database must not be able to read: queued mail (which may contain a link's
 * token), the secrets of authenticator apps and webhooks, and the key of the CA for letters. Each purpose has its own key,
 * derived from the JWT secrets: the first one encrypts, and all of them decrypt.
 */

export type Purpose =
  | 'mail outbox'
  | 'second factor'
  | 'letter authority'
  | 'idempotent reply'
  | 'webhook secret'

const derivedKeys = new Map<string, Promise<Uint8Array>>()

function deriveKey(secret: string, purpose: Purpose): Promise<Uint8Array> {
  const name = `${purpose}:${secret}`
  const existing = derivedKeys.get(name)
  if (existing) return existing
  const key = derive(secret, purpose)
  derivedKeys.set(name, key)
  return key
}

async function derive(secret: string, purpose: Purpose): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, [
    'deriveBits',
  ])
  const info = new TextEncoder().encode(`portal ${purpose} v1`)
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 256))
}

/** Encrypts a value as a compact JWE (`dir`, `A256GCM`) with a key derived from the first secret. */
export async function seal(
  value: unknown,
  secrets: readonly [string, ...string[]],
  purpose: Purpose,
): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(await deriveKey(secrets[0], purpose))
}

/** Decrypts the output of `seal` with any of the secrets. @throws Error if none of them works, or the text was altered */
export async function unseal(sealed: string, secrets: readonly string[], purpose: Purpose): Promise<unknown> {
  for (const secret of secrets) {
    try {
      const { plaintext } = await compactDecrypt(sealed, await deriveKey(secret, purpose), {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      return JSON.parse(new TextDecoder().decode(plaintext))
    } catch (error) {
      if (!(error instanceof errors.JWEDecryptionFailed)) throw error
    }
  }
  throw new Error('Encrypted with a secret that is no longer configured.')
}
