import type { VerificationTemplate } from '@portal/contract/letter'
import { base64url, type CompactJWSHeaderParameters, CompactSign, compactVerify } from 'jose'
import * as z from 'zod'
import { decodeBase64url } from '../base64url.ts'
import { iso } from '../wire.ts'
import { codeOfBadge } from './badge-address.ts'
import { didOf, keyIdOf } from './did.ts'
import { hasLowS, toLowS } from './ecdsa.ts'
import { importPublicKey } from './key-pairs.ts'
import type { PublicLetterKey, SigningKey } from './keys.ts'
import { buildEmbeddedContext } from './vocabulary.ts'

/*
 * The letter as a W3C verifiable credential (VC 2.0), secured as a JWT (VC-JOSE-COSE). It has the letter's content, in a form
 * that programs can verify without a request to the portal.
 */

export const CREDENTIAL_TYPE = 'application/vc+jwt'
const CONTEXT = 'https://www.w3.org/ns/credentials/v2'
const OWN_TYPE = 'CertificateVerificationLetter'

/** The data that a credential is created from. */
export interface CredentialInput {
  code: string
  certificateId: string
  certificateNumber: string
  /** `YYYY-MM-DD`. */
  graduationDate: string | undefined
  template: VerificationTemplate
  issuedAt: number
  /** The letter's entries in the status lists. */
  status: readonly object[]
}

/** Returns the letter as an unsigned credential, in which every fact is worded as in the letter. */
export function buildCredential(
  { code, certificateId, certificateNumber, graduationDate, template, issuedAt, status }: CredentialInput,
  publicUrl: string,
) {
  const { header, recipient, subject, content, signature } = template
  const { name, degree, class: grade, date } = content.certificate_details
  return {
    '@context': [CONTEXT, buildEmbeddedContext(publicUrl)],
    id: `${publicUrl}/letters/${code}`,
    type: ['VerifiableCredential', OWN_TYPE],
    issuer: { id: didOf(publicUrl), name: header.institution },
    name: `Verification letter ${header.ref_number}`,
    description: subject,
    validFrom: iso(issuedAt),
    credentialStatus: status,
    credentialSubject: {
      // A random ID, the same in every letter about this certificate.
      id: `urn:uuid:${certificateId}`,
      type: 'AwardedCertificate',
      certificateNumber,
      name,
      degree,
      class: grade,
      date,
      ...(graduationDate !== undefined && { graduationDate }),
      letter: {
        code,
        referenceNumber: header.ref_number,
        date: header.date,
        issuedAt: iso(issuedAt),
        institution: header.institution,
        institutionAddress: header.address,
        recipient: { company: recipient.company, address: recipient.address },
        opening: content.opening,
        closing: content.closing,
        thanks: content.thanks,
        signatory: {
          name: signature.name,
          title: signature.title,
          for: signature.for,
          email: signature.email,
        },
      },
    },
  }
}

/** Signs a credential with ES256. @returns a compact JWT */
export async function signCredential(
  credential: object,
  key: SigningKey,
  publicUrl: string,
): Promise<string> {
  const kid = keyIdOf(publicUrl, key.kid)
  return await signJwt(
    { iss: didOf(publicUrl), ...credential },
    { alg: 'ES256', typ: 'vc+jwt', cty: 'vc', kid },
    key,
  )
}

/** Signs an Open Badge, with the only headers that its standard allows. @returns a compact JWT */
export const signOpenBadge = (badge: object, key: SigningKey, publicUrl: string): Promise<string> =>
  signJwt(badge, { alg: 'ES256', typ: 'JWT', kid: keyIdOf(publicUrl, key.kid) }, key)

async function signJwt(
  payload: object,
  header: CompactJWSHeaderParameters,
  { privateKey }: SigningKey,
): Promise<string> {
  const token = await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader(header)
    .sign(privateKey)
  const signatureStart = token.lastIndexOf('.') + 1
  return (
    token.slice(0, signatureStart) + base64url.encode(toLowS(base64url.decode(token.slice(signatureStart))))
  )
}

const headerShape = z.strictObject({
  alg: z.string(),
  typ: z.string().optional(),
  cty: z.string().optional(),
  kid: z.string().optional(),
})

const timeShape = z.iso.datetime({ offset: true })
const payloadShapeOf = (type: string) =>
  z.looseObject({
    '@context': z.array(z.unknown()).refine(([first]) => first === CONTEXT),
    id: z.string(),
    type: z.array(z.string()).refine(types => types.includes('VerifiableCredential') && types.includes(type)),
    iss: z.string(),
    issuer: z.looseObject({ id: z.string(), name: z.string() }),
    validFrom: timeShape,
    validUntil: timeShape.optional(),
    exp: z.number().optional(),
    nbf: z.number().optional(),
  })
