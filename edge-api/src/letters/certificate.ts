import * as asn1 from 'asn1js'
import * as pkijs from 'pkijs'

const COMMON_NAME = '2.5.4.3'
const EXTENSION = {
  usage: '2.5.29.15',
  constraints: '2.5.29.19',
  extended: '2.5.29.37',
  subject: '2.5.29.14',
}
/** id-kp-documentSigning (RFC 9336). */
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36'
const DAY = 24 * 60 * 60 * 1000
const YEARS = 25 * 365 * DAY

/** Most characters that X.520 allows in a common name. */
const NAME_LENGTH = 64

const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
  new pkijs.Extension({ extnID, critical, extnValue: value.toBER(), parsedValue: value })

/** UTCTime has two digits for the year, so from 2050 on GeneralizedTime is the rule (RFC 5280, 4.1.2.5). */
function timeOf(at: number): pkijs.Time {
  const value = new Date(at)
  const type = value.getUTCFullYear() < 2050 ? pkijs.TimeType.UTCTime : pkijs.TimeType.GeneralizedTime
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
  const identifier = await crypto.subtle.digest('SHA-256', Uint8Array.from(spki))
  certificate.extensions = [
    extension(EXTENSION.constraints, true, new pkijs.BasicConstraints({ cA: false }).toSchema()),
    // digitalSignature and nonRepudiation.
    extension(
      EXTENSION.usage,
      true,
      new asn1.BitString({ valueHex: Uint8Array.of(0xc0).buffer, unusedBits: 6 }),
    ),
    extension(
      EXTENSION.extended,
      false,
      new pkijs.ExtKeyUsage({ keyPurposes: [DOCUMENT_SIGNING] }).toSchema(),
    ),
    extension(EXTENSION.subject, false, new asn1.OctetString({ valueHex: identifier.slice(0, 20) })),
  ]
  await certificate.sign(privateKey, 'SHA-256')
  return new Uint8Array(certificate.toSchema(true).toBER())
}
