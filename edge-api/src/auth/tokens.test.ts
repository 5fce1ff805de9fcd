import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { claimsOf, signToken } from './tokens.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const SECOND = 1000
const secrets = ['a-secret-of-these-tests-0123456789ab', 'the-one-before-it-0123456789abcdefgh'] as const
const session = { userId: 'u1', sessionId: 's1', role: 'user', issuedAt: NOW, expiresAt: NOW + 60 * SECOND }

test('a token says whose session it names for as long as it runs, however often it is asked', async () => {
  const token = await signToken(session, secrets)
  const said = { userId: 'u1', sessionId: 's1', expiresAt: session.expiresAt }
  for (const now of [NOW, NOW + SECOND, NOW + 59 * SECOND])
    expect(await claimsOf(token, secrets, now)).toEqual(said)
  for (const now of [NOW + 60 * SECOND, NOW + 61 * SECOND])
    expect(await claimsOf(token, secrets, now)).toBeUndefined()
  // A clock that was set back.
  expect(await claimsOf(token, secrets, NOW)).toEqual(said)
})

test('what was verified once says nothing of another token, or under other secrets', async () => {
  const token = await signToken(session, [secrets[1]])
  expect(await claimsOf(token, secrets, NOW)).toMatchObject({ userId: 'u1' })
  expect(await claimsOf(token, [secrets[0]], NOW)).toBeUndefined()
  const [head, payload, signature] = token.split('.')
  const other = btoa(
    JSON.stringify({ ...session, sub: 'u2', sid: 's2', aud: 'portal', exp: 9e9 }),
  ).replaceAll('=', '')
  for (const bad of [
    `${head}.${other}.${signature}`,
    `${head}.${payload}.${signature?.slice(1)}A`,
    `${token}.x`,
  ])
    for (let times = 0; times < 2; times++) expect(await claimsOf(bad, secrets, NOW)).toBeUndefined()
  expect(await claimsOf(token, secrets, NOW)).toMatchObject({ userId: 'u1' })
})

test('a token that is not to be used yet is nobody until then', async () => {
  const claims = { sid: 's1', role: 'user', sub: 'u1', aud: 'portal', exp: NOW / SECOND + 60 }
  const token = await new SignJWT({ ...claims, nbf: NOW / SECOND + 30 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secrets[0]))
  expect(await claimsOf(token, secrets, NOW)).toBeUndefined()
  expect(await claimsOf(token, secrets, NOW + 31 * SECOND)).toMatchObject({ sessionId: 's1' })
})

test('tokens beyond those that are kept are verified anew', async () => {
  const first = await signToken(session, secrets)
  expect(await claimsOf(first, secrets, NOW)).toBeDefined()
  const verified = await Promise.all(
    Array.from({ length: 5010 }, async (_, at) => {
      const token = await signToken({ ...session, sessionId: `s${at}` }, secrets)
      return (await claimsOf(token, secrets, NOW))?.sessionId === `s${at}`
    }),
  )
  expect(verified.every(Boolean)).toBe(true)
  expect(await claimsOf(first, secrets, NOW)).toMatchObject({ sessionId: 's1' })
})
