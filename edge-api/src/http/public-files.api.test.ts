import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesOf, releasesFolder } from '../../../scripts/shipping/folder.mjs'
import { sharedPortal } from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

/* Tests which files of the releases folder anyone can read, with a folder that also contains other files. */

const SECRET = 'Ada Obi <ada@example.org>'
/** Matches files that a build writes only for the release commands. */
const INTERNAL = /(?:^shell\.json|^shipments\.jsonl|\/(?:stamp|calls|area|first-files)\.json)$/

// A worker's files come from a binding that the test server does not have.
describe.skipIf(sharedPortal().folder === '')('the releases folder', () => {
  let folder: string
  let portal: RunningPortal
  let built: string[]
  let release: string

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-public-'))
    await cp(releasesFolder(), folder, { recursive: true })
    built = filesOf(folder)
      .map(file => path.relative(folder, file))
      .filter(file => !/\.(?:br|gz)$/.test(file))
    const { remotes } = JSON.parse(await readFile(path.join(folder, 'remotes.json'), 'utf8'))
    release = remotes.find((remote: { name: string }) => remote.name === 'mfe-admin').release
    const planted = [
      'remotes.json.bak',
      'remotes.json~',
      'shipments.jsonl',
      'notes',
      '.env',
      'shell/.env',
      'shell/index.html.bak',
      'mfe-admin/notes.txt',
      'mfe-admin/.env',
      `mfe-admin/${release}/secret.txt`,
      `mfe-admin/${release}/.git/config`,
      `mfe-admin/${release}/js/page.js.map`,
      `mfe-admin/.${release}.4711/js/page.0123456789.js`,
      'backup/1/mf-manifest.json',
    ]
    for (const file of planted) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
      await writeFile(path.join(folder, file), SECRET)
    }
    portal = await startPortal({ RELEASES_FOLDER: folder })
  })
  afterAll(async () => {
    await portal?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Requests a path exactly as written, because `fetch` would resolve its dots. */
  const get = (address: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(portal.url)
      request({ hostname, port, path: address }, response => {
        const parts: Buffer[] = []
        response.on('data', part => parts.push(part))
        response.on('end', () =>
          resolve({ status: response.statusCode, text: Buffer.concat(parts).toString('latin1') }),
        )
      })
        .on('error', reject)
        .end()
    })

  test('serves every file that a build made for browsers', { tags: ['SHIPPING-22'] }, async () => {
    const forBrowsers = built.filter(file => !INTERNAL.test(file) && file !== 'remotes.json')
    expect(forBrowsers.length).toBeGreaterThan(50)
    const missing = []
    for (const file of forBrowsers) {
      const { status } = await get(file.startsWith('shell/') ? file.slice('shell'.length) : `/r/${file}`)
      if (status !== 200) missing.push(`${status} ${file}`)
    }
    expect(missing).toEqual([])
    expect(JSON.parse((await get('/config/remotes.json')).text)).toHaveProperty('remotes')
  })

  test('serves no other file of the folder, however its path is written', {
    tags: ['SHIPPING-22'],
  }, async () => {
    const releasePath = `/r/mfe-admin/${release}`
    const addresses = [
      ...built.filter(file => INTERNAL.test(file)).map(file => `/r/${file}`),
      '/stamp.json',
      '/.env',
      '/index.html.bak',
      '/index.html.br',
      '/r/remotes.json',
      '/r/remotes.json.bak',
      '/r/remotes.json~',
      '/r/notes',
      '/r/shipments.jsonl',
      '/R/shipments.jsonl',
      '//r/shipments.jsonl',
      '/r//shipments.jsonl',
      '/r/Shipments.JSONL',
      '/r/%73hipments.jsonl',
      '/r/shipments%2ejsonl',
      '/r/.env',
      '/r/%2eenv',
      '/..%2fshipments.jsonl',
      '/%2e%2e/shipments.jsonl',
      '/js/..%2f..%2fshipments.jsonl',
      '/r/mfe-admin/..%2fshipments.jsonl',
      '/r/mfe-admin/notes.txt',
      '/r/mfe-admin/.env',
      `${releasePath}/secret.txt`,
      `${releasePath}/SECRET.TXT`,
      `${releasePath}/.git/config`,
      `${releasePath}/js/page.js.map`,
      `${releasePath}/js/..%2fsecret.txt`,
      `${releasePath}/js/%2e%2e%2fstamp.json`,
      `${releasePath}/js%5c..%5cstamp.json`,
      `${releasePath}/%2e%2e/notes.txt`,
      `${releasePath}/..%2f..%2fshipments.jsonl`,
      `${releasePath}/stamp.json%00.js`,
      `${releasePath}/%`,
      `/r/mfe-admin/.${release}.4711/js/page.0123456789.js`,
      '/r/backup/1/mf-manifest.json',
    ]
    const served = []
    for (const address of addresses) {
      const { status, text } = await get(address)
      if (status !== 404 || text.includes(SECRET)) served.push(`${status} ${address}`)
    }
    expect(served).toEqual([])
  })

  test('serves compressed files only as a content encoding', async () => {
    const script = built.find(file => /^mfe-admin\/.*\.js$/.test(file)) ?? ''
    expect((await get(`/r/${script}.br`)).status).toBe(404)
    const response = await fetch(`${portal.url}/r/${script}`, { headers: { 'accept-encoding': 'br' } })
    expect(response.headers.get('content-encoding')).toBe('br')
  })

  test('compresses files and pages with an encoding that the client accepts', async () => {
    const script = built.find(file => /^mfe-admin\/.*\.js$/.test(file)) ?? ''
    for (const address of [`/r/${script}`, '/'])
      for (const [accepted, expected] of [
        ['gzip, br', 'br'],
        ['br;q=0, gzip', 'gzip'],
        ['br;q=0, gzip;q=0', null],
      ] as const) {
        const headers = { 'accept-encoding': accepted }
        const response = await fetch(portal.url + address, { method: 'HEAD', headers })
        expect([response.status, response.headers.get('content-encoding')], accepted).toEqual([200, expected])
        expect(response.headers.get('vary')).toContain('Accept-Encoding')
      }
  })
})
