import { createHash } from 'node:crypto'
import { PLACE_VERSION, type StaticPages } from '@portal/contract/static-page'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { mailboxMemory } from '../adapters/mailbox-memory.ts'
import { createApp } from '../app.ts'
import { readSettings, writeSetting } from '../settings/store.ts'

/* Tests the document that the server composes from the shell's page and a release's static page. */

let setup: TestSetup
let files: Map<string, string>
beforeEach(async () => {
  setup = await openTestSetup()
  files = new Map([
    [
      '/index.html',
      '<html><head><title>x</title></head><body><div id="root"><p>Loading…</p></div><noscript>no</noscript></body></html>',
    ],
  ])
  setup.ports.assets = {
    get: async path => {
      const file = files.get(path)
      return file === undefined ? undefined : new Response(file, { headers: { 'content-type': 'text/html' } })
    },
  }
})
afterEach(() => setup.close())

const hash = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`

/** The variants of a page, one for each combination of settings: logo, tax and number of phone numbers. */
const forms = Object.fromEntries(
  ['logo', 'initials'].flatMap(logo =>
    ['tax', 'no tax'].flatMap(tax => [0, 1, 2].map(phones => [`${logo} ${tax} ${phones}`, 0])),
  ),
)

function pagesJson(body: string): string {
  const page = { styles: [{ file: 'css/x.css', integrity: hash('css') }], bodies: [body], forms }
  const content: StaticPages = { place: PLACE_VERSION, pages: { '/': page, '/help': page } }
  return JSON.stringify(content)
}

/** Adds a release to the files. */
function release(name: string, body: string, origin = '') {
  const content = pagesJson(body)
  const path = `/r/mfe-public/${name}/pages.json`
  files.set(path, content)
  return {
    release: name,
    manifest: `${origin}/r/mfe-public/${name}/mf-manifest.json`,
    pages: { path, integrity: hash(content) },
  }
}

const setPointer = (entry: object) =>
  files.set('/config/remotes.json', JSON.stringify({ remotes: [{ name: 'mfe-public', ...entry }] }))

async function openPage(path = '/', headers = {}) {
  const response = await createApp(setup.ports).fetch(
    new Request(`http://localhost:8080${path}`, { headers }),
  )
  return { text: await response.text(), headers: response.headers, status: response.status }
}

