import { createPublicKey } from 'node:crypto'
import { base64url, type CompactJWSHeaderParameters, CompactSign, importJWK } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCredentialInput } from '../../test/credential-input.ts'
import { LEGACY_CREDENTIAL } from '../../test/former-credential.ts'
import { LETTER_KEY, OTHER_LETTER_KEY } from '../../test/letter-keys.ts'
import {
  createTemporaryDatabase,
  createTestPorts,
  type TemporaryDatabase,
} from '../../test/temporary-database.ts'
import { buildCredential, checkCredential, signCredential } from './credential.ts'
import { keyIdOf } from './did.ts'
import { toLowS } from './ecdsa.ts'
import { ensurePublicKeys, readSigningKey, type SigningKey } from './keys.ts'
import { buildStatusEntries } from './status-list.ts'

const publicUrl = 'https://verify.imole.test:8443'
const ports = createTestPorts()
const now = ports.time

const input = {
  ...makeCredentialInput({ publicUrl, issuedAt: now - 1000 }),
  status: buildStatusEntries(131_072 + 7, publicUrl),
}
const credential = buildCredential(input, publicUrl)

let temporary: TemporaryDatabase
let key: SigningKey
let token: string
beforeAll(async () => {
  temporary = await createTemporaryDatabase()
  key = await readSigningKey(temporary.database, ports)
  token = await signCredential(credential, key, publicUrl)
})
afterAll(() => temporary.remove())

const check = (jwt: string, keys = [key]) => checkCredential(jwt, { keys, publicUrl, now })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a credential', () => {
  test('is accepted by our own check', async () => {
    expect(await check(token)).toMatchObject({
      ok: true,
      code: 'ABCDEFGHJKMN',
      issuer: 'Ìmọ́lẹ̀ University',
    })
  })

  test('of an earlier version is still genuine', async () => {
    expect(await check(LEGACY_CREDENTIAL)).toMatchObject({ ok: true, code: 'ABCDEFGHJKMN' })
  })

  test('is verified by a library other than the one that signed it', { tags: ['LETTER-8'] }, () => {
    const pem = createPublicKey({ key: { ...key.jwk }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    const verified = jsonwebtoken.verify(token, pem, {
      algorithms: ['ES256'],
      issuer: 'did:web:verify.imole.test%3A8443',
      complete: true,
    })
    expect(verified.header).toMatchObject({ typ: 'vc+jwt', cty: 'vc', kid: keyIdOf(publicUrl, key.kid) })
    expect(verified.payload).toMatchObject({ credentialSubject: { certificateNumber: 'UG/2019/00123' } })
    const altered = `${token.slice(0, -4)}AAAA`
    expect(() => jsonwebtoken.verify(altered, pem, { algorithms: ['ES256'] })).toThrow('invalid signature')
  })

  test('has the parts that the data model requires', () => {
    expect(credential['@context'][0]).toBe('https://www.w3.org/ns/credentials/v2')
    expect(credential.type[0]).toBe('VerifiableCredential')
    expect(credential.issuer.id).toBe('did:web:verify.imole.test%3A8443')
    expect(credential.credentialStatus).toEqual([
      {
        id: `${publicUrl}/api/status-lists/2#7`,
        type: 'BitstringStatusListEntry',
        statusPurpose: 'revocation',
        statusListIndex: '7',
        statusListCredential: `${publicUrl}/api/status-lists/2`,
      },
      expect.objectContaining({
        statusPurpose: 'suspension',
        statusListCredential: `${publicUrl}/api/status-lists/3`,
      }),
    ])
  })
})

/** Signs a credential with our own key, so that only the check of the content can refuse it. */
async function signPayload(
  payload: object,
  header: Partial<CompactJWSHeaderParameters> = {},
  signingKey = LETTER_KEY,
) {
  const jwt = await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256', typ: 'vc+jwt', kid: keyIdOf(publicUrl, key.kid), ...header })
    .sign(await importJWK(JSON.parse(signingKey), 'ES256'))
  const signatureStart = jwt.lastIndexOf('.') + 1
  return jwt.slice(0, signatureStart) + base64url.encode(toLowS(base64url.decode(jwt.slice(signatureStart))))
}
const claims = { iss: 'did:web:verify.imole.test%3A8443', ...credential }
const iso = (at: number) => new Date(at).toISOString()

