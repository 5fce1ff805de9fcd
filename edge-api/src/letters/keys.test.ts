import { X509Certificate } from 'node:crypto'
import type { VerificationTemplate } from '@portal/contract/letter'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LETTER_KEY, OTHER_LETTER_KEY, PREVIOUS_CERTIFICATES } from '../../test/letter-keys.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createTestPorts } from '../../test/temporary-database.ts'
import { createApp } from '../app.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { encodeDetached, readDetached, signDetached, verifyDetached } from './cms.ts'
import { checkCredential } from './credential.ts'
import { createLetterCredential, createSignedPdf } from './formats.ts'
import { importPublicKey } from './key-pairs.ts'
import { ensurePublicKeys, readSigningKey } from './keys.ts'
import { checkPdf } from './pdf-check.ts'
import { type FoundLetter, findLetter } from './store.ts'

let setup: TestSetup
let letter: FoundLetter
beforeEach(async () => {
  setup = await openTestSetup()
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const [row] = (await setup.readRows()).letters
  const found = await findLetter(setup.database.read, { code: row?.code ?? '' })
  if (!found) throw new Error('no letter was issued')
  letter = found
})
afterEach(() => setup.close())

/** Sets the signing keys of the environment, the current one first. */
function configureKeys(...keys: string[]): void {
  setup.ports.environment = createTestPorts({ LETTER_SIGNING_KEY: keys.join(',') }).environment
}
const context = () => ({ db: setup.database, ports: setup.ports })
const readPublicKeys = () => ensurePublicKeys(setup.database, setup.ports)
const revoke = (kid: string) =>
  setup.database.client.execute({
    sql: 'update letter_keys set revoked_at = ? where kid = ?',
    args: [1, kid],
  })

test('letters signed with a retired key stay valid, its public key stays published, and the new key signs', {
  tags: ['LETTER-11'],
}, async () => {
  const oldLetter = {
    pdf: await createSignedPdf(context(), letter),
    jwt: await createLetterCredential(context(), letter),
  }
  const before = await readSigningKey(setup.database, setup.ports)
  configureKeys(OTHER_LETTER_KEY)
  const after = await readSigningKey(setup.database, setup.ports)
  expect(after.kid).not.toBe(before.kid)
  const keys = await readPublicKeys()
  expect(keys.map(({ kid }) => kid).sort()).toEqual([before.kid, after.kid].sort())
  expect(await checkPdf(oldLetter.pdf, keys)).toMatchObject({ kind: 'genuine', key: { kid: before.kid } })
  const { PUBLIC_URL: publicUrl } = setup.ports.environment
  const options = { keys, publicUrl, now: setup.ports.time }
  expect(await checkCredential(oldLetter.jwt, options)).toMatchObject({ ok: true, key: { kid: before.kid } })
  expect(await checkPdf(await createSignedPdf(context(), letter), keys)).toMatchObject({
    key: { kid: after.kid },
  })
})

test('the first configured key signs, and the others are published before they are used', async () => {
  configureKeys(OTHER_LETTER_KEY, LETTER_KEY)
  expect(await readPublicKeys()).toHaveLength(2)
  const { jwk } = await readSigningKey(setup.database, setup.ports)
  expect(jwk.x).toBe(JSON.parse(OTHER_LETTER_KEY).x)
})

test('a letter with a self-signed certificate, from before there was a CA, stays genuine', {
  tags: ['DATA-31'],
}, async () => {
  const { issuer: _, ...key } = await readSigningKey(setup.database, setup.ports)
  const certificate = Uint8Array.from(Buffer.from(PREVIOUS_CERTIFICATES.selfSigned, 'base64'))
  const seal = { key: { ...key, certificate, issuer: undefined }, rule: undefined }
  const pdf = await createSignedPdf(context(), letter, seal)
  expect(await checkPdf(pdf, await readPublicKeys())).toMatchObject({ kind: 'genuine', certificate })
})

test('a revoked key neither signs nor verifies', { tags: ['LETTER-11'] }, async () => {
  const pdf = await createSignedPdf(context(), letter)
  const { kid } = await readSigningKey(setup.database, setup.ports)
  await revoke(kid)
  expect(await checkPdf(pdf, await readPublicKeys())).toEqual({ kind: 'revoked_key' })
  await expect(readSigningKey(setup.database, setup.ports)).rejects.toThrow('was revoked')
  configureKeys(OTHER_LETTER_KEY)
  const app = createApp(setup.ports)
  const jwks = await app.fetch(new Request('http://localhost:8080/.well-known/jwks.json'))
  const { keys } = (await jwks.json()) as { keys: { kid: string }[] }
  expect(keys).toHaveLength(1)
  expect(keys[0]?.kid).not.toContain(kid)
})

