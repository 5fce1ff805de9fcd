import { makeUser } from '@portal/fixtures/factories'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { newAccount, request, signIn } from '../../test/portal.ts'

const login = (body: unknown) => request('POST', '/auth/login', { body })
const profileStatus = async (token: string) => (await request('GET', '/auth/profile', { token })).status
const decode = (part = '') => JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
const encode = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

describe('login', () => {
  test('returns a token for eight hours', { tags: ['SPEC-3.2', 'SPEC-7.3'] }, async () => {
    const account = await newAccount()
    const before = Date.now()
    const { body } = await login({ email: account.email.toUpperCase(), password: account.password })
    const claims = decode(body.token.split('.')[1])
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'role', 'sid', 'sub'])
    expect(claims).toMatchObject({ sub: account.id, role: 'user', aud: 'portal' })
    expect(claims.exp - claims.iat).toBe(8 * 3600)
    expect(Date.parse(body.expires_at)).toBe(claims.exp * 1000)
    const issuedAt = Date.parse(body.expires_at) - 8 * 3_600_000
    expect(issuedAt).toBeGreaterThan(before - 1000)
    expect(issuedAt).toBeLessThanOrEqual(Date.now())
    expect(decode(body.token.split('.')[0]).alg).toBe('HS256')
  })

  test('responds identically to an unknown email address and a wrong password', {
    tags: ['QUALITY-1'],
  }, async () => {
    const account = await newAccount()
    const wrong = await login({ email: account.email, password: 'Wrong1234' })
    const unknown = await login({ email: makeUser().email, password: 'Wrong1234' })
    const comparableParts = ({ status, body, headers }: typeof wrong) => ({
      status,
      body: { ...body, request_id: '' },
      headers: [...headers.keys()].sort(),
    })
    expect(comparableParts(wrong)).toEqual(comparableParts(unknown))
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CREDENTIALS'])
  })

  test('reports each wrong field', { tags: ['SPEC-5.1'] }, async () => {
    expect((await login({})).body.fields).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    })
    expect((await login({ email: 'nobody', password: 'x' })).body.fields).toEqual({
      email: 'Please enter a valid email address',
    })
  })

  test('succeeds for parallel logins to one account', async () => {
    const account = await newAccount()
    // Only a few logins, because a worker hashes sequentially, and each hash takes a second or more on a busy machine.
    const sessions = await Promise.all(
      Array.from({ length: 4 }, () => signIn(account.email, account.password)),
    )
    expect(new Set(sessions.map(({ token }) => token)).size).toBe(4)
  })
})

describe('a session', () => {
  test('ends immediately at logout, without ending other sessions', {
    tags: ['QUALITY-7', 'SPEC-7.3'],
  }, async () => {
    const account = await newAccount()
    const otherSession = await signIn(account.email, account.password)
    const { status, body } = await request('POST', '/auth/logout', { token: account.token })
    expect([status, body]).toEqual([200, { message: 'You have been logged out.' }])
    expect([await profileStatus(account.token), await profileStatus(otherSession.token)]).toEqual([401, 200])
    const secondReply = await request('POST', '/auth/logout', { token: account.token })
    expect([secondReply.status, secondReply.body.code]).toEqual([401, 'UNAUTHENTICATED'])
  })

  test('rejects every token that this server did not sign', {
    tags: ['QUALITY-9'],
  }, async () => {
    const account = await newAccount()
    const [head = '', body = '', signature = ''] = account.token.split('.')
    const claims = decode(body)
    const foreignToken = (payload: object, audience = 'portal') =>
      new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience)
        .sign(new TextEncoder().encode('a-secret-that-someone-guessed-0123456789'))
    const rejectedTokens = [
      '',
      'x',
      `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
      `${encode({ alg: 'none' })}.${body}.${signature}`,
      `${encode({ alg: 'HS512' })}.${body}.${signature}`,
      `${head}.${encode({ ...claims, role: 'super_admin' })}.${signature}`,
      `${head}.${encode({ ...claims, exp: claims.exp + 3600 })}.${signature}`,
      `${head}.${body}.${signature.slice(0, -2)}AA`,
      `${head}.${body}`,
      await foreignToken(claims),
      await foreignToken(claims, 'elsewhere'),
    ]
    for (const token of rejectedTokens) {
      const response = await request('GET', '/auth/profile', { token })
      expect([token, response.status, response.body.code]).toEqual([token, 401, 'UNAUTHENTICATED'])
    }
    expect((await request('GET', '/auth/profile')).status).toBe(401)
    const basic = { authorization: `Basic ${btoa('a:b')}` }
    expect((await request('GET', '/auth/profile', { headers: basic })).status).toBe(401)
    expect(await profileStatus(account.token)).toBe(200)
  })

  test('is ignored on a public route once it has ended', async () => {
    const account = await newAccount()
    await request('POST', '/auth/logout', { token: account.token })
    const { status } = await request('POST', '/auth/forgot-password', {
      token: account.token,
      body: { email: makeUser().email },
    })
    expect(status).toBe(200)
  })
})

describe('the sessions of an account', () => {
  test('are only shown to its owner, who can end the other sessions with the password', {
    tags: ['DATA-33'],
  }, async () => {
    const account = await newAccount()
    const login = await request('POST', '/auth/login', {
      body: { email: account.email, password: account.password },
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' },
    })
    const { token } = login.body
    const readSessions = async () => (await request('GET', '/account/sessions', { token })).body.sessions
    const time = expect.any(String)
    const times = { started_at: time, expires_at: time, last_used_at: time }
    expect(await readSessions()).toEqual([
      { ...times, current: true, browser: 'Firefox', system: 'Linux', ip_address: expect.any(String) },
      { ...times, current: false, browser: null, system: null, ip_address: expect.any(String) },
    ])
    const endOthers = (current_password: string) =>
      request('POST', '/account/sessions/end-others', { token, body: { current_password } })
    expect(await endOthers('Wrong1234')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURRENT_PASSWORD' },
    })
    expect(await profileStatus(account.token)).toBe(200)
    expect(await endOthers(account.password)).toMatchObject({ status: 200, body: { ended: 1 } })
    expect(await profileStatus(account.token)).toBe(401)
    expect(await readSessions()).toHaveLength(1)
  })
})
