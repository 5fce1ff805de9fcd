import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

let portal: RunningPortal
beforeAll(async () => {
  portal = await startPortal({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
})
afterAll(() => portal?.stop())

let callers = 0
const login = (email: string, password: string, cookie?: string) =>
  request('POST', '/auth/login', {
    portal,
    body: { email, password },
    headers: {
      'x-forwarded-for': `198.51.100.${++callers % 250}`,
      ...(cookie && { cookie }),
    },
  })

/** Logs in and returns the cookie that the browser would send from then on. */
async function logInForCookie(email: string, cookie?: string): Promise<string> {
  const response = await login(email, DEMO_PASSWORD, cookie)
  expect(response.status).toBe(200)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function lockOut(email: string, cookie?: string): Promise<void> {
  for (let n = 0; n < 10; n++) expect((await login(email, 'Wrong1234', cookie)).status).toBe(401)
  expect((await login(email, 'Wrong1234', cookie)).status).toBe(429)
}

test('a browser that has logged in before is not locked out by others', {
  tags: ['QUALITY-57'],
}, async () => {
  const { email } = personas.user
  const deviceCookie = await logInForCookie(email)
  await lockOut(email)
  expect((await login(email, DEMO_PASSWORD)).status).toBe(429)
  expect((await login(email, DEMO_PASSWORD, deviceCookie)).status).toBe(200)
})

test('a known browser has its own limit of ten wrong passwords', {
  tags: ['QUALITY-57'],
}, async () => {
  const { email } = personas.otherUser
  const deviceCookie = await logInForCookie(email)
  await lockOut(email, deviceCookie)
  expect((await login(email, DEMO_PASSWORD, deviceCookie)).status).toBe(429)
  expect((await login(email, DEMO_PASSWORD)).status).toBe(200)
})

test('a browser shared by several accounts is remembered for each of them', async () => {
  const firstCookie = await logInForCookie(personas.superAdmin.email)
  const cookieOfBoth = await logInForCookie(personas.longNames.email, firstCookie)
  await lockOut(personas.superAdmin.email)
  expect((await login(personas.superAdmin.email, DEMO_PASSWORD)).status).toBe(429)
  expect((await login(personas.superAdmin.email, DEMO_PASSWORD, cookieOfBoth)).status).toBe(200)
})

test('a device cookie does not work for another account or after being altered', {
  tags: ['QUALITY-57'],
}, async () => {
  const { email } = personas.admin
  const cookieOfOther = await logInForCookie(personas.hospital.email)
  const ownCookie = await logInForCookie(email)
  await lockOut(email, cookieOfOther)
  expect((await login(email, DEMO_PASSWORD, cookieOfOther)).status).toBe(429)
  const last = ownCookie.at(-1) === 'A' ? 'B' : 'A'
  for (const cookie of [`${ownCookie.slice(0, -1)}${last}`, 'device=x', 'device='])
    expect((await login(email, DEMO_PASSWORD, cookie)).status).toBe(429)
  expect((await login(email, DEMO_PASSWORD, ownCookie)).status).toBe(200)
})

test('a device cookie is sent only to the login route, and is hidden from scripts and other sites', async () => {
  const response = await request('POST', '/auth/login', {
    portal,
    body: { email: personas.bureau.email, password: DEMO_PASSWORD },
  })
  expect(response.headers.get('set-cookie')).toMatch(
    /^device=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=31536000; Path=\/api\/auth\/login; HttpOnly; SameSite=Strict$/,
  )
  expect((await login('nobody@demo.test', 'Wrong1234')).headers.get('set-cookie')).toBeNull()
})
