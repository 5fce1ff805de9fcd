import { EXHAUSTIVE, makeSampler } from '@portal/fixtures/exhaustive'
import * as pkijs from 'pkijs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSignature, issueLetter, replaceSignature } from '../../test/letter-setup.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { makeAuthorityCertificate, makeCertificate, readCertificate } from './certificate.ts'
import { encodeDetached, readDetached, signDetached } from './cms.ts'
import { checkCredential } from './credential.ts'
import { P256 } from './ecdsa.ts'
import { createLetterCredential, createSignedPdf } from './formats.ts'
import { readSigningKey, type SigningKey } from './keys.ts'
import { checkPdf } from './pdf-check.ts'

/*
 * Checks that only the exact file that we made is genuine, because the page about letters promises that a single changed byte
 * is detected.
 */

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

let setup: TestSetup
let pdf: Uint8Array<ArrayBuffer>
let token: string
let key: SigningKey
beforeAll(async () => {
  setup = await openTestSetup()
  const letter = await issueLetter(setup)
  const context = { db: setup.database, ports: setup.ports }
  pdf = await createSignedPdf(context, letter)
  token = await createLetterCredential(context, letter)
  key = await readSigningKey(setup.database, setup.ports)
})
afterAll(() => setup.close())

const kindOf = async (bytes: Uint8Array<ArrayBuffer>) => (await checkPdf(bytes, [key])).kind
const check = (jwt: string) =>
  checkCredential(jwt, {
    keys: [key],
    publicUrl: setup.ports.environment.PUBLIC_URL,
    now: setup.ports.time,
  })

/**
 * Returns the other valid form of the signature, which anyone can compute: its second half is subtracted from the curve's
 * order.
 */
const malleate = (signature: Uint8Array) => {
  const text = Buffer.from(signature).toString('hex')
  const s = ORDER - BigInt(`0x${text.slice(64)}`)
  return Uint8Array.from(Buffer.from(text.slice(0, 64) + s.toString(16).padStart(64, '0'), 'hex'))
}

test('the unchanged file is genuine', async () => {
  expect(await checkPdf(pdf, [key])).toMatchObject({ kind: 'genuine', certificate: key.certificate })
  expect(await check(token)).toMatchObject({ ok: true })
})

test('no PDF with one changed byte is genuine, tested for all bytes of the signature and samples of the rest', {
  tags: ['QUALITY-52'],
}, async () => {
  const { start, end, cms } = findSignature(pdf)
  const signature = Array.from({ length: 2 * cms.length + 8 }, (_, index) => start + index).filter(
    makeSampler(8),
  )
  const container = Array.from(
    { length: EXHAUSTIVE ? 200 : 30 },
    () => start + Math.floor(Math.random() * (end - start)),
  )
  const anywhere = Array.from({ length: EXHAUSTIVE ? 400 : 60 }, () => Math.floor(Math.random() * pdf.length))
  const around = [start - 2, start - 1, end - 1, end, end + 1, 0, pdf.length - 1]
  for (const offset of [...signature, ...container, ...anywhere, ...around]) {
    const isDigit = offset >= start && offset < end
    const old = pdf[offset] ?? 0
    // These changes make a digit of the hexadecimal signature another digit, the other letter case, or a blank.
    const digits = [old === 0x30 ? 0x31 : 0x30, old ^ 0x20, 0x20]
    const replacement = isDigit ? (digits[offset % 3] ?? 0) : old ^ (1 << (offset % 8))
    const changed = pdf.slice()
    changed[offset] = replacement
    expect(await kindOf(changed), `byte ${offset}: ${old} to ${replacement}`).not.toBe('genuine')
  }
})

test.each<[string, () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>]>([
  [
    'all digits in upper case',
    () => replaceSignature(pdf, findSignature(pdf).cms.toString('hex').toUpperCase()),
  ],
  [
    'a byte after the signature',
    () => replaceSignature(pdf, `${findSignature(pdf).cms.toString('hex')}00ff`),
  ],
  [
    'a second signature after it',
    () => replaceSignature(pdf, findSignature(pdf).cms.toString('hex').repeat(2)),
  ],
  [
    'the high-s form of its signature',
    async () => await withSignature(parts => ({ ...parts, signature: malleate(parts.signature) })),
  ],
  ['a length in more bytes than needed', () => replaceSignature(pdf, withLongerLength())],
  ['an indefinite length, as BER allows', () => replaceSignature(pdf, withIndefiniteLength())],
  ['a line break at its end', () => Uint8Array.from([...pdf, 0x0a])],
  [
    'an update appended',
    () => Uint8Array.from(Buffer.concat([pdf, Buffer.from('1 0 obj null endobj\n%%EOF\n')])),
  ],
])('a PDF with %s is altered', async (_, make) => {
  expect(await kindOf(await make())).toBe('altered')
})

test('a PDF with a missing byte, or with an additional byte at the beginning, is not genuine', async () => {
  expect(await kindOf(pdf.slice(0, -1))).toBe('not_ours')
  expect(await kindOf(Uint8Array.from([0x20, ...pdf]))).toBe('not_ours')
})

