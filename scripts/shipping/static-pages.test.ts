import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { StaticPages } from '@portal/contract/static-page'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { rollback } from './commands.mjs'
import { readJson } from './folder.mjs'
import { readPointer } from './pointer.mjs'
import { release } from './release.mjs'
import { sri } from './sri.mjs'
import { buildStaticPages } from './static-pages.mjs'
import { createReleasesFixture, type ReleasesFixture } from './test-builds.ts'

let fixture: ReleasesFixture
beforeEach(async () => {
  fixture = await createReleasesFixture()
})
afterEach(() => {
  vi.restoreAllMocks()
  return fixture.remove()
})

const context = () => ({ folder: fixture.folder, by: 'Ada Obi', signing: fixture.signing })
const fileOf = (id: string, app = 'mfe-public') => path.join(fixture.folder, app, id, 'pages.json')

/** Releases a build with these routes. */
async function ship(id: string, routes: string[], app = 'mfe-public') {
  const exposed = `{ contract: 1, routes: [${routes}], navigation: [] }`
  const from = await fixture.build(app, id, { exposed })
  return await release(context(), { app, from, portal: 'http://127.0.0.1:9', portalMustAnswer: false })
}

const route = (routePath: string, page: string, more = '') =>
  `{ path: '${routePath}', access: 'public', title: 'x', lazy: async () => ({ default: ${page} }), ${more} }`

it('renders the public pages whose address has no parameter, and pins them in the pointer', async () => {
  await ship('r1', [
    route('', `() => 'Home & <away>'`),
    route('help', `() => 'Help'`),
    route('letters/:code', `() => 'Letter'`),
    route('mine', `() => 'Mine'`, `access: ['user']`),
  ])
  const { place, pages }: StaticPages = await readJson(fileOf('r1'))
  expect(place).toBe(1)
  expect(Object.keys(pages)).toEqual(['/', '/help'])
  expect(pages['/']?.bodies).toEqual(['<!--$-->Home &amp; &lt;away&gt;<!--/$-->'])
  // Settings with and without a logo and a tax, and with none to two telephone numbers, all lead to the same body.
  expect(Object.values(pages['/']?.forms ?? {})).toEqual(Array(12).fill(0))
  const [entry] = await readPointer(fixture.folder)
  expect(entry?.pages).toEqual({
    path: '/r/mfe-public/r1/pages.json',
    integrity: sri(await readFile(fileOf('r1'))),
  })
})

it('leaves out a page that cannot be rendered, prints the reason, and releases the rest', async () => {
  const consoleError = vi.spyOn(console, 'error').mockReturnValue(undefined)
  await ship('r1', [
    route('', `() => 'Home'`),
    route('broken', `() => { throw new Error('needs a browser') }`),
    route('scripted', `() => '{{name}}'`),
  ])
  expect(Object.keys((await readJson(fileOf('r1'))).pages)).toEqual(['/'])
  expect(consoleError.mock.calls.flat()).toEqual([
    'mfe-public r1: /broken has no static page: Error: needs a browser',
    'mfe-public r1: /scripted has no static page: Error: it contains {{ or a script',
  ])
})

it('leaves out a page that does not load', async () => {
  const consoleError = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const neverLoading = `{ path: 'never', access: 'public', title: 'x', lazy: () => new Promise(() => {}) }`
  const from = await fixture.build('mfe-public', 'r1', {
    exposed: `{ contract: 1, routes: [${neverLoading}], navigation: [] }`,
  })
  expect((await buildStaticPages(from, 'mfe-public', 'r1', 100))?.pages).toEqual({})
  expect(consoleError).toHaveBeenCalledExactlyOnceWith(
    'mfe-public r1: /never has no static page: Error: not within 0.1 s',
  )
})

it('renders no pages of a dashboard', async () => {
  await ship('r1', [route('', `() => 'Home'`)], 'mfe-user')
  expect(await readJson(fileOf('r1', 'mfe-user'))).toBeUndefined()
  expect((await readPointer(fixture.folder))[0]).not.toHaveProperty('pages')
})

it('refuses to roll back to a release whose static pages were changed', async () => {
  await ship('r1', [route('', `() => 'One'`)])
  await ship('r2', [route('', `() => 'Two'`)])
  await writeFile(fileOf('r1'), '{}')
  await expect(rollback(context(), { app: 'mfe-public' })).rejects.toThrow('has been changed since')
})