test('a key that many processes first use in parallel gets only one certificate, from one CA', async () => {
  await setup.database.client.execute('delete from letter_keys')
  await setup.database.client.execute('delete from letter_authorities')
  const keyLists = await Promise.all(Array.from({ length: 8 }, readPublicKeys))
  expect(new Set(keyLists.map(([key]) => String(key?.certificate))).size).toBe(1)
  const [key] = keyLists[0] ?? []
  const certificate = new X509Certificate(key?.certificate ?? new Uint8Array())
  const issuer = new X509Certificate(key?.issuer ?? new Uint8Array())
  expect(certificate.verify(issuer.publicKey)).toBe(true)
  expect(certificate.publicKey.export({ format: 'jwk' })).toEqual(key?.jwk)
  expect(certificate.ca).toBe(false)
  expect(certificate.subject).toBe('CN=University Registry')
  expect(issuer.subject).toBe('CN=University Registry Letters CA')
  expect(Date.parse(certificate.validFrom)).toBeLessThan(setup.ports.time)
  const { rows } = await setup.database.client.execute('select count(*) as count from letter_authorities')
  expect(rows[0]?.count).toBe(1)
})

const readText = async (sql: string) => String((await setup.database.client.execute(sql)).rows[0]?.[0])
const readSealedKey = () => readText('select sealed_key from letter_authorities where retired_at is null')

test('the CA’s private key is encrypted in the database, and re-encrypted when the JWT secrets change', {
  tags: ['DATA-32'],
}, async () => {
  const before = await readSigningKey(setup.database, setup.ports)
  expect(await readSealedKey()).toMatch(/^[\w-]+(\.[\w-]*){4}$/)
  const [previous, next] = [setup.ports.environment.JWT_SECRETS[0], 'another-secret-of-32-characters!']
  const configureSecrets = (JWT_SECRET: string, LETTER_SIGNING_KEY = LETTER_KEY) => {
    setup.ports.environment = createTestPorts({ JWT_SECRET, LETTER_SIGNING_KEY }).environment
  }
  configureSecrets(`${next},${previous}`)
  await readPublicKeys()
  // The previous secret is removed, and the next signing key gets its certificate from the same CA.
  configureSecrets(next, OTHER_LETTER_KEY)
  expect((await readSigningKey(setup.database, setup.ports)).issuer).toEqual(before.issuer)
  // After a secret is lost, a new CA certifies the letters' keys.
  configureSecrets('a-third-secret-that-opens-nothing', LETTER_KEY)
  expect((await readSigningKey(setup.database, setup.ports)).issuer).toEqual(before.issuer)
  await setup.database.client.execute('delete from letter_keys')
  const after = await readSigningKey(setup.database, setup.ports)
  expect(after.issuer).toBeDefined()
  expect(after.issuer).not.toEqual(before.issuer)
})

test.each([
  ['self-signed, with times in milliseconds', PREVIOUS_CERTIFICATES.malformed],
  ['self-signed', PREVIOUS_CERTIFICATES.selfSigned],
  ['unreadable', 'AAAA'],
])(
  'a stored key whose certificate is %s stays the same, but gets a certificate that PDF readers accept',
  async (_, text) => {
    const before = await readSigningKey(setup.database, setup.ports)
    const pdf = await createSignedPdf(context(), letter)
    await setup.database.client.execute({ sql: 'update letter_keys set certificate = ?', args: [text] })
    const keyLists = await Promise.all(Array.from({ length: 4 }, readPublicKeys))
    expect(new Set(keyLists.map(([key]) => String(key?.certificate))).size).toBe(1)
    const after = await readSigningKey(setup.database, setup.ports)
    expect(after.kid).toBe(before.kid)
    expect(after.issuer).toEqual(before.issuer)
    const certificate = new X509Certificate(after.certificate)
    expect(certificate.checkIssued(new X509Certificate(after.issuer ?? new Uint8Array()))).toBe(true)
    expect(Number.isNaN(Date.parse(certificate.validTo))).toBe(false)
    expect(await checkPdf(pdf, await readPublicKeys())).toMatchObject({ kind: 'genuine' })
  },
)

test('a signature is valid only for its data, and contains no time', async () => {
  const data = new TextEncoder().encode('what is signed')
  const key = await readSigningKey(setup.database, setup.ports)
  const publicKey = await importPublicKey(key.jwk)
  const signed = await signDetached(data, key)
  const cms = await encodeDetached(signed)
  expect(readDetached(cms)).toEqual(signed)
  expect(await verifyDetached(signed, data, publicKey)).toBe(true)
  const otherData = new TextEncoder().encode('what was not')
  expect(await verifyDetached(signed, otherData, publicKey)).toBe(false)
  // 1.2.840.113549.1.9.5, which ETSI EN 319 142-1 forbids here.
  expect(Buffer.from(cms).toString('hex')).not.toContain('06092a864886f70d010905')
})

test('guesses of a code count towards one limit for all formats of a letter', {
  tags: ['QUALITY-35'],
}, async () => {
  const app = createApp(setup.ports)
  const guess = (index: number) =>
    app.fetch(
      new Request(
        `http://localhost:8080/api/letters/${`GUESS${index}`.padEnd(12, 'X')}${['', '.pdf', '.jwt'][index % 3]}`,
      ),
      { peerAddress: '192.0.2.7' },
    )
  for (let index = 0; index < 20; index += 1) expect((await guess(index)).status).toBe(404)
  for (let index = 20; index < 23; index += 1) {
    const refused = await guess(index)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const template = letter.letter.template as VerificationTemplate
  expect(JSON.stringify(setup.ports.lines)).not.toContain(template.content.certificate_details.name)
  expect(JSON.stringify(setup.ports.lines)).not.toContain('GUESS')
})
