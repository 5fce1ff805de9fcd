import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { createApp } from '../app.ts'
import type { Assets } from '../ports.ts'
import { toAllowedOrigin } from './override-cookie.ts'
import { withOverrides } from './overrides.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const POINTER_PATH = '/config/remotes.json'
const area = { path: 'finance', title: 'Finance', roles: ['admin'] }
const livePointer = {
  revision: 'abc',
  api: '/api',
  remotes: [
    { name: 'mfe-user', release: 'r1', manifest: '/r/mfe-user/r1/mf-manifest.json', integrity: {} },
    { name: 'mfe-finance', area, release: 'r1', manifest: '/r/mfe-finance/r1/mf-manifest.json' },
  ],
}
const page =
  '<!doctype html><html lang="en"><head><script defer src="/js/shell.js"></script></head><body><div id="root"></div></body></html>'

/** Starts a portal whose configuration allows these origins. */
function startPortal(...allowedOrigins: string[]) {
  const files: Assets = {
    get: async path => {
      if (path === POINTER_PATH) return Response.json(livePointer, { headers: { ETag: '"live"' } })
      return new Response(page, { headers: { 'Content-Type': 'text/html', ETag: '"page"' } })
    },
  }
  Object.assign(setup.ports.environment, { FRONT_END_OVERRIDES: allowedOrigins })
  setup.ports.assets = withOverrides(files, setup.ports)
  const app = createApp(setup.ports)
  return (path: string, init: RequestInit = {}) =>
    app.fetch(new Request(`http://localhost:8080${path}`, init), { peerAddress: '192.0.2.9' })
}

async function tokenOf(role: 'user' | 'admin'): Promise<string> {
  const { id: userId } = await setup.newUser(role)
  const now = setup.ports.clock.now()
  const session = { userId, sessionId: crypto.randomUUID(), role, issuedAt: now, expiresAt: now + 3_600_000 }
  const { sessionId: id, expiresAt } = session
  await setup.database.write(tx => insertSession(tx, { id, userId, createdAt: now, expiresAt }))
  return await signToken(session, setup.ports.environment.JWT_SECRETS)
}

const post = (body: object, token?: string, overrides: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
    ...overrides,
  },
  body: JSON.stringify(body),
})
const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const ownOverride = { name: 'mfe-user', origin: 'http://localhost:4302' }

test('staff get the micro-frontend of their override in this browser, and everyone else keeps the live one', async () => {
  const get = startPortal('loopback')
  const set = await get('/overrides', post(ownOverride, await tokenOf('admin')))
  expect(set.status).toBe(200)
  expect(await set.json()).toEqual({ start: '/dashboard' })
  expect(set.headers.get('set-cookie')).toMatch(/; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax$/)
  const headers = { Cookie: cookieOf(set) }

  const shown = await get(POINTER_PATH, { headers: { ...headers, 'If-None-Match': '"live"' } })
  expect(shown.headers.get('cache-control')).toBe('private, no-store')
  expect((await shown.json()).remotes).toEqual([
    { name: 'mfe-user', manifest: 'http://localhost:4302/mf-manifest.json' },
    livePointer.remotes[1],
  ])
  expect(await (await get(POINTER_PATH)).json()).toEqual(livePointer)

  const html = await get('/dashboard', { headers })
  const text = await html.text()
  expect(text).toContain('<html data-override="mfe-user"')
  expect(text).toContain('<strong>mfe-user</strong> comes from http://localhost:4302')
  expect(text.indexOf('http://localhost:4302/development-react.js')).toBeLessThan(
    text.indexOf('/js/shell.js'),
  )
  expect(html.headers.get('cache-control')).toBe('private, no-cache')

  const endReply = await get('/overrides/end', { headers })
  expect(endReply.headers.get('set-cookie')).toMatch(/^portal-override=; Max-Age=0;/)
})