describe('the check refuses', () => {
  test.each<[string, string, () => Promise<string> | string]>([
    ['another payload', 'signature', () => replacePart(1, encode({ ...claims, name: 'Forged' }))],
    ['another signature', 'signature', () => replacePart(2, Buffer.alloc(64, 1).toString('base64url'))],
    ['no signature', 'malformed', () => replacePart(2, '')],
    ['a short signature', 'algorithm', () => replacePart(2, Buffer.alloc(40, 1).toString('base64url'))],
    ['alg none', 'algorithm', () => replacePart(0, encode({ alg: 'none', typ: 'vc+jwt' }))],
    ['alg none without a signature', 'malformed', () => `${encode({ alg: 'none' })}.${encode(claims)}.`],
    [
      'HS256 with the public key as secret',
      'algorithm',
      () => jsonwebtoken.sign(claims, JSON.stringify(key.jwk), { algorithm: 'HS256', noTimestamp: true }),
    ],
    [
      'our key ID on the signature of another key',
      'signature',
      () => signPayload(claims, {}, OTHER_LETTER_KEY),
    ],
    ['a key that is not ours', 'unknown_key', () => signPayload(claims, { kid: 'did:web:evil.test#1' })],
    ['no key ID', 'unknown_key', () => replacePart(0, encode({ alg: 'ES256', typ: 'vc+jwt' }))],
    ['a key in the header', 'malformed', () => signPayload(claims, { jwk: key.jwk })],
    [
      'an unknown header that must be understood',
      'malformed',
      () => replacePart(0, encode({ crit: ['x'], x: 1 })),
    ],
    ['a plain JWT', 'malformed', () => signPayload(claims, { typ: 'JWT' })],
    ['an expired credential', 'expired', () => signPayload({ ...claims, validUntil: iso(now - 1) })],
    ['a credential whose exp has passed', 'expired', () => signPayload({ ...claims, exp: now / 1000 - 1 })],
    [
      'a credential that is not yet valid',
      'not_yet_valid',
      () => signPayload({ ...claims, validFrom: iso(now + 1000) }),
    ],
    [
      'another issuer',
      'issuer',
      () => signPayload({ ...claims, issuer: { id: 'did:web:evil.test', name: 'x' } }),
    ],
    ['a claim of another issuer', 'issuer', () => signPayload({ ...claims, iss: 'did:web:evil.test' })],
    [
      'a credential without a subject',
      'malformed',
      () => signPayload({ ...claims, credentialSubject: undefined }),
    ],
    [
      'a credential of another type',
      'malformed',
      () => signPayload({ ...claims, type: ['VerifiableCredential'] }),
    ],
    ['a status list', 'malformed', () => signPayload({ ...claims, type: ['BitstringStatusListCredential'] })],
    ['a header that is not JSON', 'malformed', () => replacePart(0, Buffer.from('{').toString('base64url'))],
    ['padding', 'malformed', () => `${token}=`],
    ['a fourth part', 'malformed', () => `${token}.${encode({})}`],
    ['two parts', 'malformed', () => token.slice(0, token.lastIndexOf('.'))],
    ['a space inside', 'malformed', () => token.replace('.', ' .')],
    ['unused bits that are set', 'malformed', () => withUnusedBit()],
    ['an empty text', 'malformed', () => ''],
  ])('%s as %s', async (_, fault, makeToken) => {
    expect(await check(await makeToken())).toMatchObject({ ok: false, fault })
  })

  test('everything that a revoked key signed', async () => {
    expect(await check(token, [{ ...key, revoked: true }])).toMatchObject({ ok: false, fault: 'revoked_key' })
  })

  test('everything if no key is known', async () => {
    const none = await checkCredential(token, { keys: [], publicUrl, now })
    expect(none).toMatchObject({ ok: false, fault: 'unknown_key' })
    const publicKeys = await ensurePublicKeys(temporary.database, ports)
    expect((await checkCredential(token, { keys: publicKeys, publicUrl, now })).ok).toBe(true)
  })
})

/** Returns the token with one of its three parts replaced. */
function replacePart(position: number, replacement: string): string {
  return token
    .split('.')
    .map((part, index) => (index === position ? replacement : part))
    .join('.')
}

/**
 * Returns the token with one unused bit set. The last base64url character of 64 bytes has four unused bits, so this encodes the
 * same bytes differently.
 */
function withUnusedBit(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? '') + 1]
}
