import { calculateJwkThumbprint } from 'jose'
import * as z from 'zod'
import type { LetterKeySource } from '../environment-letter-keys.ts'
import { P256 } from './ecdsa.ts'

export const publicJwkShape = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
})
export type PublicJwk = z.infer<typeof publicJwkShape>

export interface KeyPair {
  kid: string
  jwk: PublicJwk
  privateKey: CryptoKey
  publicKey: CryptoKey
}

/** Imports a public key for verifying signatures. */
export const importPublicKey = (jwk: PublicJwk): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', jwk, P256, true, ['verify'])

const pairCache = new Map<string, Promise<KeyPair>>()

async function importPair(source: LetterKeySource): Promise<KeyPair> {
  const { subtle } = crypto
  const privateKey =
    'jwk' in source
      ? await subtle.importKey('jwk', source.jwk, P256, true, ['sign'])
      : await subtle.importKey('pkcs8', source.pkcs8, P256, true, ['sign'])
  const jwk = publicJwkShape.parse(await subtle.exportKey('jwk', privateKey))
  return { kid: await calculateJwkThumbprint(jwk), jwk, privateKey, publicKey: await importPublicKey(jwk) }
}

/** Imports a configured key as a key pair. Each key is imported only once per process. */
export function importPairOnce(source: LetterKeySource): Promise<KeyPair> {
  const cacheKey = 'jwk' in source ? source.jwk.d : source.pkcs8.join()
  const cached = pairCache.get(cacheKey)
  if (cached) return cached
  const pair = importPair(source)
  pairCache.set(cacheKey, pair)
  pair.catch(() => pairCache.delete(cacheKey))
  return pair
}

/** Returns the ID of a configured key. */
export const readKid = async (source: LetterKeySource): Promise<string> => (await importPairOnce(source)).kid
