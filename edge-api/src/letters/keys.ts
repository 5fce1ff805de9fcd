import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import { type Authority, issuingAuthority, knownAuthorities } from './authority.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { isIssuedBy, makeCertificate } from './certificate.ts'
import { type PublicJwk, pairOf, publicJwkShape } from './key-pairs.ts'
import { insertLetterKey, type LetterKeyRow, listLetterKeys, replaceCertificate } from './keys-store.ts'

/** The public part of a key that letters were signed with. */
export interface PublicLetterKey {
  kid: string
  jwk: PublicJwk
  /** X.509, DER. */
  certificate: Uint8Array<ArrayBuffer>
  /** The certificate of the CA that issued it. */
  issuer: Uint8Array<ArrayBuffer> | undefined
  /** Its signatures are not accepted. */
  revoked: boolean
}

/** The key that signs now. */
export interface SigningKey extends PublicLetterKey {
  privateKey: CryptoKey
}

/** Whether a CA issued a certificate; each is verified once per process. */
const issued = new Map<string, Promise<boolean>>()

function hasIssued({ kid, certificate }: Authority, text: string): Promise<boolean> {
  const name = `${kid} ${text}`
  const known = issued.get(name) ?? isIssuedBy(fromBase64(text), certificate)
  issued.set(name, known)
  return known
}

async function issuerOf(row: LetterKeyRow, authorities: readonly Authority[]) {
  for (const authority of authorities) if (await hasIssued(authority, row.certificate)) return authority
  return undefined
}

interface KnownKey {
  row: LetterKeyRow
  issuer: Authority | undefined
}

async function knownKeys(db: Database, ports: Pick<Ports, 'clock' | 'environment'>): Promise<KnownKey[]> {
  const [rows, authorities] = await Promise.all([listLetterKeys(db.read), knownAuthorities(db, ports)])
  return await Promise.all(rows.map(async row => ({ row, issuer: await issuerOf(row, authorities) })))
}

const publicKeyOf = ({ row, issuer }: KnownKey): PublicLetterKey => ({
  kid: row.kid,
  jwk: publicJwkShape.parse(row.jwk),
  certificate: fromBase64(row.certificate),
  issuer: issuer?.certificate,
  revoked: row.revokedAt !== null,
})

/** False for an unknown key, and for one whose certificate does not lead to the CA. */
const isCertified = (kid: string, keys: readonly KnownKey[]) =>
  keys.some(({ row, issuer }) => row.kid === kid && (row.revokedAt !== null || issuer?.retired === false))

/**
 * Every key that letters were ever signed with, including those of the environment. The CA issues certificates for keys of the
 * environment without one: for new keys, and for those whose certificate it did not issue.
 */
export async function publicKeys(db: Database, ports: Pick<Ports, 'clock' | 'environment'>) {
  const found = await knownKeys(db, ports)
  const configured = await Promise.all(ports.environment.letterKeys.map(pairOf))
  const uncertified = configured.filter(({ kid }) => !isCertified(kid, found))
  if (uncertified.length === 0) return found.map(publicKeyOf)
  const authority = await issuingAuthority(db, ports)
  const { institution } = await readSettings(db.read)
  for (const { kid, jwk, publicKey } of uncertified) {
    const at = ports.clock.now()
    const certificate = toBase64(
      await makeCertificate({ publicKey, institution: institution.name, at, authority }),
    )
    const existing = found.find(({ row }) => row.kid === kid)?.row
    await db.write(tx =>
      existing
        ? replaceCertificate(tx, existing, certificate)
        : insertLetterKey(tx, { kid, jwk, certificate, createdAt: at, revokedAt: null }),
    )
  }
  // Read again, because another process may have been first, and there is one certificate per key.
  return (await knownKeys(db, ports)).map(publicKeyOf)
}

/**
 * The key that signs: the first of the environment.
 * @throws Error if it was revoked
 */
export async function signingKey(
  db: Database,
  ports: Pick<Ports, 'clock' | 'environment'>,
): Promise<SigningKey> {
  const [source] = ports.environment.letterKeys
  if (!source) throw new Error('LETTER_SIGNING_KEY contains no key.')
  const [{ kid, privateKey }, known] = [await pairOf(source), await publicKeys(db, ports)]
  const found = known.find(key => key.kid === kid)
  if (!found || found.revoked) throw new Error('The first key of LETTER_SIGNING_KEY was revoked.')
  return { ...found, privateKey }
}
