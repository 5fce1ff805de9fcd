import { calculateJwkThumbprint } from 'jose'
import * as z from 'zod'
import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { seal, unseal } from '../sealing.ts'
import { readSettings } from '../settings/store.ts'
import {
  type AuthorityRow,
  insertAuthority,
  listAuthorities,
  resealAuthority,
  retireAuthority,
} from './authority-store.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { makeAuthorityCertificate } from './certificate.ts'
import { P256 } from './ecdsa.ts'
import { publicJwkShape } from './key-pairs.ts'

/*
 * The institution's own CA. It issues the certificates of the keys that sign letters: someone who trusts the CA need not do
 * anything when a key changes (decision 067).
 */

const PURPOSE = 'letter authority'
const privateJwkShape = publicJwkShape.extend({ d: z.string() })

type CaPorts = Pick<Ports, 'clock' | 'environment'>

/** The public part of a CA. */
export interface Authority {
  kid: string
  /** X.509 certificate of the CA, in DER. */
  certificate: Uint8Array<ArrayBuffer>
  /** True if another CA has replaced this one. */
  isRetired: boolean
}

/** A CA that can issue certificates. */
export interface IssuingAuthority extends Authority {
  privateKey: CryptoKey
}

const isCurrent = ({ retiredAt }: AuthorityRow) => retiredAt === null

const toAuthority = ({ kid, certificate, retiredAt }: AuthorityRow): Authority => ({
  kid,
  certificate: fromBase64(certificate),
  isRetired: retiredAt !== null,
})

/** Returns all CAs that there have ever been, newest first. Re-encrypts the current CA's key if the secrets have changed. */
export async function loadAuthorities(db: Database, ports: CaPorts): Promise<Authority[]> {
  const rows = await listAuthorities(db.read)
  const current = rows.find(isCurrent)
  if (current) await resealIfSecretChanged(db, current, ports)
  return rows.map(toAuthority)
}

/** Re-encrypts a CA's key if the secrets have changed, so that the previous secret can be removed. */
async function resealIfSecretChanged(
  db: Database,
  row: AuthorityRow,
  { environment }: CaPorts,
): Promise<void> {
  const [currentSecret, ...previousSecrets] = environment.JWT_SECRETS
  if (previousSecrets.length === 0 || (await decryptJwk(row, [currentSecret]))) return
  const jwk = await decryptJwk(row, previousSecrets)
  if (!jwk) return
  const sealedKey = await seal(jwk, [currentSecret], PURPOSE)
  await db.write(tx => resealAuthority(tx, row, sealedKey))
}

async function createAuthority(db: Database, { clock, environment }: CaPorts): Promise<AuthorityRow> {
  const pair = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const jwk = privateJwkShape.parse(await crypto.subtle.exportKey('jwk', pair.privateKey))
  const { institution } = await readSettings(db.read)
  const at = clock.now()
  const certificate = await makeAuthorityCertificate({ ...pair, institution: institution.name, at })
  return {
    kid: await calculateJwkThumbprint(jwk),
    certificate: toBase64(certificate),
    sealedKey: await seal(jwk, environment.JWT_SECRETS, PURPOSE),
    createdAt: at,
    retiredAt: null,
  }
}

/** Decrypts the private key of a CA. @returns undefined if it was encrypted with none of these secrets */
async function decryptJwk({ sealedKey }: AuthorityRow, secrets: readonly string[]) {
  try {
    return privateJwkShape.parse(await unseal(sealedKey, secrets, PURPOSE))
  } catch {
    return undefined
  }
}

async function decryptKey(row: AuthorityRow, { environment }: CaPorts): Promise<CryptoKey | undefined> {
  const jwk = await decryptJwk(row, environment.JWT_SECRETS)
  return jwk && (await crypto.subtle.importKey('jwk', jwk, P256, false, ['sign']))
}

/**
 * Returns the CA that issues certificates. Creates a new one if there is none, or if its key was encrypted with secrets that
 * are no longer configured.
 */
export async function ensureIssuingAuthority(db: Database, ports: CaPorts): Promise<IssuingAuthority> {
  const current = (await listAuthorities(db.read)).find(isCurrent)
  const currentKey = current && (await decryptKey(current, ports))
  if (current && currentKey) return { ...toAuthority(current), privateKey: currentKey }
  const newAuthority = await createAuthority(db, ports)
  const row = await db.write(async tx => {
    if (current) await retireAuthority(tx, { kid: current.kid, now: ports.clock.now() })
    return await insertAuthority(tx, newAuthority)
  })
  const privateKey = await decryptKey(row, ports)
  if (!privateKey) throw new Error('The key of the letter CA cannot be decrypted.')
  return { ...toAuthority(row), privateKey }
}