const letterShape = payloadShapeOf(OWN_TYPE).extend({
  credentialSubject: z.looseObject({ letter: z.looseObject({ code: z.string() }) }),
})
const badgeShape = payloadShapeOf('OpenBadgeCredential')

/**
 * Parses the payload of a credential, and returns the code of its letter. The header's `typ` determines which kind of
 * credential it must be.
 */
function parsePayload(typ: string | undefined, payload: unknown, publicUrl: string) {
  if (typ === 'JWT') {
    const badge = badgeShape.safeParse(payload).data
    const code = badge && codeOfBadge(publicUrl, badge.id)
    return badge && code !== undefined ? { ...badge, code } : undefined
  }
  const letterPayload = typ === 'vc+jwt' ? letterShape.safeParse(payload).data : undefined
  return letterPayload && { ...letterPayload, code: letterPayload.credentialSubject.letter.code }
}

export type CredentialFault =
  /** Not a JWT in its canonical form, or not a credential. */
  | 'malformed'
  /** The algorithm is `none`, or not the one that we use. */
  | 'algorithm'
  /** Not signed by a key of the institution. */
  | 'unknown_key'
  | 'revoked_key'
  /** Names a key of the institution, but was not signed with it. */
  | 'signature'
  | 'issuer'
  | 'not_yet_valid'
  | 'expired'

export type CredentialCheck =
  | { ok: true; code: string; key: PublicLetterKey; issuer: string }
  | { ok: false; fault: CredentialFault; key?: PublicLetterKey }

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes && JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * Checks a credential alone: its format, its signer and its validity period. Whether the letter is still valid can only be
 * found out from the register or a status list.
 * @param now milliseconds since 1970
 */
export async function checkCredential(
  token: string,
  { keys, publicUrl, now }: { keys: readonly PublicLetterKey[]; publicUrl: string; now: number },
): Promise<CredentialCheck> {
  const segments = token.split('.')
  const [header, payload, signature] = segments.map(decodeBase64url)
  if (segments.length !== 3 || !header || !payload || !signature) return { ok: false, fault: 'malformed' }
  const parsedHeader = headerShape.safeParse(parseJson(header))
  // Rejects unknown headers, which may change the meaning of a signature (`crit`, `b64`) or contain a key (`jwk`).
  if (!parsedHeader.success) return { ok: false, fault: 'malformed' }
  if (parsedHeader.data.alg !== 'ES256' || signature.length !== 64) return { ok: false, fault: 'algorithm' }
  const { typ } = parsedHeader.data
  if (typ !== 'vc+jwt' && typ !== 'JWT') return { ok: false, fault: 'malformed' }
  const key = keys.find(item => keyIdOf(publicUrl, item.kid) === parsedHeader.data.kid)
  if (!key) return { ok: false, fault: 'unknown_key' }
  if (key.revoked) return { ok: false, fault: 'revoked_key', key }
  const isSigned = await compactVerify(token, await importPublicKey(key.jwk), { algorithms: ['ES256'] }).then(
    () => true,
    () => false,
  )
  if (!isSigned || !hasLowS(signature)) return { ok: false, fault: 'signature', key }
  return checkPayload(parsePayload(typ, parseJson(payload), publicUrl), key, { publicUrl, now })
}

function checkPayload(
  payload: ReturnType<typeof parsePayload>,
  key: PublicLetterKey,
  { publicUrl, now }: { publicUrl: string; now: number },
): CredentialCheck {
  if (!payload) return { ok: false, fault: 'malformed', key }
  const { iss, issuer, validFrom, validUntil, exp, nbf, code } = payload
  const did = didOf(publicUrl)
  if (iss !== did || issuer.id !== did) return { ok: false, fault: 'issuer', key }
  if (Date.parse(validFrom) > now || (nbf ?? 0) * 1000 > now)
    return { ok: false, fault: 'not_yet_valid', key }
  const expiresAt = Math.min(
    validUntil === undefined ? Number.POSITIVE_INFINITY : Date.parse(validUntil),
    exp === undefined ? Number.POSITIVE_INFINITY : exp * 1000,
  )
  if (expiresAt <= now) return { ok: false, fault: 'expired', key }
  return { ok: true, code, key, issuer: issuer.name }
}
