import { CompactEncrypt, compactDecrypt, errors } from 'jose'

/*
 * Mail waits in the database sealed: it may hold a link's token, of which the database keeps only a hash. The key is
 * derived from the JWT secrets: the first one seals, all of them open.
 */

const keys = new Map<string, Promise<Uint8Array>>()

function keyOf(secret: string): Promise<Uint8Array> {
  const known = keys.get(secret)
  if (known) return known
  const key = derive(secret)
  keys.set(secret, key)
  return key
}

async function derive(secret: string): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, [
    'deriveBits',
  ])
  const info = new TextEncoder().encode('portal mail outbox v1')
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 256))
}

/** Encrypts a value as a compact JWE (`dir`, `A256GCM`) with a key derived from the first secret. */
export async function seal(value: unknown, secrets: readonly [string, ...string[]]): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(await keyOf(secrets[0]))
}

/**
 * Opens what `seal` made with any of the secrets.
 * @throws Error when none of them fits or the text was altered
 */
export async function open(sealed: string, secrets: readonly string[]): Promise<unknown> {
  for (const secret of secrets) {
    try {
      const { plaintext } = await compactDecrypt(sealed, await keyOf(secret), {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      return JSON.parse(new TextDecoder().decode(plaintext))
    } catch (error) {
      if (!(error instanceof errors.JWEDecryptionFailed)) throw error
    }
  }
  throw new Error('The mail was sealed with a secret that is no longer known.')
}
