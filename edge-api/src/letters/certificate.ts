import * as asn1 from 'asn1js'
import * as pkijs from 'pkijs'
import * as z from 'zod'
import { signData, toDer } from './ecdsa.ts'

const COMMON_NAME = '2.5.4.3'
const EXTENSION = {
  usage: '2.5.29.15',
  constraints: '2.5.29.19',
  extended: '2.5.29.37',
  subject: '2.5.29.14',
  authority: '2.5.29.35',
}
/** id-kp-documentSigning (RFC 9336), and id-kp-emailProtection, without which OpenSSL's CMS and NSS refuse the signer. */
const PURPOSES = ['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4']
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const DAY = 24 * 60 * 60 * 1000
const YEARS = 25 * 365 * DAY

const keyShape = z.object({ crv: z.string(), x: z.string(), y: z.string() })

/** Most characters that X.520 allows in a common name. */
const NAME_LENGTH = 64

const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
  new pkijs.Extension({ extnID, critical, extnValue: value.toBER(), parsedValue: value })

/** A certificate's times have four digits for the year at most. */
const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59Z')

/** Whole seconds; UTCTime from 1950 to 2049, where its two digits for the year lie, else GeneralizedTime (RFC 5280, 4.1.2.5). */
function timeOf(at: number): pkijs.Time {
  const value = new Date(Math.floor(Math.min(Math.max(at, FIRST), LAST) / 1000) * 1000)
  const year = value.getUTCFullYear()
  const type = year >= 1950 && year < 2050 ? pkijs.TimeType.UTCTime : pkijs.TimeType.GeneralizedTime
  return new pkijs.Time({ type, value })
}

/**
 * A self-signed X.509 certificate for a key that signs letters, as PDF signatures need one.
 * @param at when the key was first used, in milliseconds
 * @returns DER
 */
export async function makeCertificate({
  privateKey,
  publicKey,
  institution,
  at,
}: {
  privateKey: CryptoKey
  publicKey: CryptoKey
  institution: string
  at: number
}): Promise<Uint8Array<ArrayBuffer>> {
  const certificate = new pkijs.Certificate({ version: 2 })
  // Positive, and random enough that no two are alike (RFC 5280, 4.1.2.2).
  const serial = crypto.getRandomValues(new Uint8Array(16))
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  certificate.serialNumber = new asn1.Integer({ valueHex: serial.buffer })
  const name = Array.from(institution).slice(0, NAME_LENGTH).join('')
  for (const side of [certificate.issuer, certificate.subject]) {
    // One name alone: the library would put several into one set, and not in the order that DER asks for.
    const value = new asn1.Utf8String({ value: name })
    side.typesAndValues.push(new pkijs.AttributeTypeAndValue({ type: COMMON_NAME, value }))
  }
  certificate.notBefore = timeOf(at - DAY)
  certificate.notAfter = timeOf(at + YEARS)
  await certificate.subjectPublicKeyInfo.importKey(publicKey)
  const spki = certificate.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView
  const hash = await crypto.subtle.digest('SHA-256', Uint8Array.from(spki))
  // RFC 7093, method 1.
  const keyIdentifier = new asn1.OctetString({ valueHex: hash.slice(0, 20) })
  certificate.extensions = [
    extension(EXTENSION.constraints, true, new pkijs.BasicConstraints({ cA: false }).toSchema()),
    // digitalSignature and nonRepudiation.
    extension(
      EXTENSION.usage,
      true,
      new asn1.BitString({ valueHex: Uint8Array.of(0xc0).buffer, unusedBits: 6 }),
    ),
    extension(EXTENSION.extended, false, new pkijs.ExtKeyUsage({ keyPurposes: PURPOSES }).toSchema()),
    extension(EXTENSION.subject, false, keyIdentifier),
    extension(EXTENSION.authority, false, new pkijs.AuthorityKeyIdentifier({ keyIdentifier }).toSchema()),
  ]
  const algorithm = new pkijs.AlgorithmIdentifier({ algorithmId: ECDSA_WITH_SHA256 })
  certificate.signature = algorithm
  certificate.signatureAlgorithm = algorithm
  const signed = new Uint8Array(certificate.encodeTBS().toBER())
  const signature = toDer(await signData(privateKey, signed))
  certificate.signatureValue = new asn1.BitString({ valueHex: signature })
  return new Uint8Array(certificate.toSchema(true).toBER())
}

export interface ReadCertificate {
  /** Its public key's coordinates, in base64url as in a JWK. */
  x: string
  y: string
  /** Milliseconds. */
  notBefore: number
  notAfter: number
}

/** What a certificate says of its key. @param der one of a key on P-256 @throws Error for any other */
export function readCertificate(der: Uint8Array<ArrayBuffer>): ReadCertificate {
  const { subjectPublicKeyInfo, notBefore, notAfter } = pkijs.Certificate.fromBER(der)
  const { crv, x, y } = keyShape.parse(subjectPublicKeyInfo.toJSON())
  if (crv !== 'P-256') throw new Error('The certificate is for a key on another curve.')
  return { x, y, notBefore: notBefore.value.getTime(), notAfter: notAfter.value.getTime() }
}
