import * as asn1 from 'asn1js'
import * as pkijs from 'pkijs'

/* The request to a timestamp service, and the checks of its response (RFC 3161, with RFC 5816's ESSCertIDv2). */

type Bytes = Uint8Array<ArrayBuffer>

const OID = {
  sha256: '2.16.840.1.101.3.4.2.1',
  signedData: '1.2.840.113549.1.7.2',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  extendedUsage: '2.5.29.37',
  timeStamping: '1.3.6.1.5.5.7.3.8',
}

/** Maximum size of a token, for which a letter reserves space. */
const MAX_TOKEN_BYTES = 12 * 1024

export interface TimestampQuery {
  data: Bytes
  /** Must be positive. */
  nonce: bigint
}

export function newTimestampQuery(data: Bytes): TimestampQuery {
  const [random = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return { data, nonce: random | (1n << 62n) }
}

/** Encodes a request for a token that includes the service's certificates. @returns DER */
export async function encodeTimestampQuery({ data, nonce }: TimestampQuery): Promise<Bytes> {
  const request = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({
        algorithmId: OID.sha256,
        algorithmParams: new asn1.Null(),
      }),
      hashedMessage: await imprintOf(data),
    }),
    nonce: asn1.Integer.fromBigInt(nonce),
    certReq: true,
  })
  return new Uint8Array(request.toSchema().toBER())
}

function refuse(reason: string): never {
  throw new Error(reason)
}

/** Checks a service's response. @returns its token, in DER @throws Error with the reason why the token is rejected */
export async function readAcceptedToken(response: ArrayBuffer, query: TimestampQuery): Promise<Bytes> {
  const { result, offset } = asn1.fromBER(response)
  if (offset !== response.byteLength) refuse('the response is not a timestamp response')
  const { status } = new pkijs.TimeStampResp({ schema: result })
  // 0 means granted, and 1 granted with modifications: everything relevant is checked below.
  if (status.status !== 0 && status.status !== 1) refuse(`the service refused with status ${status.status}`)
  const [, tokenBlock] = result instanceof asn1.Sequence ? result.valueBlock.value : []
  if (!tokenBlock) refuse('the response has no token')
  const token = new Uint8Array(tokenBlock.toBER())
  if (token.length > MAX_TOKEN_BYTES) refuse(`the token has ${token.length} bytes`)
  const reencoded = asn1.fromBER(token).result.toBER()
  // The token must be in DER, because verifiers of a letter decode it and encode it again.
  if (
    !new asn1.OctetString({ valueHex: reencoded }).isEqual(new asn1.OctetString({ valueHex: token.buffer }))
  )
    refuse('the token is not in DER')
  await checkToken(token, query)
  return token
}

async function checkToken(token: Bytes, { data, nonce }: TimestampQuery): Promise<void> {
  const content = pkijs.ContentInfo.fromBER(token)
  if (content.contentType !== OID.signedData) refuse('the token is not signed')
  const signed = new pkijs.SignedData({ schema: content.content })
  const { eContentType, eContent } = signed.encapContentInfo
  const [signer, ...others] = signed.signerInfos
  if (eContentType !== OID.timestampInfo || !eContent || !signer || others.length > 0)
    refuse('the token is not a timestamp with one signature')
  const info = pkijs.TSTInfo.fromBER(eContent.getValue())
  if (info.messageImprint.hashAlgorithm.algorithmId !== OID.sha256) refuse('the imprint is not in SHA-256')
  if (!info.messageImprint.hashedMessage.isEqual(await imprintOf(data)))
    refuse('the imprint is of different data')
  if (info.nonce?.toBigInt() !== nonce) refuse('the nonce differs')
  // The certificate chain is not checked here: readers of the letter decide which services they trust.
  const verified = await signed.verify({
    signer: 0,
    data: data.slice().buffer,
    checkChain: false,
    extendedMode: true,
  })
  const { signatureVerified, signerCertificate: certificate } = verified
  if (!signatureVerified || !certificate) refuse('the signature of the token is wrong')
  if (!isForTimestamping(certificate)) refuse('the certificate is not for timestamps')
  if (!(await namesCertificate(signer, certificate))) refuse('the token names a different certificate')
  const signedAt = info.genTime
  if (signedAt < certificate.notBefore.value || signedAt > certificate.notAfter.value)
    refuse('the time lies outside the validity of the certificate')
}

const imprintOf = async (data: Bytes) =>
  new asn1.OctetString({ valueHex: await crypto.subtle.digest('SHA-256', data) })

function isForTimestamping({ extensions = [] }: pkijs.Certificate): boolean {
  const usage = extensions.find(({ extnID }) => extnID === OID.extendedUsage)?.parsedValue
  return usage instanceof pkijs.ExtKeyUsage && usage.keyPurposes.includes(OID.timeStamping)
}

const childrenOf = (block: unknown) => (block instanceof asn1.Sequence ? block.valueBlock.value : [])

/**
 * True if the first certificate hash in the signed attributes is that of this certificate (ESSCertID: SHA-1;
 * ESSCertIDv2: SHA-256 unless another algorithm is named).
 */
async function namesCertificate({ signedAttrs }: pkijs.SignerInfo, certificate: pkijs.Certificate) {
  const attributes = signedAttrs?.attributes ?? []
  const version2 = attributes.find(({ type }) => type === OID.signingCertificateV2)
  const signingCertificate = version2 ?? attributes.find(({ type }) => type === OID.signingCertificate)
  const [certificates] = childrenOf(signingCertificate?.values[0])
  const parts = childrenOf(childrenOf(certificates)[0])
  const hash = parts.find(part => part instanceof asn1.OctetString)
  const [algorithm] = childrenOf(parts[0])
  const hashOid = algorithm instanceof asn1.ObjectIdentifier ? algorithm.valueBlock.toString() : OID.sha256
  const name = version2 ? pkijs.getCrypto(true).getAlgorithmByOID(hashOid, true).name : 'SHA-1'
  const expected = await crypto.subtle.digest(name, certificate.toSchema(false).toBER())
  return hash?.isEqual(new asn1.OctetString({ valueHex: expected })) ?? false
}
