import { createPublicKey } from 'node:crypto'
import { UnsignedAchievementCredentialValidator } from '@learncard/types'
import { base64url, CompactSign, importJWK } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCredentialInput } from '../../test/credential-input.ts'
import { expand } from '../../test/expand.ts'
import { LETTER_KEY } from '../../test/letter-keys.ts'
import {
  createTemporaryDatabase,
  createTestPorts,
  type TemporaryDatabase,
} from '../../test/temporary-database.ts'
import { checkCredential, signOpenBadge } from './credential.ts'
import { didOf, keyIdOf } from './did.ts'
import { toLowS } from './ecdsa.ts'
import { readSigningKey, type SigningKey } from './keys.ts'
import { buildOpenBadge, toJwtClaims } from './open-badge.ts'

const publicUrl = 'https://verify.imole.test:8443'
const ports = createTestPorts()
const now = ports.time
const input = makeCredentialInput({ publicUrl, issuedAt: now - 1234 })

let temporary: TemporaryDatabase
let key: SigningKey
let badge: Awaited<ReturnType<typeof buildOpenBadge>>
let token: string
beforeAll(async () => {
  temporary = await createTemporaryDatabase()
  key = await readSigningKey(temporary.database, ports)
  badge = await buildOpenBadge(input, publicUrl)
  token = await signOpenBadge({ ...toJwtClaims(badge), ...badge }, key, publicUrl)
})
afterAll(() => temporary?.remove())

const check = (jwt: string) => checkCredential(jwt, { keys: [key], publicUrl, now })

test('an Open Badge has the structure that the standard requires, according to an independent implementation', () => {
  expect(UnsignedAchievementCredentialValidator.safeParse(badge).error).toBeUndefined()
  // The badge has a single status, because the standard's own JSON schema refuses a list.
  expect(badge.credentialStatus).toMatchObject({ statusPurpose: 'revocation' })
})

test('an Open Badge loses no term when it is expanded with the published contexts', async () => {
  const expandedBadge = JSON.stringify(await expand(badge))
  const { name, degree, class: grade } = input.template.content.certificate_details
  for (const fact of [name, degree, grade, input.certificateNumber]) expect(expandedBadge).toContain(fact)
  expect(expandedBadge).toContain('https://purl.imsglobal.org/spec/vc/ob/vocab.html#licenseNumber')
  await expect(expand({ ...badge, unknownTerm: 'x' })).rejects.toThrow()
})

test('the JWT of an Open Badge has the headers and claims that the standard requires, and another library verifies it', () => {
  const pem = createPublicKey({ key: { ...key.jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const { header, payload } = jsonwebtoken.verify(token, pem, { algorithms: ['ES256'], complete: true })
  expect(header).toEqual({ alg: 'ES256', typ: 'JWT', kid: keyIdOf(publicUrl, key.kid) })
  expect(payload).toMatchObject({
    iss: badge.issuer.id,
    jti: badge.id,
    sub: badge.credentialSubject.id,
    nbf: Date.parse(badge.validFrom) / 1000,
  })
})

test('identifiers stay the same for the same certificate and degree, and differ for others', async () => {
  const secondBadge = await buildOpenBadge({ ...input, code: 'ZZZZZZZZZZZZ' }, publicUrl)
  expect(secondBadge.credentialSubject.id).toBe(badge.credentialSubject.id)
  const other = await buildOpenBadge({ ...input, certificateId: crypto.randomUUID() }, publicUrl)
  expect(other.credentialSubject.id).not.toBe(badge.credentialSubject.id)
  expect(other.credentialSubject.achievement.id).toBe(badge.credentialSubject.achievement.id)
  expect(badge.credentialSubject.id).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('the check of a file returns the letter of an Open Badge', async () => {
  expect(await check(token)).toMatchObject({ ok: true, code: input.code })
})

test.each<[string, string, object, string]>([
  ['another type', 'malformed', { type: ['VerifiableCredential'] }, 'JWT'],
  ['the identifier of another portal', 'malformed', { id: 'https://evil.test/api/letters/A.ob3' }, 'JWT'],
  ['the type of a letter’s credential in the header', 'malformed', {}, 'vc+jwt'],
  ['another issuer', 'issuer', { iss: 'did:web:evil.test' }, 'JWT'],
  ['a time in the future', 'not_yet_valid', { nbf: now / 1000 + 60 }, 'JWT'],
])('an Open Badge with %s is refused as %s', async (_, fault, change, typ) => {
  const payload = JSON.stringify({ ...toJwtClaims(badge), ...badge, iss: didOf(publicUrl), ...change })
  const jwt = await new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: 'ES256', typ, kid: keyIdOf(publicUrl, key.kid) })
    .sign(await importJWK(JSON.parse(LETTER_KEY), 'ES256'))
  const signatureStart = jwt.lastIndexOf('.') + 1
  const lowSJwt =
    jwt.slice(0, signatureStart) + base64url.encode(toLowS(base64url.decode(jwt.slice(signatureStart))))
  expect(await check(lowSJwt)).toMatchObject({ ok: false, fault })
})
