import * as asn1 from 'asn1js'

/*
 * ECDSA on P-256 with SHA-256. Signatures are malleable: if (r, s) is valid, so is (r, n - s), which anyone can compute. Only
 * the form with the lower s (low-S) is created and accepted here, so that no signature can be replaced by an equivalent one.
 */

export const P256 = { name: 'ECDSA', namedCurve: 'P-256' }
const ECDSA = { name: 'ECDSA', hash: 'SHA-256' }

/** The order of the curve's group (FIPS 186-5, P-256). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** Number of bytes in each half of a signature. */
const HALF_BYTES = 32

type Bytes = Uint8Array<ArrayBuffer>

const bytesToNumber = (bytes: Uint8Array) =>
  BigInt(`0x${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`)

function numberToBytes(value: bigint): Bytes {
  const digits = value.toString(16).padStart(2 * HALF_BYTES, '0')
  return Uint8Array.from({ length: HALF_BYTES }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  )
}

const splitSignature = (signature: Uint8Array) =>
  [bytesToNumber(signature.subarray(0, HALF_BYTES)), bytesToNumber(signature.subarray(HALF_BYTES))] as const

/** True for a signature in low-S form. @param signature r and s, 32 bytes each */
export const hasLowS = (signature: Uint8Array): boolean => splitSignature(signature)[1] <= ORDER / 2n

/** Returns the low-S form of a signature. @param signature r and s, 32 bytes each */
export function toLowS(signature: Uint8Array): Bytes {
  const [r, s] = splitSignature(signature)
  return joinSignature(r, hasLowS(signature) ? s : ORDER - s)
}

function joinSignature(r: bigint, s: bigint): Bytes {
  const signature = new Uint8Array(2 * HALF_BYTES)
  signature.set(numberToBytes(r))
  signature.set(numberToBytes(s), HALF_BYTES)
  return signature
}

/** Signs data. @returns r and s, 32 bytes each, in low-S form */
export async function signData(privateKey: CryptoKey, data: Bytes): Promise<Bytes> {
  return toLowS(new Uint8Array(await crypto.subtle.sign(ECDSA, privateKey, data)))
}

/**
 * Verifies a signature. Rejects an otherwise valid signature that is not in low-S form.
 * @param signature r and s, 32 bytes each
 */
export async function verifyData(publicKey: CryptoKey, signature: Bytes, data: Bytes): Promise<boolean> {
  if (signature.length !== 2 * HALF_BYTES || !hasLowS(signature)) return false
  return await crypto.subtle.verify(ECDSA, publicKey, signature, data)
}

/** Encodes a signature in DER, as X.509 and CMS require (RFC 5480). */
export function toDer(signature: Uint8Array): ArrayBuffer {
  // Encoded with asn1js, because pkijs keeps a leading zero in some numbers, which is not DER.
  return new asn1.Sequence({
    value: splitSignature(signature).map(part => asn1.Integer.fromBigInt(part)),
  }).toBER()
}

/** Decodes a signature in DER. @returns r and s, 32 bytes each, or undefined if it is malformed */
export function fromDer(der: ArrayBuffer): Bytes | undefined {
  const { result } = asn1.fromBER(der)
  if (!(result instanceof asn1.Sequence)) return undefined
  const [r, s] = result.valueBlock.value
  if (!(r instanceof asn1.Integer && s instanceof asn1.Integer)) return undefined
  const numbers = [r.toBigInt(), s.toBigInt()] as const
  return numbers.every(part => part > 0n && part < ORDER) ? joinSignature(...numbers) : undefined
}
