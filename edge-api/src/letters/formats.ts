import { type VerificationTemplate, verificationTemplate } from '@portal/contract/letter'
import { verifiedCertificate } from '@portal/contract/shapes'
import { buildLetterPdf, sealPdf, signedBytes } from '@portal/letter/pdf'
import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { findImage } from '../settings/image-store.ts'
import { imageHashOf } from '../settings/images.ts'
import { toRuleColour } from '../settings/letterhead.ts'
import { readSettings } from '../settings/store.ts'
import { encodeDetached, signDetached } from './cms.ts'
import { buildCredential, type CredentialInput, signCredential, signOpenBadge } from './credential.ts'
import { readSigningKey, type SigningKey } from './keys.ts'
import { buildOpenBadge, toJwtClaims } from './open-badge.ts'
import { toLetterLink } from './rules.ts'
import { buildStatusEntries } from './status-list.ts'
import { ensureStatusIndex } from './status-store.ts'
import type { FoundLetter } from './store.ts'

/*
 * The letter as a file in several formats, generated on request from the data that was stored when it was issued. The
 * files are not stored.
 */

interface Context {
  db: Database
  ports: Pick<Ports, 'clock' | 'environment' | 'timestamp'>
}

/** Data that all letters of one request share. */
export interface SigningData {
  key: SigningKey
  /** The institution's colour for the rules (lines) in the letter, if it has chosen one. */
  rule: string | undefined
}

/** Reads the data that all letters of a request share. */
export async function readSigningData({ db, ports }: Context): Promise<SigningData> {
  const [{ institution }, key] = await Promise.all([readSettings(db.read), readSigningKey(db, ports)])
  return { key, rule: toRuleColour(institution.accent) }
}

/** Collects the data that every kind of credential for a letter is created from. */
async function readCredentialInput({ db, ports }: Context, found: FoundLetter): Promise<CredentialInput> {
  const { letter, certificateNumber } = found
  return {
    code: letter.code,
    certificateId: letter.certificateId,
    certificateNumber,
    graduationDate: verifiedCertificate.safeParse(letter.snapshot).data?.graduation_date,
    template: verificationTemplate.parse(letter.template),
    issuedAt: letter.issuedAt,
    status: buildStatusEntries(await ensureStatusIndex(db, letter), ports.environment.PUBLIC_URL),
  }
}

/** Returns the letter as a signed credential. */
export async function createLetterCredential(
  context: Context,
  found: FoundLetter,
  key?: SigningKey,
): Promise<string> {
  const { db, ports } = context
  const { PUBLIC_URL } = ports.environment
  const credential = buildCredential(await readCredentialInput(context, found), PUBLIC_URL)
  return await signCredential(credential, key ?? (await readSigningKey(db, ports)), PUBLIC_URL)
}

/** Returns the letter as a signed Open Badge. */
export async function createLetterBadge(context: Context, found: FoundLetter): Promise<string> {
  const { db, ports } = context
  const { PUBLIC_URL } = ports.environment
  const badge = await buildOpenBadge(await readCredentialInput(context, found), PUBLIC_URL)
  return await signOpenBadge({ ...toJwtClaims(badge), ...badge }, await readSigningKey(db, ports), PUBLIC_URL)
}

/** Returns the image at the address in a letter, or null if there is no address or it is not an image of this portal. */
async function findImageAt(db: Database, address: string | null) {
  const hash = address === null ? undefined : imageHashOf(address)
  const found = hash && (await findImage(db.read, { hash }))
  return found ? { ...found, hash } : null
}

async function readImages(db: Database, { assets, signature }: VerificationTemplate) {
  const [logo, signatureImage, stamp] = await Promise.all(
    [assets.logo, signature.signature_image, signature.stamp_image].map(address => findImageAt(db, address)),
  )
  return { logo: logo ?? null, signature: signatureImage ?? null, stamp: stamp ?? null }
}

/** Returns the data for printing a letter, with its current status, in the evidence for a dispute. */
export async function readLetterForEvidence(context: Context, found: FoundLetter) {
  const { db, ports } = context
  const template = verificationTemplate.parse(found.letter.template)
  const { institution } = await readSettings(db.read)
  const rule = toRuleColour(institution.accent)
  return {
    template,
    letter: toLetterLink(found, ports.environment.PUBLIC_URL),
    ...(rule && { rule }),
    images: await readImages(db, template),
  }
}

/** Returns the letter as a signed PDF that contains its credential. */
export async function createSignedPdf(
  context: Context,
  found: FoundLetter,
  signingData?: SigningData,
): Promise<Uint8Array<ArrayBuffer>> {
  const { db, ports } = context
  const template = verificationTemplate.parse(found.letter.template)
  const { key, rule } = signingData ?? (await readSigningData(context))
  const unsigned = await buildLetterPdf({
    template,
    letter: toLetterLink(found, ports.environment.PUBLIC_URL),
    issuedAt: new Date(found.letter.issuedAt),
    ...(rule && { rule }),
    images: await readImages(db, template),
    credential: await createLetterCredential(context, found, key),
    signedAt: new Date(ports.clock.now()),
    timestamped: ports.timestamp !== undefined,
  })
  const signature = await signDetached(signedBytes(unsigned), key, ports.timestamp)
  return sealPdf(unsigned, await encodeDetached(signature))
}
