import { createClient } from '@libsql/client'
import { makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiResponse, request, signIn } from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

// Separate portals (on Deno), because these tests use up limits and break the database.

let portal: RunningPortal
let behindProxy: RunningPortal
beforeAll(async () => {
  ;[portal, behindProxy] = await Promise.all([
    startPortal({ RATE_LIMIT_SCALE: '1' }),
    startPortal({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' }),
  ])
})
afterAll(async () => {
  await Promise.all([portal?.stop(), behindProxy?.stop()])
})

const wrongLogin = (target: RunningPortal, email: string, address?: string) =>
  request('POST', '/auth/login', {
    portal: target,
    body: { email, password: 'Wrong1234' },
    headers: address ? { 'x-forwarded-for': address } : {},
  })

const expectLimited = (response: ApiResponse, window: number) => {
  expect([response.status, response.body.code]).toEqual([429, 'RATE_LIMITED'])
  const wait = Number(response.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(window * 0.8)
  expect(wait).toBeLessThanOrEqual(window)
}

describe('wrong passwords', () => {
  test('for one account from changing IP addresses are limited to ten, without affecting other accounts', {
    tags: ['QUALITY-3'],
  }, async () => {
    const { email } = personas.user
    for (let n = 1; n <= 10; n++) {
      expect((await wrongLogin(behindProxy, email, `198.51.100.${n}`)).status).toBe(401)
    }
    expectLimited(await wrongLogin(behindProxy, email, '198.51.100.99'), 900)
    const correctLogin = await request('POST', '/auth/login', {
      portal: behindProxy,
      body: { email, password: DEMO_PASSWORD },
      headers: { 'x-forwarded-for': '198.51.100.100' },
    })
    expectLimited(correctLogin, 900)
    await signIn(personas.otherUser.email, DEMO_PASSWORD, behindProxy)
  })

  test('for an unknown account are limited just as for a known one', async () => {
    const { email } = makeUser()
    const responses = []
    for (let n = 1; n <= 11; n++) responses.push(await wrongLogin(behindProxy, email, `203.0.113.${n}`))
    expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429])
  })

  test('are limited in parallel requests just as in consecutive ones', async () => {
    const { email } = makeUser()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => wrongLogin(behindProxy, email, `192.0.2.${n}`)),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  test('from one IP address for changing accounts are limited to 50, even with a forged header', {
    tags: ['QUALITY-6'],
  }, async () => {
    const responses = []
    for (let n = 0; n < 51; n++) {
      responses.push(await wrongLogin(portal, makeUser().email, `198.51.100.${n}`))
    }
    expect(responses.slice(0, 50).every(({ status }) => status === 401)).toBe(true)
    expectLimited(await wrongLogin(portal, makeUser().email, '203.0.113.77'), 900)
  })
})

test('correct passwords do not count towards the limits', async () => {
  for (let n = 0; n < 12; n++) await signIn(personas.admin.email, DEMO_PASSWORD, behindProxy)
})

describe('mails', () => {
  test('can be requested at most five times an hour from one IP address', async () => {
    const post = (path: string) => request('POST', path, { portal, body: { email: makeUser().email } })
    for (let n = 0; n < 5; n++) {
      const path = n % 2 ? '/auth/forgot-password' : '/auth/resend-verification'
      expect((await post(path)).status).toBe(200)
    }
    expectLimited(await post('/auth/forgot-password'), 3600)
    expectLimited(await post('/auth/resend-verification'), 3600)
  })

  test('can be requested at most five times an hour for one recipient, with or without an account', async () => {
    for (const email of [personas.user.email, makeUser().email]) {
      const post = (n: number) =>
        request('POST', '/auth/forgot-password', {
          portal: behindProxy,
          body: { email },
          headers: { 'x-forwarded-for': `203.0.113.${n}` },
        })
      for (let n = 0; n < 5; n++) expect((await post(n)).status).toBe(200)
      expectLimited(await post(6), 3600)
    }
  })

  test('are limited for registrations too', async () => {
    const register = () => request('POST', '/auth/register', { portal, body: makeUser() })
    for (let n = 0; n < 5; n++) expect((await register()).status).toBe(201)
    expectLimited(await register(), 3600)
  })
})

test('if the rate-limit table is missing, logins are refused and reads continue', {
  tags: ['QUALITY-5'],
}, async () => {
  const token = (await signIn(personas.otherUser.email, DEMO_PASSWORD, behindProxy)).token
  const client = createClient({ url: `file:${behindProxy.folder}/portal.db`, timeout: 5000 })
  await client.execute('alter table rate_limits rename to rate_limits_away')
  try {
    const login = await request('POST', '/auth/login', {
      portal: behindProxy,
      body: { email: personas.otherUser.email, password: DEMO_PASSWORD },
    })
    expect([login.status, login.body.code]).toEqual([503, 'DATABASE_UNAVAILABLE'])
    expect((await request('GET', '/auth/profile', { portal: behindProxy, token })).status).toBe(200)
    const publicStatus = await request(
      'GET',
      '/verification/public/payment-status/CVF000000000000000000000',
      {
        portal: behindProxy,
      },
    )
    expect([publicStatus.status, publicStatus.body.code]).toEqual([404, 'TRANSACTION_NOT_FOUND'])
  } finally {
    await client.execute('alter table rate_limits_away rename to rate_limits')
    client.close()
  }
  await signIn(personas.otherUser.email, DEMO_PASSWORD, behindProxy)
})
