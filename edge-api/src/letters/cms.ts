import * as asn1 from 'asn1js'
import * as pkijs from 'pkijs'

const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
}

const digest = (bytes: Uint8Array<ArrayBuffer>) => crypto.subtle.digest('SHA-256', bytes)

const attribute = (type: string, value: unknown) => new pkijs.Attribute({ type, values: [value] })

/** Which certificate signed, by its hash (RFC 5035). SHA-256 is the default, so that it is not named. */
const signingCertificate = (hash: ArrayBuffer) => {
  const id = new asn1.Sequence({ value: [new asn1.OctetString({ valueHex: hash })] })
  return new asn1.Sequence({ value: [new asn1.Sequence({ value: [id] })] })
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

const berOf = (item: pkijs.Attribute) => new Uint8Array(item.toSchema().toBER())

/**
 * Signs bytes as PAdES baseline B-B asks for (ETSI EN 319 142-1): a detached CMS signature that names its certificate and
 * no time, which stands in the PDF's own dictionary.
 * @returns DER
 */
export async function signDetached(
  data: Uint8Array<ArrayBuffer>,
  { privateKey, certificate }: { privateKey: CryptoKey; certificate: Uint8Array<ArrayBuffer> },
): Promise<Uint8Array<ArrayBuffer>> {
  const own = pkijs.Certificate.fromBER(certificate)
  const attributes = [
    attribute(OID.contentType, new asn1.ObjectIdentifier({ value: OID.data })),
    attribute(OID.messageDigest, new asn1.OctetString({ valueHex: await digest(data) })),
    attribute(OID.signingCertificateV2, signingCertificate(await digest(certificate))),
    // The members of a DER set are in order.
  ].sort((a, b) => compareBytes(berOf(a), berOf(b)))
  const signed = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: OID.data }),
    signerInfos: [
      new pkijs.SignerInfo({
        version: 1,
        sid: new pkijs.IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
        signedAttrs: new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
    certificates: [own],
  })
  await signed.sign(privateKey, 0, 'SHA-256', data.buffer)
  const content = new pkijs.ContentInfo({ contentType: OID.signedData, content: signed.toSchema(true) })
  return new Uint8Array(content.toSchema().toBER())
}

export type DetachedCheck =
  | { signer: Uint8Array<ArrayBuffer>; intact: boolean }
  /** It is no signature that could be read. */
  | { signer: null; intact: false }

const unreadable: DetachedCheck = { signer: null, intact: false }

/** Length of the DER element that bytes begin with; undefined when they do not. What follows it must be zeros. */
function elementLength(bytes: Uint8Array): number | undefined {
  const { result, offset } = asn1.fromBER(bytes)
  if (offset === -1 || result.error || bytes.subarray(offset).some(byte => byte !== 0)) return undefined
  return offset
}

/**
 * Checks a detached CMS signature with one signer, whose certificate it holds: the digest of the data, the signature
 * itself, and that the signer named this very certificate. Who may sign is the caller's to decide.
 */
export async function checkDetached(
  cms: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<DetachedCheck> {
  try {
    const length = elementLength(cms)
    if (length === undefined) return unreadable
    const content = pkijs.ContentInfo.fromBER(cms.slice(0, length))
    if (content.contentType !== OID.signedData) return unreadable
    const signed = new pkijs.SignedData({ schema: content.content })
    const [info] = signed.signerInfos
    const own = signed.certificates?.find(each => each instanceof pkijs.Certificate)
    if (!info || signed.signerInfos.length !== 1 || !own || signed.certificates?.length !== 1)
      return unreadable
    const signer = new Uint8Array(own.toSchema(false).toBER())
    // DER has one way to write each value: whatever was written otherwise was changed.
    const again = new pkijs.ContentInfo({ contentType: OID.signedData, content: signed.toSchema(true) })
    const proper = compareBytes(new Uint8Array(again.toSchema().toBER()), cms.subarray(0, length)) === 0
    const intact =
      proper && isOfOurKind(signed, info, own) && (await signatureHolds(signed, info, signer, data))
    return { signer, intact }
  } catch {
    return unreadable
  }
}

const isSha256 = ({ algorithmId, algorithmParams }: pkijs.AlgorithmIdentifier) =>
  algorithmId === OID.sha256 && (algorithmParams === undefined || algorithmParams instanceof asn1.Null)

/** What a CMS says outside its signed attributes: nothing but what we write there. */
function isOfOurKind(signed: pkijs.SignedData, info: pkijs.SignerInfo, own: pkijs.Certificate): boolean {
  const { sid } = info
  return (
    signed.version === 1 &&
    info.version === 1 &&
    signed.encapContentInfo.eContentType === OID.data &&
    signed.encapContentInfo.eContent === undefined &&
    signed.crls === undefined &&
    signed.digestAlgorithms.length === 1 &&
    [...signed.digestAlgorithms, info.digestAlgorithm].every(isSha256) &&
    info.unsignedAttrs === undefined &&
    info.signedAttrs?.attributes.length === 3 &&
    sid instanceof pkijs.IssuerAndSerialNumber &&
    sid.issuer.isEqual(own.issuer) &&
    sid.serialNumber.isEqual(own.serialNumber)
  )
}

async function signatureHolds(
  signed: pkijs.SignedData,
  info: pkijs.SignerInfo,
  signer: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const attributeOf = (type: string): unknown => {
    const found = info.signedAttrs?.attributes.filter(each => each.type === type) ?? []
    return found.length === 1 && found[0]?.values.length === 1 ? found[0].values[0] : undefined
  }
  const type = attributeOf(OID.contentType)
  if (!(type instanceof asn1.ObjectIdentifier) || type.valueBlock.toString() !== OID.data) return false
  const named = attributeOf(OID.signingCertificateV2)
  const expected = new Uint8Array(signingCertificate(await digest(signer)).toBER())
  if (!(named instanceof asn1.Sequence) || compareBytes(new Uint8Array(named.toBER()), expected) !== 0)
    return false
  if (!(attributeOf(OID.messageDigest) instanceof asn1.OctetString)) return false
  if (info.signatureAlgorithm.algorithmId !== OID.ecdsaWithSha256) return false
  const verified = await signed
    .verify({ signer: 0, data: data.buffer, checkChain: false, extendedMode: true })
    .catch(() => undefined)
  return verified?.signatureVerified === true
}
