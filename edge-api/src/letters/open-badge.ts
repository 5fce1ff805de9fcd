import { sha256Hex } from '../digest.ts'
import { iso } from '../wire.ts'
import { badgeAddress } from './badge-address.ts'
import type { CredentialInput } from './credential.ts'
import { didOf } from './did.ts'

/*
 * The letter's facts as an Open Badges 3.0 credential (1EdTech), for software that only reads that standard. Terms come from
 * its context, never from ours: https://www.imsglobal.org/spec/ob/v3p0
 */

const CONTEXTS = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
]

/** A UUID (version 8) derived from a name: the same for the same name. */
async function uuidOf(name: string): Promise<string> {
  const hex = sha256Hex(name)
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The letter as an `OpenBadgeCredential`, before it is signed. */
export async function openBadgeOf(
  { code, certificateId, certificateNumber, graduationDate, template, issuedAt, status }: CredentialInput,
  publicUrl: string,
) {
  const { header, subject, content } = template
  const { name, degree, class: grade } = content.certificate_details
  const issuer = didOf(publicUrl)
  return {
    '@context': CONTEXTS,
    id: badgeAddress(publicUrl, code),
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    issuer: { id: issuer, type: ['Profile'], name: header.institution, url: publicUrl },
    name: degree,
    description: subject,
    // Must equal the claim `nbf`, which is in seconds.
    validFrom: iso(Math.floor(issuedAt / 1000) * 1000),
    ...(graduationDate !== undefined && { awardedDate: `${graduationDate}T00:00:00Z` }),
    // The standard's schema allows one entry: the first, revocation, is final.
    ...(status[0] && { credentialStatus: status[0] }),
    credentialSubject: {
      // The graduate, whom we know only through the certificate. This must differ from the identifier of the
      // certificate itself.
      id: await uuidOf(`graduate of ${certificateId}`),
      type: ['AchievementSubject'],
      identifier: [{ type: 'IdentityObject', hashed: false, identityHash: name, identityType: 'ext:name' }],
      licenseNumber: certificateNumber,
      result: [{ type: ['Result'], value: grade }],
      achievement: {
        id: await uuidOf(`achievement ${degree} of ${issuer}`),
        type: ['Achievement'],
        name: degree,
        description: `${degree}, awarded by ${header.institution}.`,
        criteria: { narrative: `The requirements of ${header.institution} for this award.` },
      },
    },
  }
}

/** Additional claims that the standard requires of a JWT; they must match the credential's own members. */
export const claimsOf = ({
  id,
  issuer,
  validFrom,
  credentialSubject,
}: Awaited<ReturnType<typeof openBadgeOf>>) => ({
  iss: issuer.id,
  jti: id,
  sub: credentialSubject.id,
  nbf: Date.parse(validFrom) / 1000,
})
