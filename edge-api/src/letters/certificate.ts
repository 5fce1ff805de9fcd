import * as asn1 from 'asn1js'
import * as pkijs from 'pkijs'
import * as z from 'zod'
import { fromDer, P256, signData, toDer, verifyData } from './ecdsa.ts'

const COMMON_NAME = '2.5.4.3'
const EXTENSION = {
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
}
/**
 * Extended key usages: id-kp-documentSigning (RFC 9336), and id-kp-emailProtection, without which OpenSSL's CMS and NSS reject
 * the signer.
 */
const PURPOSES = ['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4']
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const DAY = 24 * 60 * 60 * 1000
const VALIDITY_MS = 25 * 365 * DAY

type Bytes = Uint8Array<ArrayBuffer>

const keyShape = z.object({ crv: z.string(), x: z.string(), y: z.string() })

/** Maximum length of a common name according to X.520. */
const NAME_LENGTH = 64

const createExtension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
  new pkijs.Extension({ extnID, critical, extnValue: value.toBER(), parsedValue: value })

/**
 * The first and last time that a certificate can express, because years have four digits. The last one means "no well-defined
 * expiry".
 */
const EARLIEST_TIME = Date.parse('0000-01-01T00:00:00Z')
const LATEST_TIME = Date.parse('9999-12-31T23:59:59Z')

/**
 * Returns a time in whole seconds: as UTCTime from 1950 to 2049, the range of its two-digit years, and otherwise as
 * GeneralizedTime (RFC 5280, 4.1.2.5).
 */
function toAsn1Time(at: number): pkijs.Time {
  const value = new Date(Math.floor(Math.min(Math.max(at, EARLIEST_TIME), LATEST_TIME) / 1000) * 1000)
  const year = value.getUTCFullYear()
  const type = year >= 1950 && year < 2050 ? pkijs.TimeType.UTCTime : pkijs.TimeType.GeneralizedTime
  return new pkijs.Time({ type, value })
}

const CA_SUFFIX = ' Letters CA'

/** Returns the institution's name, shortened so that it fits into a common name together with a suffix of this length. */
const shortenName = (institution: string, suffixLength = 0) =>
  Array.from(institution)
    .slice(0, NAME_LENGTH - suffixLength)
    .join('')

/**
 * Returns a distinguished name with a single attribute: the library would put several into one set, in an order that violates
 * DER.
 */
function toDistinguishedName(text: string): pkijs.RelativeDistinguishedNames {
  const value = new asn1.Utf8String({ value: text })
  return new pkijs.RelativeDistinguishedNames({
    typesAndValues: [new pkijs.AttributeTypeAndValue({ type: COMMON_NAME, value })],
  })
}

/** Returns the identifier of a key (RFC 7093, method 1). */
async function identifierOf({ subjectPublicKey }: pkijs.PublicKeyInfo): Promise<ArrayBuffer> {
  const key = Uint8Array.from(subjectPublicKey.valueBlock.valueHexView)
  return (await crypto.subtle.digest('SHA-256', key)).slice(0, 20)
}

/** The issuer of a certificate. */
interface Issuer {
  privateKey: CryptoKey
  certificate: pkijs.Certificate
}

interface CertificateContent {
  publicKey: CryptoKey
  name: string
  notBefore: number
  notAfter: number
  /** Allowed usages of the key, as the bits of `keyUsage`. */
  usage: { bits: number; unused: number }
  constraints: pkijs.BasicConstraints
}

/** Issues a certificate. @param issuer for a self-signed certificate, the key itself @returns DER */
async function issue(content: CertificateContent, issuer: CryptoKey | Issuer): Promise<Bytes> {
  const certificate = new pkijs.Certificate({ version: 2 })
  // A positive number, with enough random bits to be unique (RFC 5280, 4.1.2.2).
  const serial = crypto.getRandomValues(new Uint8Array(16))
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  certificate.serialNumber = new asn1.Integer({ valueHex: serial.buffer })
  certificate.subject = toDistinguishedName(content.name)
  certificate.notBefore = toAsn1Time(content.notBefore)
  certificate.notAfter = toAsn1Time(content.notAfter)
  await certificate.subjectPublicKeyInfo.importKey(content.publicKey)
  const issuedBy = 'certificate' in issuer ? issuer : { privateKey: issuer, certificate }
  certificate.issuer = issuedBy.certificate.subject
  const subjectIdentifier = new asn1.OctetString({
    valueHex: await identifierOf(certificate.subjectPublicKeyInfo),
  })
  const keyIdentifier = new asn1.OctetString({
    valueHex: await identifierOf(issuedBy.certificate.subjectPublicKeyInfo),
  })
  const usage = new asn1.BitString({
    valueHex: Uint8Array.of(content.usage.bits).buffer,
    unusedBits: content.usage.unused,
  })
  certificate.extensions = [
    createExtension(EXTENSION.basicConstraints, true, content.constraints.toSchema()),
    createExtension(EXTENSION.keyUsage, true, usage),
    createExtension(
      EXTENSION.extendedKeyUsage,
      false,
      new pkijs.ExtKeyUsage({ keyPurposes: PURPOSES }).toSchema(),
    ),
    createExtension(EXTENSION.subjectKeyIdentifier, false, subjectIdentifier),
    createExtension(
      EXTENSION.authorityKeyIdentifier,
      false,
      new pkijs.AuthorityKeyIdentifier({ keyIdentifier }).toSchema(),
    ),
  ]
  const algorithm = new pkijs.AlgorithmIdentifier({ algorithmId: ECDSA_WITH_SHA256 })
  certificate.signature = algorithm
  certificate.signatureAlgorithm = algorithm
  const signature = toDer(
    await signData(issuedBy.privateKey, new Uint8Array(certificate.encodeTBS().toBER())),
  )
  certificate.signatureValue = new asn1.BitString({ valueHex: signature })
  return new Uint8Array(certificate.toSchema(true).toBER())
}