test('the document contains the page of the live release, its styles and the settings', async () => {
  setPointer(release('r1', '<h1>{{name}}</h1><p>{{fee}}</p>'))
  const { text } = await openPage()
  expect(text).toContain(`<div id="root" data-release="r1" data-place="${PLACE_VERSION}"><h1>`)
  expect(text).toMatch(/<p>₦[\d,.]+<\/p><\/div>/)
  expect(text).toContain(
    `<link rel="stylesheet" href="/r/mfe-public/r1/css/x.css" integrity="${hash('css')}" crossorigin="anonymous">`,
  )
  expect(text).not.toMatch(/Loading|\{\{/)
  const [, data = ''] =
    /<script type="application\/json" id="portal-settings">(.*?)<\/script>/.exec(text) ?? []
  const response = await createApp(setup.ports).fetch(
    new Request('http://localhost:8080/api/verification/settings'),
  )
  expect(JSON.parse(data)).toEqual(await response.json())
})

test('the document contains the path of the mailbox if mail is captured, but never in production', async () => {
  expect((await openPage()).text).toMatch(/^<html><head>/)
  setup.ports.mailbox = mailboxMemory()
  expect((await openPage()).text).toMatch(/^<html data-mailbox="\/mailbox"><head>/)
  setup.ports.environment = { ...setup.ports.environment, NODE_ENV: 'production' }
  expect((await openPage()).text).toMatch(/^<html><head>/)
})

test('private paths and paths without a static page show the loading text', async () => {
  setPointer(release('r1', '<h1>x</h1>'))
  for (const path of ['/letters', '/dashboard', '/verify-email/abc', '/constructor'])
    expect((await openPage(path)).text, path).toContain('<div id="root"><p>Loading…</p></div>')
})

test.each([
  ['altered', (path: string) => files.set(path, pagesJson('<h1>altered</h1>'))],
  ['missing', (path: string) => files.delete(path)],
])('a page that is %s is not served, and is reported once', async (reason, damage) => {
  const entry = release('r1', `<h1>to be ${reason}</h1>`)
  setPointer(entry)
  damage(entry.pages.path)
  const app = createApp(setup.ports)
  for (let request = 0; request < 2; request++) {
    const text = await (await app.fetch(new Request('http://localhost:8080/'))).text()
    expect(text).toContain('<div id="root"><p>Loading…</p></div>')
    expect(text).toContain('<noscript><div role="main" class="no-script">')
  }
  const damageLines = setup.ports.lines.filter(({ event }) => event === 'static_pages_damaged')
  expect(damageLines).toMatchObject([{ level: 'error', file: entry.pages.path, reason }])
})

test('serves the shell’s page for a release without static pages and for a damaged pointer', async () => {
  const { pages: _, ...older } = release('r1', '<h1>x</h1>')
  for (const entry of [older, { ...older, pages: null }, {}, { canary: 7 }]) {
    setPointer(entry)
    expect((await openPage()).text).toContain('<div id="root"><p>Loading…</p></div>')
  }
  files.set('/config/remotes.json', '{')
  expect((await openPage()).text).toContain('<div id="root"><p>Loading…</p></div>')
})

test('a new release is served from the next request on, and so is the old one after a rollback', async () => {
  const [first, second] = [release('r1', '<h1>one</h1>'), release('r2', '<h1>two</h1>')]
  for (const [entry, title] of [
    [first, 'one'],
    [second, 'two'],
    [first, 'one'],
  ] as const) {
    setPointer(entry)
    expect((await openPage()).text).toContain(`<h1>${title}</h1>`)
  }
})

test('browsers in the canary get the canary’s page, and a new browser gets a number that decides whether it is included', {
  tags: ['SHIPPING-10'],
}, async () => {
  const canary = { ...release('r2', '<h1>two</h1>'), percent: 40, accounts: [] }
  setPointer({ ...release('r1', '<h1>one</h1>'), canary })
  for (const [cookie, title] of [
    ['portal-part=39.9', 'two'],
    ['theme=dark; portal-part=40.1', 'one'],
  ]) {
    const { text, headers } = await openPage('/', { cookie })
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('vary')).toContain('Cookie')
  }
  for (const cookie of ['', 'portal-part=x', 'portal-part=101', 'portal-part=-1']) {
    const { text, headers } = await openPage('/', { cookie })
    const part = Number(
      /^portal-part=([\d.]+); Path=\/; Max-Age=2592000; SameSite=Lax$/.exec(
        headers.get('set-cookie') ?? '',
      )?.[1],
    )
    expect(part).toBeGreaterThanOrEqual(0)
    expect(text).toContain(part < 40 ? '<h1>two</h1>' : '<h1>one</h1>')
  }
  setPointer(release('r1', '<h1>one</h1>'))
  const { headers } = await openPage()
  expect([headers.get('set-cookie'), headers.get('cache-control')]).toEqual([null, null])
})

test('styles of a release on another origin are loaded from that origin', async () => {
  setPointer(release('r1', '<h1>x</h1>', 'https://cdn.example.org'))
  const { text, headers } = await openPage()
  expect(text).toContain('href="https://cdn.example.org/r/mfe-public/r1/css/x.css"')
  expect(headers.get('content-security-policy')).toContain("style-src 'self' https://cdn.example.org")
})

test('texts of the settings are escaped, and placeholders in them are not replaced', async () => {
  await setup.database.write(async tx => {
    const { institution } = await readSettings(setup.database.read)
    const name = '</script><b>{{email}}</b> "&'
    await writeSetting(tx, { key: 'institution', value: { ...institution, name }, at: 1, author: null })
  })
  setPointer(release('r1', '<h1 title="{{name}}">{{name}}</h1>'))
  const { text } = await openPage()
  const escaped = '&lt;/script&gt;&lt;b&gt;{{email}}&lt;/b&gt; &quot;&amp;'
  expect(text).toContain(`<h1 title="${escaped}">${escaped}</h1>`)
  expect(text.match(/<\/script>/g)).toHaveLength(1)
})

test('pages are compressed if the platform does not compress them', async () => {
  setPointer(release('r1', '<h1>x</h1>'))
  const compressed: string[] = []
  setup.ports.assets.encode = async (text, encoding) => {
    compressed.push(`${encoding} ${text}`)
    return new Uint8Array([1, 2, 3])
  }
  const app = createApp(setup.ports)
  const get = (accepted: string) =>
    app.fetch(new Request('http://localhost:8080/', { headers: { 'accept-encoding': accepted } }))
  for (let request = 0; request < 3; request++) {
    const response = await get('gzip, br')
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]))
  }
  expect(compressed).toEqual([expect.stringMatching(/^br <html>/)])
  for (const refused of ['identity', 'br;q=0', 'br;q=0, gzip;q=0', '']) {
    const response = await get(refused)
    expect(response.headers.get('content-encoding'), refused).toBeNull()
    expect(await response.text()).toContain('<h1>x</h1>')
  }
  expect((await get('br;q=0, gzip')).headers.get('content-encoding')).toBe('gzip')
})
