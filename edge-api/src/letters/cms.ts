import * as asn1 from 'asn1js'
import * as pkijs from 'pkijs'
import type { Timestamp } from '../ports.ts'
import { fromDer, signData, toDer, verifyData } from './ecdsa.ts'

const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
  // Our own OIDs. They are below a UUID (ITU-T X.667), which needs no registration: decision 056.
  timestampPromised: '2.25.191324123582642330936806994311959128434.1',
  timestampSeal: '2.25.191324123582642330936806994311959128434.2',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
}

type Bytes = Uint8Array<ArrayBuffer>

/** The parts of a detached CMS signature, from which everything else in it can be derived. */
export interface DetachedSignature {
  /** The signer's certificate, in DER. */
  certificate: Bytes
  /** The certificate of the CA that issued it. Missing in letters signed before there was a CA. */
  issuer?: Bytes | undefined
  /** SHA-256 of the signed content. */
  digest: Bytes
  /** r and s, 32 bytes each. */
  signature: Bytes
  /** The timestamp, for a signature at PAdES level B-T. */
  timestamp?: {
    /** The service's token for the signature: a CMS signature in DER. */
    token: Bytes
    /** Our signature over the token, as r and s, which prevents replacing the token. */
    seal: Bytes
  }
}

/** The values that are known before signing. If `timestamp` is set, the signature will get a timestamp. */
type Unsigned = Pick<DetachedSignature, 'certificate' | 'issuer' | 'digest'> & { timestamp?: unknown }

const digest = async (bytes: Bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

const createAttribute = (type: string, value: unknown) => new pkijs.Attribute({ type, values: [value] })

/**
 * Returns the hashes of the signing certificates, the signer's first (RFC 5035). The hash algorithm is omitted, because SHA-256
 * is the default.
 */
async function buildSigningCertificates(chain: readonly Bytes[]) {
  const hashes = await Promise.all(chain.map(digest))
  const ids = hashes.map(
    hash => new asn1.Sequence({ value: [new asn1.OctetString({ valueHex: hash.buffer })] }),
  )
  return new asn1.Sequence({ value: [new asn1.Sequence({ value: ids })] })
}

/** Returns the certificate chain: the signer's certificate, followed by the issuer's if there is one. */
const chainOf = ({ certificate, issuer }: Pick<DetachedSignature, 'certificate' | 'issuer'>) =>
  issuer ? [certificate, issuer] : [certificate]

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

const berOf = (item: pkijs.Attribute) => new Uint8Array(item.toSchema().toBER())

/** Sorts attributes, because DER requires the members of a set to be sorted. */
const sortAttributes = (attributes: pkijs.Attribute[]) =>
  attributes.sort((a, b) => compareBytes(berOf(a), berOf(b)))

async function buildSignedAttributes({ digest: hash, timestamp, ...certificates }: Unsigned) {
  const attributes = sortAttributes([
    createAttribute(OID.contentType, new asn1.ObjectIdentifier({ value: OID.data })),
    createAttribute(OID.messageDigest, new asn1.OctetString({ valueHex: hash.buffer })),
    createAttribute(OID.signingCertificateV2, await buildSigningCertificates(chainOf(certificates))),
    ...(timestamp ? [createAttribute(OID.timestampPromised, new asn1.Null())] : []),
  ])
  return new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes })
}

/** Returns the bytes to sign: the attributes as a SET (RFC 5652, 5.4). */
function bytesToSign(attributes: pkijs.SignedAndUnsignedAttributes): Bytes {
  const bytes = new Uint8Array(attributes.toSchema().toBER())
  bytes[0] = 0x31
  return bytes
}

const SEAL = new TextEncoder().encode('portal letter timestamp\0')

/**
 * Returns the bytes that are signed to seal a timestamp. They begin with their purpose, so that they cannot be mistaken for
 * signed attributes, certificates or credentials.
 */
function bytesToSeal(signature: Bytes, token: Bytes): Bytes {
  const bytes = new Uint8Array(SEAL.length + signature.length + token.length)
  bytes.set(SEAL)
  bytes.set(signature, SEAL.length)
  bytes.set(token, SEAL.length + signature.length)
  return bytes
}

function buildUnsignedAttributes({ token, seal }: NonNullable<DetachedSignature['timestamp']>) {
  const attributes = sortAttributes([
    createAttribute(OID.timestampToken, asn1.fromBER(token).result),
    createAttribute(OID.timestampSeal, new asn1.OctetString({ valueHex: seal.buffer })),
  ])
  return new pkijs.SignedAndUnsignedAttributes({ type: 1, attributes })
}

const sha256Algorithm = () =>
  new pkijs.AlgorithmIdentifier({ algorithmId: OID.sha256, algorithmParams: new asn1.Null() })

