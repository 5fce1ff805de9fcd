import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromDer, hasLowS, P256, signData, toDer, toLowS, verifyData } from './ecdsa.ts'

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const pair = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
const hex = (value: bigint) => value.toString(16).padStart(64, '0')
const signatureOf = (r: bigint, s: bigint) => Uint8Array.from(Buffer.from(hex(r) + hex(s), 'hex'))

test('makes and accepts only the low-s form of a signature', async () => {
  const spki = await crypto.subtle.exportKey('spki', pair.publicKey)
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  for (let round = 0; round < 64; round += 1) {
    const data = crypto.getRandomValues(new Uint8Array(32))
    const signature = await signData(pair.privateKey, data)
    const [r, s] = [signature.slice(0, 32), signature.slice(32)].map(half =>
      BigInt(`0x${Buffer.from(half).toString('hex')}`),
    )
    const highS = signatureOf(r ?? 0n, ORDER - (s ?? 0n))
    expect(verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, highS)).toBe(true)
    expect(await verifyData(pair.publicKey, signature, data)).toBe(true)
    expect(await verifyData(pair.publicKey, highS, data)).toBe(false)
    expect(hasLowS(highS)).toBe(false)
    expect(toLowS(highS)).toEqual(signature)
  }
})

test('numbers of every length are encoded in DER and decoded again', () => {
  for (let bits = 1n; bits < 255n; bits += 1n) {
    const signature = signatureOf(1n << bits, (1n << bits) - 1n)
    const der = Buffer.from(toDer(signature)).toString('hex')
    expect(fromDer(toDer(signature))).toEqual(signature)
    // A number has no leading zero unless it would be negative without it.
    expect(der).not.toMatch(/^30..02(?!01)..00[0-7]/)
  }
})

test('returns undefined for malformed signatures', () => {
  const der = (text: string) => Uint8Array.from(Buffer.from(text, 'hex')).buffer
  for (const text of ['', '00', '3000', '3003020101', '3006020100020101', '3006020101020181'])
    expect(fromDer(der(text)), text).toBeUndefined()
})
