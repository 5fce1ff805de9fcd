import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import { type Authority, ensureIssuingAuthority, loadAuthorities } from './authority.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { isIssuedBy, makeCertificate } from './certificate.ts'
import { importPairOnce, type PublicJwk, publicJwkShape } from './key-pairs.ts'
import { insertLetterKey, type LetterKeyRow, listLetterKeys, replaceCertificate } from './keys-store.ts'

/** The public part of a key that has signed letters. */
export interface PublicLetterKey {
  kid: string
  jwk: PublicJwk
  /** X.509 certificate of the key, in DER. */
  certificate: Uint8Array<ArrayBuffer>
  /** Certificate of the CA that issued the key's certificate. */
  issuer: Uint8Array<ArrayBuffer> | undefined
  /** True if the key's signatures are no longer accepted. */
  revoked: boolean
}

/** The key that currently signs letters. */
export interface SigningKey extends PublicLetterKey {
  privateKey: CryptoKey
}

/** Caches whether a CA issued a certificate, because each signature needs to be verified only once per process. */
const issuerChecks = new Map<string, Promise<boolean>>()

function hasIssued({ kid, certificate }: Authority, encodedCertificate: string): Promise<boolean> {
  const cacheKey = `${kid} ${encodedCertificate}`
  const check = issuerChecks.get(cacheKey) ?? isIssuedBy(fromBase64(encodedCertificate), certificate)
  issuerChecks.set(cacheKey, check)
  return check
}

async function findIssuer(row: LetterKeyRow, authorities: readonly Authority[]) {
  for (const authority of authorities) if (await hasIssued(authority, row.certificate)) return authority
  return undefined
}

interface KnownKey {
  row: LetterKeyRow
  issuer: Authority | undefined
}

async function readKnownKeys(db: Database, ports: Pick<Ports, 'clock' | 'environment'>): Promise<KnownKey[]> {
  const [rows, authorities] = await Promise.all([listLetterKeys(db.read), loadAuthorities(db, ports)])
  return await Promise.all(rows.map(async row => ({ row, issuer: await findIssuer(row, authorities) })))
}

const toPublicLetterKey = ({ row, issuer }: KnownKey): PublicLetterKey => ({
  kid: row.kid,
  jwk: publicJwkShape.parse(row.jwk),
  certificate: fromBase64(row.certificate),
  issuer: issuer?.certificate,
  revoked: row.revokedAt !== null,
})

/** True if a key needs no new certificate: it is revoked, or the current CA issued its certificate. */
const isCertified = (kid: string, keys: readonly KnownKey[]) =>
  keys.some(({ row, issuer }) => row.kid === kid && (row.revokedAt !== null || issuer?.isRetired === false))

/**
 * Returns all keys that have ever signed letters, and those that are configured. The CA issues certificates for configured keys
 * that are new, or whose certificate the current CA did not issue.
 */
export async function ensurePublicKeys(db: Database, ports: Pick<Ports, 'clock' | 'environment'>) {
  const knownKeys = await readKnownKeys(db, ports)
  const configuredKeys = await Promise.all(ports.environment.letterKeys.map(importPairOnce))
  const uncertifiedKeys = configuredKeys.filter(({ kid }) => !isCertified(kid, knownKeys))
  if (uncertifiedKeys.length === 0) return knownKeys.map(toPublicLetterKey)
  const authority = await ensureIssuingAuthority(db, ports)
  const { institution } = await readSettings(db.read)
  for (const { kid, jwk, publicKey } of uncertifiedKeys) {
    const at = ports.clock.now()
    const certificate = toBase64(
      await makeCertificate({ publicKey, institution: institution.name, at, authority }),
    )
    const existing = knownKeys.find(({ row }) => row.kid === kid)?.row
    await db.write(tx =>
      existing
        ? replaceCertificate(tx, existing, certificate)
        : insertLetterKey(tx, { kid, jwk, certificate, createdAt: at, revokedAt: null }),
    )
  }
  // Reads the keys again: another process may have been faster, and each key has only one certificate.
  return (await readKnownKeys(db, ports)).map(toPublicLetterKey)
}

/**
 * Returns the key that signs letters: the first configured one.
 * @throws Error if it was revoked
 */
export async function readSigningKey(
  db: Database,
  ports: Pick<Ports, 'clock' | 'environment'>,
): Promise<SigningKey> {
  const [source] = ports.environment.letterKeys
  if (!source) throw new Error('LETTER_SIGNING_KEY contains no key.')
  const [{ kid, privateKey }, keys] = [await importPairOnce(source), await ensurePublicKeys(db, ports)]
  const found = keys.find(key => key.kid === kid)
  if (!found || found.revoked) throw new Error('The first key of LETTER_SIGNING_KEY was revoked.')
  return { ...found, privateKey }
}