test('only pages of this browser may load code from the development server', async () => {
  const get = startPortal('loopback')
  const headers = { Cookie: cookieOf(await get('/overrides', post(ownOverride, await tokenOf('admin')))) }
  const policyOf = async (init?: RequestInit) =>
    Object.fromEntries(
      ((await get('/dashboard', init)).headers.get('content-security-policy') ?? '').split('; ').map(item => {
        const [name = '', ...sources] = item.split(' ')
        return [name, sources]
      }),
    )
  const policy = await policyOf({ headers })
  expect(policy['script-src']).toEqual(["'self'", ownOverride.origin])
  expect(policy['connect-src']).toEqual(["'self'", ownOverride.origin, 'ws://localhost:4302'])
  expect(JSON.stringify(await policyOf())).not.toContain('4302')
})

test('no link, other site or ordinary user can set an override', async () => {
  const get = startPortal('loopback')
  const [staff, user] = [await tokenOf('admin'), await tokenOf('user')]
  expect((await get('/overrides', post(ownOverride))).status).toBe(401)
  expect((await get('/overrides', post(ownOverride, user))).status).toBe(403)
  const crossSiteRequest = post(ownOverride, staff, { 'Sec-Fetch-Site': 'cross-site' })
  expect((await get('/overrides', crossSiteRequest)).status).toBe(403)
  for (const origin of [
    'https://evil.example',
    'http://localhost.evil.example:4302',
    'javascript:alert(1)',
  ]) {
    const refused = await get('/overrides', post({ ...ownOverride, origin }, staff))
    expect(refused.status, origin).toBe(400)
    expect(refused.headers.get('set-cookie')).toBeNull()
  }
  expect((await get('/overrides', post({ ...ownOverride, name: 'mfe-none' }, staff))).status).toBe(404)
  const form = await get(`/overrides?${new URLSearchParams({ origin: 'https://evil.example' })}`)
  expect(form.headers.get('set-cookie')).toBeNull()
  expect(await form.text()).not.toContain('evil')
})

test('an override that is forged, expired or no longer allowed has no effect', async () => {
  const set = await startPortal('loopback')('/overrides', post(ownOverride, await tokenOf('admin')))
  const cookie = cookieOf(set)
  const readPointer = async (get: ReturnType<typeof startPortal>, Cookie: string) =>
    JSON.stringify(await (await get(POINTER_PATH, { headers: { Cookie } })).json())
  const before = JSON.stringify(livePointer)
  expect(await readPointer(startPortal('loopback'), cookie)).not.toBe(before)
  expect(await readPointer(startPortal('loopback'), `${cookie.slice(0, -3)}AAA`)).toBe(before)
  expect(await readPointer(startPortal('https://dev.example.org'), cookie)).toBe(before)
  expect(await readPointer(startPortal(), cookie)).toBe(before)
  setup.ports.time += 8 * 3_600_000
  expect(await readPointer(startPortal('loopback'), cookie)).toBe(before)
})

test('overrides are not available unless the setting allows them', async () => {
  const get = startPortal()
  expect((await get('/overrides', post(ownOverride, await tokenOf('admin')))).status).toBe(404)
  expect(await (await get('/overrides')).text()).toBe(await (await get('/dashboard')).text())
})

test.each([
  ['http://localhost:4302', 'http://localhost:4302'],
  ['http://127.0.0.1:4302/path?x', 'http://localhost:4302'],
  ['http://[::1]:4302', 'http://localhost:4302'],
  ['https://dev.example.org/', 'https://dev.example.org'],
  ['https://dev.example.org:444', undefined],
  ['http://dev.example.org', undefined],
  ['http://user@localhost:4302', undefined],
  ['http://0.0.0.0:4302', undefined],
  ['ftp://localhost', undefined],
  ['localhost:4302', undefined],
])('an override for %s is used as %s', (address, origin) =>
  expect(toAllowedOrigin(address, ['loopback', 'https://dev.example.org'])).toBe(origin),
)
