import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDemo, isDemo, pageOfDemo } from './lib/demo-files.mjs'
import { serveFolder } from './lib/static-server.mjs'

/* Checks the contents of the demo's folder. packages/mocks/e2e/demo.browser.test.ts shows that the portal works from it. */

const page = `<!doctype html><html><head>
<link rel="icon" href="/favicon.svg"><script src="/js/boot.1.js" integrity="sha384-a" crossorigin data-early="paint"></script>
<link rel="stylesheet" href="/api/brand.css"><link crossorigin href="/css/shell.1.css" integrity="sha384-b" rel="stylesheet">
<script crossorigin defer src="/js/shell.1.js" integrity="sha384-c"></script></head><body><div id="root"></div></body></html>`

const pointer = {
  revision: '7',
  api: '/api',
  remotes: [{ name: 'mfe-user', release: '1', manifest: '/r/mfe-user/1/mf-manifest.json' }],
}

let folder: string
const releases = () => path.join(folder, 'releases')
const demo = () => path.join(folder, 'shown/demo')
const readDemoFile = (file: string) => readFile(path.join(demo(), file), 'utf8')

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-demo-'))
  const files = {
    'remotes.json': JSON.stringify(pointer),
    'shell/index.html': page,
    'shell/index.html.gz': '',
    'shell/stamp.json': '{}',
    'shell/js/shell.1.js': 'shell',
    'mfe-user/1/mf-manifest.json': '{}',
    'mfe-user/1/js/page.js.br': '',
    'mfe-user/0/mf-manifest.json': '{}',
  }
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(releases(), file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, content)
  }
  await buildDemo(releases(), demo())
})
afterAll(() => rm(folder, { recursive: true }))

test('the demo’s page loads the mocks before its own files, and requests nothing from the root of the host', () => {
  const demoPage = pageOfDemo(page)
  expect(demoPage).not.toMatch(/(?:src|href)="\//)
  expect(demoPage).toContain('src="./js/boot.1.js" integrity="sha384-a" crossorigin data-early="no"')
  expect(demoPage).toContain('<script type="module" src="./demo.js"></script>')
  const [, listed = ''] = /id="portal-files">(.*?)<\/script>/.exec(demoPage) ?? []
  expect(JSON.parse(listed)).toEqual([
    { address: './js/shell.1.js', integrity: 'sha384-c' },
    { address: './css/shell.1.css', integrity: 'sha384-b' },
  ])
  expect(demoPage.match(/shell\.1/g)).toHaveLength(2)
  expect(() => pageOfDemo('<script src="/js/shell.1.js"></script>')).toThrow('no hash')
})

test('the demo contains the live releases unchanged, the worker, the mocks and the banner, but no build records', async () => {
  expect(await readDemoFile('r/mfe-user/1/mf-manifest.json')).toBe('{}')
  await expect(readDemoFile('r/mfe-user/0/mf-manifest.json')).rejects.toThrow('ENOENT')
  for (const buildFile of ['index.html.gz', 'stamp.json', 'r/mfe-user/1/js/page.js.br'])
    await expect(readDemoFile(buildFile)).rejects.toThrow('ENOENT')
  expect(JSON.parse(await readDemoFile('config/remotes.json'))).toEqual(pointer)
  for (const file of ['demo-worker.js', 'mockServiceWorker.js', 'mock-gateway.html', '404.html'])
    expect((await readDemoFile(file)).length).toBeGreaterThan(100)
  expect(await readDemoFile('demo.js')).toContain('Everything here is fictional')
})

test('a build replaces an earlier demo, which is distinguished from other folders', async () => {
  expect(isDemo(demo())).toBe(true)
  expect(isDemo(releases())).toBe(false)
  await writeFile(path.join(demo(), 'old.js'), '')
  await buildDemo(releases(), demo())
  await expect(readDemoFile('old.js')).rejects.toThrow('ENOENT')
})

test('the static server serves files, and 404.html for missing ones, only below its base path', async () => {
  const { url, stop } = await serveFolder(demo(), 0, '/below/')
  const statusOf = async (address: string) => (await fetch(new URL(address, url))).status
  expect(await (await fetch(url)).text()).toContain('id="portal-files"')
  expect(await statusOf('js/shell.1.js')).toBe(200)
  expect(await statusOf('dashboard/history')).toBe(404)
  expect(await (await fetch(`${url}dashboard/history`)).text()).toContain('demo.json')
  expect(await statusOf('/js/shell.1.js')).toBe(404)
  expect(await statusOf('%2e%2e/%2e%2e/releases/remotes.json')).toBe(404)
  await stop()
})
