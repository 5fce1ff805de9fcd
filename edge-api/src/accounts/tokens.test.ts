import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { claimsOf, signToken } from './tokens.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const SECOND = 1000
const secrets = ['a-secret-of-these-tests-0123456789ab', 'the-previous-secret-0123456789abcdef'] as const
const session = { userId: 'u1', sessionId: 's1', role: 'user', issuedAt: NOW, expiresAt: NOW + 60 * SECOND }

test('a token identifies its session until it expires', async () => {
  const token = await signToken(session, secrets)
  const claims = { userId: 'u1', sessionId: 's1', expiresAt: session.expiresAt }
  for (const now of [NOW, NOW + SECOND, NOW + 59 * SECOND])
    expect(await claimsOf(token, secrets, now)).toEqual(claims)
  for (const now of [NOW + 60 * SECOND, NOW + 61 * SECOND])
    expect(await claimsOf(token, secrets, now)).toBeUndefined()
  // If the clock was set back in the meantime, the token is valid again.
  expect(await claimsOf(token, secrets, NOW)).toEqual(claims)
})

test('rejects a token whose last characters were changed without changing its bytes', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const token = await signToken(session, secrets)
  for (const [index, segment] of token.split('.').entries())
    for (const last of alphabet) {
      const segments = token.split('.')
      segments[index] = segment.slice(0, -1) + last
      const changed = segments.join('.')
      if (changed !== token) expect(await claimsOf(changed, secrets, NOW), changed).toBeUndefined()
    }
  expect(await claimsOf(token, secrets, NOW)).toMatchObject({ userId: 'u1' })
})

test('a cached verification does not apply to another token or other secrets', async () => {
  const token = await signToken(session, [secrets[1]])
  expect(await claimsOf(token, secrets, NOW)).toMatchObject({ userId: 'u1' })
  expect(await claimsOf(token, [secrets[0]], NOW)).toBeUndefined()
  const [head, payload, signature] = token.split('.')
  const otherPayload = btoa(
    JSON.stringify({ ...session, sub: 'u2', sid: 's2', aud: 'portal', exp: 9e9 }),
  ).replaceAll('=', '')
  for (const bad of [
    `${head}.${otherPayload}.${signature}`,
    `${head}.${payload}.${signature?.slice(1)}A`,
    `${token}.x`,
  ])
    for (let times = 0; times < 2; times++) expect(await claimsOf(bad, secrets, NOW)).toBeUndefined()
  expect(await claimsOf(token, secrets, NOW)).toMatchObject({ userId: 'u1' })
})

test('a token that is not valid yet identifies no one until it is', async () => {
  const claims = { sid: 's1', role: 'user', sub: 'u1', aud: 'portal', exp: NOW / SECOND + 60 }
  const token = await new SignJWT({ ...claims, nbf: NOW / SECOND + 30 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secrets[0]))
  expect(await claimsOf(token, secrets, NOW)).toBeUndefined()
  expect(await claimsOf(token, secrets, NOW + 31 * SECOND)).toMatchObject({ sessionId: 's1' })
})

test('a token has the type JWT and times in whole seconds', async () => {
  const token = await signToken({ ...session, issuedAt: NOW + 999 }, secrets)
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(decodeJwt(token)).toEqual({
    sub: 'u1',
    sid: 's1',
    role: 'user',
    aud: 'portal',
    iat: NOW / SECOND,
    exp: NOW / SECOND + 60,
  })
})

test.each(['sub', 'sid', 'exp'])('a token without "%s" identifies no one', async missing => {
  const claims = { sid: 's1', sub: 'u1', aud: 'portal', exp: NOW / SECOND + 60, [missing]: undefined }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secrets[0]))
  expect(await claimsOf(token, secrets, NOW)).toBeUndefined()
})

test('a key is imported only once per secret, and cannot be exported', async () => {
  const importKeySpy = vi.spyOn(crypto.subtle, 'importKey')
  const newSecrets = ['a-secret-of-this-test-0123456789abcdef'] as const
  const token = await signToken(session, newSecrets)
  expect(await claimsOf(token, newSecrets, NOW)).toBeDefined()
  expect(importKeySpy.mock.calls).toHaveLength(1)
  const key: CryptoKey = await importKeySpy.mock.results[0]?.value
  expect(key.extractable).toBe(false)
  importKeySpy.mockRestore()
})

test('a session ID must be text', async () => {
  const token = await new SignJWT({ sid: 1, sub: 'u1', aud: 'portal', exp: NOW / SECOND + 60 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secrets[0]))
  expect(await claimsOf(token, secrets, NOW)).toBeUndefined()
})

describe('a signature', () => {
  /** Returns a new list of the secrets: the cache is keyed by the list itself, so each test needs its own. */
  const copySecrets = () => [...secrets] as const
  const sign = (sid: string) => signToken({ ...session, sessionId: sid }, secrets)
  let verifySpy: MockInstance<typeof crypto.subtle.verify>
  beforeEach(() => {
    verifySpy = vi.spyOn(crypto.subtle, 'verify')
  })
  afterEach(() => verifySpy.mockRestore())

  test('is verified only once per token, even if tokens alternate', async () => {
    const list = copySecrets()
    const tokens = [await sign('one'), await sign('two')]
    for (let times = 0; times < 3; times++)
      for (const token of tokens) expect(await claimsOf(token, list, NOW)).toBeDefined()
    expect(verifySpy).toHaveBeenCalledTimes(2)
  })

  test('is removed from the cache once its token has expired', async () => {
    const list = copySecrets()
    const token = await sign('one')
    for (const now of [NOW, NOW + 60 * SECOND, NOW]) await claimsOf(token, list, now)
    expect(verifySpy).toHaveBeenCalledTimes(2)
  })

  test('is cached for up to 5,000 tokens, after which the oldest is replaced', async () => {
    const list = copySecrets()
    const tokens = await Promise.all(Array.from({ length: 5001 }, (_, index) => sign(`s${index}`)))
    const [first = '', second = ''] = tokens
    const last = tokens.pop() ?? ''
    for (const [index, token] of tokens.entries())
      expect(await claimsOf(token, list, NOW)).toMatchObject({ sessionId: `s${index}` })
    verifySpy.mockClear()
    for (const token of [second, first]) await claimsOf(token, list, NOW)
    expect(verifySpy).toHaveBeenCalledTimes(0)
    for (const token of [last, second]) await claimsOf(token, list, NOW)
    expect(verifySpy).toHaveBeenCalledTimes(1)
    expect(await claimsOf(first, list, NOW)).toMatchObject({ sessionId: 's0' })
    expect(verifySpy).toHaveBeenCalledTimes(2)
  })
})
