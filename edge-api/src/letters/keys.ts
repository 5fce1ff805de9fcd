import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import { makeCertificate } from './certificate.ts'
import { type PublicJwk, pairOf, publicJwkShape } from './key-pairs.ts'
import { insertLetterKey, type LetterKeyRow, listLetterKeys } from './keys-store.ts'

/** A key that letters were signed with, as everyone may know it. */
export interface PublicLetterKey {
  kid: string
  jwk: PublicJwk
  /** X.509, DER. */
  certificate: Uint8Array<ArrayBuffer>
  /** What it signed counts for nothing. */
  revoked: boolean
}

/** The key that signs now. */
export interface SigningKey extends PublicLetterKey {
  privateKey: CryptoKey
}

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))

const publicKeyOf = (row: LetterKeyRow): PublicLetterKey => ({
  kid: row.kid,
  jwk: publicJwkShape.parse(row.jwk),
  certificate: fromBase64(row.certificate),
  revoked: row.revokedAt !== null,
})

/** Every key that letters were ever signed with, those of the environment included. */
export async function publicKeys(db: Database, ports: Pick<Ports, 'clock' | 'environment'>) {
  const found = await listLetterKeys(db.read)
  const given = await Promise.all(ports.environment.letterKeys.map(pairOf))
  const unknown = given.filter(({ kid }) => !found.some(row => row.kid === kid))
  if (unknown.length === 0) return found.map(publicKeyOf)
  const { institution } = await readSettings(db.read)
  for (const pair of unknown) {
    const at = ports.clock.now()
    const certificate = toBase64(await makeCertificate({ ...pair, institution: institution.name, at }))
    await db.write(tx =>
      insertLetterKey(tx, { kid: pair.kid, jwk: pair.jwk, certificate, createdAt: at, revokedAt: null }),
    )
  }
  // Read again: another process may have been first, and there is one certificate a key.
  return (await listLetterKeys(db.read)).map(publicKeyOf)
}

/**
 * The key that signs: the first of the environment.
 * @throws Error when that one was revoked
 */
export async function signingKey(
  db: Database,
  ports: Pick<Ports, 'clock' | 'environment'>,
): Promise<SigningKey> {
  const [source] = ports.environment.letterKeys
  if (!source) throw new Error('LETTER_SIGNING_KEY holds no key.')
  const [{ kid, privateKey }, known] = [await pairOf(source), await publicKeys(db, ports)]
  const found = known.find(key => key.kid === kid)
  if (!found || found.revoked) throw new Error('The first key of LETTER_SIGNING_KEY was revoked.')
  return { ...found, privateKey }
}
