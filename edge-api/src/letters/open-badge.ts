import { sha256Hex } from '../digest.ts'
import { iso } from '../wire.ts'
import { badgeAddress } from './badge-address.ts'
import type { CredentialInput } from './credential.ts'
import { didOf } from './did.ts'

/*
 * The facts of a letter as an Open Badges 3.0 credential (1EdTech), for software that reads only that standard. It uses only
 * terms from the standard's context, and none of our own: https://www.imsglobal.org/spec/ob/v3p0
 */

const CONTEXTS = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
]

/** Returns a UUID (version 8) that is derived from a name, so that the same name always has the same UUID. */
async function deriveUuid(name: string): Promise<string> {
  const hex = sha256Hex(name)
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns the letter as an unsigned `OpenBadgeCredential`. */
export async function buildOpenBadge(
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
    // In whole seconds, because it must equal the claim `nbf`.
    validFrom: iso(Math.floor(issuedAt / 1000) * 1000),
    ...(graduationDate !== undefined && { awardedDate: `${graduationDate}T00:00:00Z` }),
    // The standard's schema allows only one entry. This one is for revocation, which is final.
    ...(status[0] && { credentialStatus: status[0] }),
    credentialSubject: {
      // Identifies the graduate, about whom only the certificate is known. Must differ from the identifier of the certificate.
      id: await deriveUuid(`graduate of ${certificateId}`),
      type: ['AchievementSubject'],
      identifier: [{ type: 'IdentityObject', hashed: false, identityHash: name, identityType: 'ext:name' }],
      licenseNumber: certificateNumber,
      result: [{ type: ['Result'], value: grade }],
      achievement: {
        id: await deriveUuid(`achievement ${degree} of ${issuer}`),
        type: ['Achievement'],
        name: degree,
        description: `${degree}, awarded by ${header.institution}.`,
        criteria: { narrative: `The requirements of ${header.institution} for this award.` },
      },
    },
  }
}

/** Returns the additional claims that the standard requires of a JWT; they must match the credential's own members. */
export const toJwtClaims = ({
  id,
  issuer,
  validFrom,
  credentialSubject,
}: Awaited<ReturnType<typeof buildOpenBadge>>) => ({
  iss: issuer.id,
  jti: id,
  sub: credentialSubject.id,
  nbf: Date.parse(validFrom) / 1000,
})
