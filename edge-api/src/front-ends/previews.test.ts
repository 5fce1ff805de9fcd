import { generateKeyPairSync, sign } from 'node:crypto'
import type { PreviewPointer } from '@portal/contract/remote'
import { signedBytes } from '@portal/contract/signed-entry'
import { PREVIEW_COOKIE } from '@portal/contract/static-page'
import type { Trust } from '@portal/contract/teams'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'
import type { Assets } from '../ports.ts'
import { withPreviews } from './previews.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const POINTER_PATH = '/config/remotes.json'
const key = generateKeyPairSync('ed25519').privateKey
const trust: Trust = {
  teams: [
    {
      name: 'user',
      apps: ['mfe-user'],
      owners: ['@portal/team'],
      keys: [{ id: 'user-1', x: String(key.export({ format: 'jwk' }).x), from: '2020-01-01' }],
    },
  ],
}
const hash = `sha384-${'Aa0+'.repeat(16)}`
const buildEntry = (name: string, release: string) => ({
  name,
  release,
  manifest: `/r/${name}/${release}/mf-manifest.json`,
  integrity: { manifest: hash, entry: hash },
})
const livePointer = JSON.stringify({
  revision: 'abc',
  api: '/api',
  remotes: [
    buildEntry('mfe-public', 'r1'),
    { ...buildEntry('mfe-user', 'r1'), canary: { ...buildEntry('mfe-user', 'c1'), percent: 50 } },
  ],
})
const TOKEN = 'a'.repeat(22)

/** Returns a preview of `mfe-user` that lasts an hour. */
function buildPreview(overrides: Partial<PreviewPointer> = {}): PreviewPointer {
  const content = {
    ...buildEntry('mfe-user', 'b1'),
    preview: { name: 'faster', token: TOKEN, until: setup.ports.clock.now() + 3_600_000 },
    ...overrides,
    signed: { by: 'user-1', at: setup.ports.clock.now() },
  }
  return { ...content, signature: sign(null, signedBytes(content), key).toString('base64') }
}

let file: string | undefined
const setPreviews = (...previews: object[]) => {
  file = JSON.stringify({ previews })
}
const page =
  '<!doctype html><html><head><title>x</title></head><body><div id="root"><p></p></div></body></html>'
function startPortal(trusted = trust) {
  const files: Assets = {
    get: async path =>
      new Response(path === POINTER_PATH ? livePointer : page, {
        headers: { 'Content-Type': path === POINTER_PATH ? 'application/json' : 'text/html', ETag: '"live"' },
      }),
  }
  const { clock, log } = setup.ports
  setup.ports.assets = withPreviews(files, { clock, log, trust: trusted, read: async () => file })
  const app = createApp(setup.ports)
  return (path: string, headers: Record<string, string> = {}) =>
    app.fetch(new Request(`http://localhost:8080${path}`, { headers }), { peerAddress: '192.0.2.9' })
}
const cookie = { Cookie: `${PREVIEW_COOKIE}=${TOKEN}` }

test('the link gives this browser the previewed release, and everyone else keeps the live one', async () => {
  setPreviews(buildPreview())
  const get = startPortal()
  const opened = await get(`/previews/${TOKEN}`)
  expect(opened.status).toBe(303)
  expect(opened.headers.get('location')).toBe('/dashboard')
  expect(opened.headers.get('set-cookie')).toMatch(
    new RegExp(`^${PREVIEW_COOKIE}=${TOKEN}; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax$`),
  )
  expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
  expect(opened.headers.get('cache-control')).toBe('no-store')

  const shown = await get(POINTER_PATH, cookie)
  expect(shown.headers.get('cache-control')).toBe('private, no-cache')
  expect(shown.headers.get('vary')).toContain('Cookie')
  const config = await shown.json()
  expect(config.remotes).toEqual([buildEntry('mfe-public', 'r1'), buildEntry('mfe-user', 'b1')])
  expect(await (await get(POINTER_PATH)).text()).toBe(livePointer)
  const secondHeaders = { ...cookie, 'If-None-Match': shown.headers.get('etag') ?? '' }
  expect((await get(POINTER_PATH, secondHeaders)).status).toBe(304)

  const html = await get('/dashboard', cookie)
  expect(await html.text()).toContain('Preview <strong>faster</strong><small> of mfe-user')
  expect(html.headers.get('cache-control')).toBe('private, no-cache')
  expect(await (await get('/dashboard')).text()).not.toContain('Preview')
  // The token is in the cookie only.
  expect(JSON.stringify([config, setup.ports.lines])).not.toContain(TOKEN)

  const leaveResponse = await get('/previews/leave', cookie)
  expect(leaveResponse.headers.get('set-cookie')).toContain(`${PREVIEW_COOKIE}=; Max-Age=0`)
})

test('after the preview has ended, the link and the cookie have no effect', async () => {
  setPreviews(buildPreview())
  const get = startPortal()
  expect((await get(`/previews/${TOKEN}`)).status).toBe(303)
  setup.ports.time += 3_600_000
  const endReply = await get(`/previews/${TOKEN}`)
  expect(endReply.status).toBe(404)
  expect(await endReply.text()).toContain('This preview has ended')
  expect(await (await get(POINTER_PATH, cookie)).text()).toBe(livePointer)
  expect((await get(`/previews/${'b'.repeat(22)}`)).status).toBe(404)
})

test.each<[string, () => object, RegExp | undefined]>([
  [
    'that is not signed',
    () => ({ ...buildPreview(), signature: undefined, signed: undefined }),
    /is not signed/,
  ],
  [
    'whose end was moved',
    () => ({ ...buildPreview(), preview: { ...buildPreview().preview, until: Number.MAX_SAFE_INTEGER } }),
    /signature does not match/,
  ],
  ['of another team', () => buildPreview({ name: 'mfe-public' }), /no team in teams.json owns mfe-public/],
  ['without its hashes', () => ({ ...buildPreview(), integrity: undefined }), undefined],
])('a preview %s is refused', async (_, buildAltered, reason) => {
  setPreviews(buildAltered())
  const get = startPortal()
  expect((await get(`/previews/${TOKEN}`)).status).toBe(404)
  expect(await (await get(POINTER_PATH, cookie)).text()).toBe(livePointer)
  const refused = setup.ports.lines.filter(({ event }) => event === 'preview_refused')
  expect(refused).toHaveLength(reason ? 1 : 0)
  if (reason) expect(refused[0]?.reason).toMatch(reason)
})

test('a changed list of previews takes effect immediately, and a missing one is no error', async () => {
  file = undefined
  const get = startPortal({ teams: [] })
  expect((await get(`/previews/${TOKEN}`)).status).toBe(404)
  setPreviews(buildPreview())
  expect((await get(`/previews/${TOKEN}`)).status).toBe(303)
})