test('the certificate of a letter cannot be replaced by one with another name for the same key', async () => {
  const attacker = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const options = { institution: 'Another University', at: setup.ports.time }
  const issuer = await makeAuthorityCertificate({ ...attacker, ...options })
  const certificate = await makeCertificate({
    ...options,
    publicKey: await crypto.subtle.importKey('jwk', key.jwk, P256, true, ['verify']),
    authority: { privateKey: attacker.privateKey, certificate: issuer },
  })
  const { x, y } = readCertificate(certificate)
  expect(key.jwk).toMatchObject({ x, y })
  expect(await kindOf(await withSignature(parts => ({ ...parts, certificate })))).toBe('altered')
  expect(await kindOf(await withSignature(parts => ({ ...parts, certificate, issuer })))).toBe('altered')
  // This is signed with the attacker's key, with a certificate for our key.
  const signed = await signDetached(new Uint8Array(4), { privateKey: attacker.privateKey, certificate })
  expect(await kindOf(await withSignature(parts => ({ ...signed, digest: parts.digest })))).toBe('altered')
})

test('the CA’s certificate in a letter cannot be replaced or removed, and no other can be added', {
  tags: ['DATA-31'],
}, async () => {
  const attacker = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const issuer = await makeAuthorityCertificate({ ...attacker, institution: 'University', at: 0 })
  expect(await kindOf(await withSignature(parts => ({ ...parts, issuer })))).toBe('altered')
  expect(await kindOf(await withSignature(parts => ({ ...parts, issuer: undefined })))).toBe('altered')
  const content = pkijs.ContentInfo.fromBER(Uint8Array.from(findSignature(pdf).cms))
  const signed = new pkijs.SignedData({ schema: content.content })
  signed.certificates?.push(pkijs.Certificate.fromBER(issuer))
  content.content = signed.toSchema(false)
  const withThreeCertificates = Buffer.from(content.toSchema().toBER()).toString('hex')
  expect(await kindOf(replaceSignature(pdf, withThreeCertificates))).toBe('altered')
})

test('a letter dated outside its certificate’s validity is not genuine', async () => {
  const letter = await issueLetter(setup)
  setup.ports.time += 26 * 365 * 24 * 60 * 60 * 1000
  const late = await createSignedPdf({ db: setup.database, ports: setup.ports }, letter)
  expect(await kindOf(late)).toBe('outside_validity')
})

test('no credential with one changed character is genuine', async () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const signatureAt = token.lastIndexOf('.')
  const isSampled = makeSampler(4)
  for (let index = 0; index < token.length; index += 1) {
    // Lenient decoders treat the end of the signature differently, so its last characters are always tried.
    if (!isSampled(index) && index < token.length - 2) continue
    const old = token[index] ?? ''
    const next = letters[(letters.indexOf(old) + 1) % 64] ?? ''
    const candidates = index > signatureAt ? [...letters, '=', '+', ' ', '\n'] : [next, '.', '=']
    for (const replacement of candidates.filter(item => item !== old)) {
      const changed = token.slice(0, index) + replacement + token.slice(index + 1)
      expect((await check(changed)).ok, `character ${index}: ${old} to ${replacement}`).toBe(false)
    }
  }
})

test('a credential in another encoding is refused, such as a high-s signature, other JSON, padding or white space', async () => {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const highS = malleate(Buffer.from(signature, 'base64url'))
  expect(await check(`${header}.${payload}.${Buffer.from(highS).toString('base64url')}`)).toMatchObject({
    ok: false,
    fault: 'signature',
  })
  const withSpaces = (part: string) =>
    Buffer.from(JSON.stringify(JSON.parse(Buffer.from(part, 'base64url').toString()), null, 1)).toString(
      'base64url',
    )
  const variants = [
    `${withSpaces(header)}.${payload}.${signature}`,
    `${header}.${withSpaces(payload)}.${signature}`,
    `${token}=`,
    `${token}\n`,
    ` ${token}`,
    `\ufeff${token}`,
    `${token}.`,
    token.replaceAll('-', '+').replaceAll('_', '/'),
  ].filter(item => item !== token)
  for (const variant of variants) expect((await check(variant)).ok, variant.slice(-20)).toBe(false)
})

type Parts = NonNullable<ReturnType<typeof readDetached>>

/** Returns the PDF with its signature decoded, changed and encoded again. */
async function withSignature(change: (parts: Parts) => Parts): Promise<Uint8Array<ArrayBuffer>> {
  const parts = readDetached(Uint8Array.from(findSignature(pdf).cms))
  if (!parts) throw new Error('the signature could not be read')
  return replaceSignature(pdf, Buffer.from(await encodeDetached(change(parts))).toString('hex'))
}

/** Returns the signature with its outer length encoded in three bytes. */
function withLongerLength(): string {
  const digits = findSignature(pdf).cms.toString('hex')
  return `308300${digits.slice(4)}`
}

/** Returns the signature with its outer element in indefinite length, which two zero bytes end. */
function withIndefiniteLength(): string {
  return `3080${findSignature(pdf).cms.toString('hex').slice(8)}0000`
}
