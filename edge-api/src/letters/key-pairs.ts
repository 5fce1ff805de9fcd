import { calculateJwkThumbprint } from 'jose'
import * as z from 'zod'
import type { LetterKeySource } from '../environment-letter-keys.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }

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

const pairs = new Map<string, Promise<KeyPair>>()

async function importPair(source: LetterKeySource): Promise<KeyPair> {
  const { subtle } = crypto
  const privateKey =
    'jwk' in source
      ? await subtle.importKey('jwk', source.jwk, ALGORITHM, true, ['sign'])
      : await subtle.importKey('pkcs8', source.pkcs8, ALGORITHM, true, ['sign'])
  const jwk = publicJwkShape.parse(await subtle.exportKey('jwk', privateKey))
  const publicKey = await subtle.importKey('jwk', jwk, ALGORITHM, true, ['verify'])
  return { kid: await calculateJwkThumbprint(jwk), jwk, privateKey, publicKey }
}

/** Each key is imported once a process, however many requests there are. */
export function pairOf(source: LetterKeySource): Promise<KeyPair> {
  const name = 'jwk' in source ? source.jwk.d : source.pkcs8.join()
  const known = pairs.get(name)
  if (known) return known
  const pair = importPair(source)
  pairs.set(name, pair)
  pair.catch(() => pairs.delete(name))
  return pair
}

/** The name of a key as it was given. */
export const kidOf = async (source: LetterKeySource): Promise<string> => (await pairOf(source)).kid