/**
 * Creates the X.509 certificate of an institution's CA for letters, which readers of letters install as a trust anchor. Its
 * extended key usages restrict the certificates that it can issue, so that they cannot be used for websites.
 * @param at when the key was created, in milliseconds since 1970
 * @returns DER
 */
export const makeAuthorityCertificate = ({
  privateKey,
  publicKey,
  institution,
  at,
}: {
  privateKey: CryptoKey
  publicKey: CryptoKey
  institution: string
  at: number
}): Promise<Bytes> =>
  issue(
    {
      publicKey,
      name: shortenName(institution, CA_SUFFIX.length) + CA_SUFFIX,
      notBefore: at - DAY,
      notAfter: LATEST_TIME,
      // keyCertSign.
      usage: { bits: 0x04, unused: 2 },
      constraints: new pkijs.BasicConstraints({ cA: true, pathLenConstraint: 0 }),
    },
    privateKey,
  )

/**
 * Creates an X.509 certificate for a key that signs letters, as PDF signatures require.
 * @param at when the key was first used, in milliseconds since 1970
 * @returns DER
 */
export function makeCertificate({
  publicKey,
  institution,
  at,
  authority,
}: {
  publicKey: CryptoKey
  institution: string
  at: number
  /** The CA's private key, and its certificate in DER. */
  authority: { privateKey: CryptoKey; certificate: Bytes }
}): Promise<Bytes> {
  const { privateKey } = authority
  return issue(
    {
      publicKey,
      name: shortenName(institution),
      notBefore: at - DAY,
      notAfter: at + VALIDITY_MS,
      // digitalSignature and nonRepudiation.
      usage: { bits: 0xc0, unused: 6 },
      constraints: new pkijs.BasicConstraints({ cA: false }),
    },
    { privateKey, certificate: pkijs.Certificate.fromBER(authority.certificate) },
  )
}

/** True for a time in the form that RFC 5280 requires, because PDF readers reject other forms. */
function isCanonicalTime({ type, value }: pkijs.Time): boolean {
  const normalised = toAsn1Time(value.getTime())
  return type === normalised.type && value.getTime() === normalised.value.getTime()
}

/** True if the CA issued the certificate, and PDF readers accept it. Both certificates are in DER. */
export async function isIssuedBy(der: Bytes, authority: Bytes): Promise<boolean> {
  try {
    const certificate = pkijs.Certificate.fromBER(der)
    const issuer = pkijs.Certificate.fromBER(authority)
    const signature = fromDer(certificate.signatureValue.valueBlock.valueHexView.slice().buffer)
    if (!signature || !certificate.issuer.isEqual(issuer.subject)) return false
    if (!isCanonicalTime(certificate.notBefore) || !isCanonicalTime(certificate.notAfter)) return false
    const key = await crypto.subtle.importKey(
      'jwk',
      keyShape.extend({ kty: z.string() }).parse(issuer.subjectPublicKeyInfo.toJSON()),
      P256,
      false,
      ['verify'],
    )
    return await verifyData(key, signature, Uint8Array.from(certificate.tbsView))
  } catch {
    return false
  }
}

export interface ParsedCertificate {
  /** The public key's coordinates, in base64url as in a JWK. */
  x: string
  y: string
  /** Start of the validity, in milliseconds since 1970. */
  notBefore: number
  notAfter: number
}

/** Reads the public key and the validity period of a certificate in DER. @throws Error unless the key is on P-256 */
export function readCertificate(der: Uint8Array<ArrayBuffer>): ParsedCertificate {
  const { subjectPublicKeyInfo, notBefore, notAfter } = pkijs.Certificate.fromBER(der)
  const { crv, x, y } = keyShape.parse(subjectPublicKeyInfo.toJSON())
  if (crv !== 'P-256') throw new Error('The certificate is for a key on another curve.')
  return { x, y, notBefore: notBefore.value.getTime(), notAfter: notAfter.value.getTime() }
}
