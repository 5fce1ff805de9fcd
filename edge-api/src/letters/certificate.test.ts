import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { isIssuedBy, makeAuthorityCertificate, makeCertificate, readCertificate } from './certificate.ts'

const newPair = () =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
const institution = 'Ìmọ́lẹ̀ University'
const pair = await newPair()
const ca = await newPair()
const newCaCertificate = (at: number, name = institution) =>
  makeAuthorityCertificate({ ...ca, institution: name, at })
const authority = { privateKey: ca.privateKey, certificate: await newCaCertificate(Date.parse('2026-01-01')) }
const newCertificate = (at: number) =>
  makeCertificate({ publicKey: pair.publicKey, institution, at, authority })

const DAY = 24 * 60 * 60 * 1000
const YEARS = 25 * 365 * DAY

/** Returns the two times of a certificate as encoded, each with its type's tag and its text. */
function readTimes(der: Uint8Array): { tag: number; text: string }[] {
  const digits = Buffer.from(der).toString('hex')
  // Finds a sequence of two times; nothing before it in a certificate looks similar.
  const found = /30(?:1e|20|22)((?:170d(?:3\d){12}5a|180f(?:3\d){14}5a){2})30/.exec(digits)?.[1] ?? ''
  return [...found.matchAll(/(17|18)0[df]((?:3\d)+5a)/g)].map(([, tag = '', time = '']) => ({
    tag: Number.parseInt(tag, 16),
    text: Buffer.from(time, 'hex').toString('latin1'),
  }))
}

/** Returns the encoding of a time by RFC 5280, 4.1.2.5: whole seconds, as UTCTime from 1950 to 2049. */
function encodeTime(at: number): { tag: number; text: string } {
  const last = Date.parse('9999-12-31T23:59:59Z')
  const digits = new Date(Math.min(Math.max(at, Date.parse('0000-01-01')), last))
    .toISOString()
    .replace(/\D/g, '')
    .slice(0, 14)
  const year = Number(digits.slice(0, 4))
  return year >= 1950 && year < 2050
    ? { tag: 0x17, text: `${digits.slice(2)}Z` }
    : { tag: 0x18, text: `${digits}Z` }
}

test.each([
  ['2026-11-22', '2051'],
  ['2020-01-01', '2044'],
])('a certificate made on %s is valid until %s, encoded as that year requires', async (on, year) => {
  const at = Date.parse(on)
  const certificate = new X509Certificate(await newCertificate(at))
  expect(Date.parse(certificate.validFrom)).toBeLessThan(at)
  expect(new Date(certificate.validTo).getUTCFullYear()).toBe(Number(year))
})

const boundaries = ['1950-01-01', '1970-01-01', '2050-01-01', '9999-12-31T23:59:59.999Z'].flatMap(boundary =>
  [-1001, -1000, -999, -1, 0, 1, 999, 1000].flatMap(offset => [
    Date.parse(boundary) + offset,
    Date.parse(boundary) + offset + DAY,
    Date.parse(boundary) + offset - YEARS,
  ]),
)

test('any time, to the millisecond, is encoded as RFC 5280 requires', async () => {
  const span = Date.parse('2200-01-01')
  const random = Array.from({ length: 300 }, () => Math.floor(Math.random() * span))
  for (const at of [...boundaries, ...random, -8.64e15, 8.64e15, Date.parse('2026-11-17T05:27:35.391Z')]) {
    const der = await newCertificate(at)
    expect(readTimes(der), `clock ${at}`).toEqual([encodeTime(at - DAY), encodeTime(at + YEARS)])
    expect(await isIssuedBy(der, authority.certificate), `clock ${at}`).toBe(true)
    expect(readTimes(await newCaCertificate(at)), `clock ${at}`).toEqual([
      encodeTime(at - DAY),
      encodeTime(8.64e15),
    ])
  }
})

test('other parsers can read the key and the purposes of a certificate, and confirm that the CA issued it', async () => {
  const at = Date.parse('2026-11-17T05:27:35.391Z')
  const der = await newCertificate(at)
  const certificate = new X509Certificate(der)
  const issuer = new X509Certificate(authority.certificate)
  expect(certificate.verify(issuer.publicKey)).toBe(true)
  expect(certificate.checkIssued(issuer)).toBe(true)
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4'])
  expect(certificate.ca).toBe(false)
  // A serial number is positive, and has at most 20 bytes.
  expect(certificate.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/)
  const { x, y, notBefore, notAfter } = readCertificate(der)
  expect(certificate.publicKey.export({ format: 'jwk' })).toMatchObject({ x, y })
  expect([notBefore, notAfter]).toEqual([Date.parse(certificate.validFrom), Date.parse(certificate.validTo)])
})

test('a CA certificate can only sign certificates, and its name ends in “Letters CA” and has at most 64 characters', async () => {
  for (const name of [institution, '𝒰'.repeat(70), 'U'.repeat(64), '']) {
    const issuer = new X509Certificate(await newCaCertificate(Date.now(), name))
    expect(issuer.ca).toBe(true)
    expect(issuer.verify(issuer.publicKey)).toBe(true)
    expect(issuer.keyUsage).toEqual(['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4'])
    expect(issuer.subject).toMatch(/^CN=.* Letters CA$/su)
    expect(Array.from(issuer.subject.slice('CN='.length)).length).toBeLessThanOrEqual(64)
  }
})

test('a certificate is accepted as issued by a CA only if every byte is as the CA signed it', async () => {
  const der = Buffer.from(await newCertificate(Date.now()))
  const otherPair = await newPair()
  const namesake = await makeAuthorityCertificate({ ...otherPair, institution, at: Date.now() })
  expect(await isIssuedBy(Uint8Array.from(der), authority.certificate)).toBe(true)
  expect(await isIssuedBy(Uint8Array.from(der), namesake)).toBe(false)
  expect(await isIssuedBy(namesake, authority.certificate)).toBe(false)
  // Covers all signed bytes, which follow the outer header.
  for (let offset = 4; offset < 8 + der.readUInt16BE(6); offset += 1) {
    const changed = Uint8Array.from(der)
    changed[offset] = (changed[offset] ?? 0) ^ 1
    expect(await isIssuedBy(changed, authority.certificate), `byte ${offset}`).toBe(false)
  }
  expect(await isIssuedBy(new Uint8Array(), authority.certificate)).toBe(false)
})