/** Encodes a signature, in the only encoding that this module writes. @returns DER */
export async function encodeDetached(parts: DetachedSignature): Promise<Bytes> {
  const signerCertificate = pkijs.Certificate.fromBER(parts.certificate)
  const signed = new pkijs.SignedData({
    version: 1,
    digestAlgorithms: [sha256Algorithm()],
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: OID.data }),
    signerInfos: [
      new pkijs.SignerInfo({
        version: 1,
        sid: new pkijs.IssuerAndSerialNumber({
          issuer: signerCertificate.issuer,
          serialNumber: signerCertificate.serialNumber,
        }),
        digestAlgorithm: sha256Algorithm(),
        signedAttrs: await buildSignedAttributes(parts),
        signatureAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: OID.ecdsaWithSha256 }),
        signature: new asn1.OctetString({ valueHex: toDer(parts.signature) }),
        ...(parts.timestamp && { unsignedAttrs: buildUnsignedAttributes(parts.timestamp) }),
      }),
    ],
    certificates: chainOf(parts)
      .sort(compareBytes)
      .map(item => pkijs.Certificate.fromBER(item)),
  })
  const content = new pkijs.ContentInfo({ contentType: OID.signedData, content: signed.toSchema(false) })
  return new Uint8Array(content.toSchema().toBER())
}

/**
 * Signs bytes according to PAdES (ETSI EN 319 142-1). The result is a detached CMS signature that contains its certificate, but
 * not the signing time, which is in the PDF's own dictionary. The level is B-T with a timestamp, and B-B without one.
 */
export async function signDetached(
  data: Bytes,
  {
    privateKey,
    certificate,
    issuer,
  }: { privateKey: CryptoKey } & Pick<DetachedSignature, 'certificate' | 'issuer'>,
  timestamp?: Timestamp,
): Promise<DetachedSignature> {
  const parts = { certificate, issuer, digest: await digest(data) }
  const sign = async (unsigned: Unsigned) =>
    signData(privateKey, bytesToSign(await buildSignedAttributes(unsigned)))
  if (timestamp) {
    const signature = await sign({ ...parts, timestamp })
    const token = await timestamp(new Uint8Array(toDer(signature)))
    if (token) {
      const seal = await signData(privateKey, bytesToSeal(signature, token))
      return { ...parts, signature, timestamp: { token, seal } }
    }
  }
  return { ...parts, signature: await sign(parts) }
}

/**
 * Reads a timestamp, which it recognises by the ASN.1 types of the values. That the attributes have the right OIDs is checked
 * later, by encoding them again.
 */
function readTimestamp({ unsignedAttrs }: pkijs.SignerInfo): DetachedSignature['timestamp'] {
  const values: unknown[] = unsignedAttrs?.attributes.flatMap(item => item.values) ?? []
  const token = values.find(value => value instanceof asn1.Sequence)
  const seal = values.find(value => value instanceof asn1.OctetString)
  if (!token || !seal) return undefined
  return { token: new Uint8Array(token.toBER()), seal: Uint8Array.from(seal.valueBlock.valueHexView) }
}

const bytesOf = (certificate: pkijs.Certificate): Bytes => new Uint8Array(certificate.toSchema(false).toBER())

const namesCertificate = (info: pkijs.SignerInfo | undefined, { serialNumber, issuer }: pkijs.Certificate) =>
  info?.sid instanceof pkijs.IssuerAndSerialNumber &&
  info.sid.serialNumber.isEqual(serialNumber) &&
  info.sid.issuer.isEqual(issuer)

/**
 * Reads the output of `encodeDetached`, and most other encodings of a signature. To check that every byte was written by this
 * module, encode the result again and compare the bytes.
 * @param bytes may be followed by other bytes
 */
export function readDetached(bytes: Bytes): DetachedSignature | undefined {
  try {
    const { result, offset } = asn1.fromBER(bytes)
    if (offset === -1) return undefined
    const content = new pkijs.ContentInfo({ schema: result })
    const signed = new pkijs.SignedData({ schema: content.content })
    const certificates = signed.certificates?.filter(item => item instanceof pkijs.Certificate) ?? []
    const [info] = signed.signerInfos
    const signerCertificate = certificates.find(item => namesCertificate(info, item)) ?? certificates[0]
    const issuer = certificates.find(item => item !== signerCertificate)
    const digestAttribute = info?.signedAttrs?.attributes.find(({ type }) => type === OID.messageDigest)
    const [hash] = digestAttribute?.values ?? []
    const signature = info && fromDer(info.signature.valueBlock.valueHex)
    if (!(signerCertificate && hash instanceof asn1.OctetString && signature)) return undefined
    const timestamp = readTimestamp(info)
    return {
      certificate: bytesOf(signerCertificate),
      ...(issuer && { issuer: bytesOf(issuer) }),
      digest: Uint8Array.from(hash.valueBlock.valueHexView),
      signature,
      ...(timestamp && { timestamp }),
    }
  } catch {
    return undefined
  }
}

/**
 * True if `publicKey` signed the data, with exactly this certificate, and also sealed the timestamp if the signature promises
 * one.
 */
export async function verifyDetached(
  parts: DetachedSignature,
  data: Bytes,
  publicKey: CryptoKey,
): Promise<boolean> {
  if (!equalBytes(parts.digest, await digest(data))) return false
  const { signature, timestamp } = parts
  if (timestamp && !(await verifyData(publicKey, timestamp.seal, bytesToSeal(signature, timestamp.token))))
    return false
  return await verifyData(publicKey, signature, bytesToSign(await buildSignedAttributes(parts)))
}
