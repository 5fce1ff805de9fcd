import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkModule } from './module-check.mjs'
import { moduleReasons } from './module-reasons.mjs'
import { release } from './release.mjs'
import { type BuildOptions, createReleasesFixture, type ReleasesFixture } from './test-builds.ts'

let fixture: ReleasesFixture
beforeEach(async () => {
  fixture = await createReleasesFixture()
})
afterEach(() => fixture.remove())

async function ship(id: string, overrides: BuildOptions & { app?: string } = {}) {
  const { app = 'mfe-admin', ...options } = overrides
  const from = await fixture.build(app, id, options)
  const context = { folder: fixture.folder, by: 'Ada Obi', signing: fixture.signing }
  return await release(context, { app, from, portal: 'http://127.0.0.1:9', portalMustAnswer: false })
}

const route = `{ path: 'fees', access: ['user'], title: 'Fees', lazy: async () => ({ default: () => null }) }`
const itemOf = (more = '') => `{ tab: 'fees', label: 'Fees', icon: () => null, access: ['user'], ${more} }`
const moduleOf = (overrides: { routes?: string; navigation?: string; contract?: string } = {}) => {
  const { routes = `[${route}]`, navigation = `[${itemOf()}]`, contract = '1' } = overrides
  return `{ contract: ${contract}, routes: ${routes}, navigation: ${navigation} }`
}

it('accepts a release whose menu can be rendered', async () => {
  expect(await ship('r1', { exposed: moduleOf() })).toContain('mfe-admin nothing -> r1, for everyone')
})

it.each<[string, BuildOptions, string]>([
  ['no navigation', { exposed: `{ contract: 1, routes: [${route}] }` }, 'navigation must be a list'],
  [
    'an icon that throws',
    { exposed: moduleOf({ navigation: `[${itemOf('icon: () => { throw new Error("no icon") }')}]` }) },
    'navigation[0].icon ("Fees") throws Error: no icon',
  ],
  [
    'an item without access',
    { exposed: moduleOf({ navigation: `[${itemOf('access: undefined')}]` }) },
    'navigation[0].access must be "public" or a list of roles ("Fees")',
  ],
  [
    'an icon that is an element',
    { exposed: moduleOf({ navigation: `[${itemOf('icon: {}')}]` }) },
    '("Fees")',
  ],
  [
    'an icon that draws what React cannot',
    { exposed: moduleOf({ navigation: `[${itemOf('icon: () => ({ a: 1 })')}]` }) },
    'navigation[0].icon ("Fees") throws',
  ],
  [
    'an icon that never renders',
    { exposed: moduleOf({ navigation: `[${itemOf('icon: () => { throw new Promise(() => {}) }')}]` }) },
    'navigation[0].icon ("Fees") throws Error: not rendered within 2 s',
  ],
  ['invalid routes', { exposed: moduleOf({ routes: '[{ path: "fees" }]' }) }, 'routes[0].lazy must be'],
  ['no routes', { exposed: '{ contract: 1, navigation: [] }' }, 'routes must be a list'],
  ['another contract than its stamp', { exposed: moduleOf({ contract: '2' }) }, 'contract must be 1'],
  [
    'a link that runs code',
    { exposed: moduleOf({ routes: `[{ ...${route}, path: 'javascript:alert(1)' }]` }) },
    'routes[0].path must be a path below its area',
  ],
  [
    'a page outside of its area',
    { exposed: moduleOf({ routes: `[{ ...${route}, path: '../../letters' }]` }) },
    'routes[0].path must be a path below its area',
  ],
  [
    'a label that reverses the text',
    { exposed: moduleOf({ navigation: `[${itemOf('label: "Fees\\u202e"')}]` }) },
    'without controls',
  ],
  [
    'thousands of items',
    { exposed: moduleOf({ navigation: `Array(5000).fill(${itemOf()})` }) },
    'navigation must be a list of up to 50',
  ],
  ['a getter that throws', { exposed: '{ get contract() { throw new Error("late") } }' }, 'late'],
  ['nothing exposed', { exposed: 'undefined' }, 'the module must be an object'],
  ['an entry that throws', { entry: 'throw new TypeError("faulty release")' }, 'faulty release'],
  ['an entry that is not code', { entry: '<!doctype html>' }, 'SyntaxError'],
  ['an entry without a container', { entry: 'var y = 1' }, 'leaves no container called x'],
  ['an entry that rejects', { entry: 'var x = { init() {}, get: async () => { throw "no" } }' }, 'no'],
  [
    'an entry that never resolves',
    { entry: 'var x = { init() {}, get: () => new Promise(() => {}) }' },
    'never-loads',
  ],
  [
    'a style of the whole page',
    { style: '.mfe_admin-1a2b3c4d-page{color:red}body{color:red}' },
    'css/page.0123456789.css matches elements of the shell: body',
  ],
  [
    'a chunk that does not match the hash in the entry',
    { entry: `var x = { pins: "sha384-${'A'.repeat(64)}" }` },
    'which is not a file of the release',
  ],
])(
  'refuses a release with %s and reports the reason',
  { tags: ['SHIPPING-5', 'SHIPPING-7'] },
  async (_, build, reason) => {
    await ship('r1')
    const before = await readFile(path.join(fixture.folder, 'remotes.json'), 'utf8')
    const refusal = await ship('r2', build).catch(error => error.message)
    expect(refusal).toContain(reason)
    expect(refusal).toContain('Nothing was published')
    expect(await readFile(path.join(fixture.folder, 'remotes.json'), 'utf8')).toBe(before)
    expect(existsSync(path.join(fixture.folder, 'mfe-admin/r2'))).toBe(false)
  },
)

/**
 * Returns the verdict on a build. The limit is long, so that a busy machine does not turn another verdict into `never-loads`.
 */
const judgeBuild = async (build: BuildOptions, limit = 60_000) => {
  const from = await fixture.build('mfe-admin', 'r1', build)
  return await checkModule(from, { app: 'mfe-admin', release: 'r1', contract: 1, limit })
}

it('stops an icon that blocks its process, and refuses the release', async () => {
  const endless = moduleOf({ navigation: `[${itemOf('icon: () => { for (;;); }')}]` })
  expect(await judgeBuild({ exposed: endless }, 2000)).toMatchObject({ reason: 'never-loads' })
})

it('refuses an invalid release that changes prototypes to pass', {
  tags: ['SHIPPING-6'],
}, async () => {
  const pollute = `Object.prototype.access = ['user']; Object.prototype.navigation = []; Object.prototype.reason = '';
    Array.prototype.findIndex = () => 0; Array.isArray = () => true; Promise.prototype.then = undefined;`
  const verdict = await judgeBuild({
    entry: `${pollute} var x = { init() {}, get: () => ({ then: done => done(() => ({ contract: 1, routes: {} })) }) }`,
  })
  expect(verdict.reason).toBe('invalid-module')
})

it('stops a release that blocks its process, and refuses it', { tags: ['SHIPPING-7'] }, async () => {
  expect(await judgeBuild({ entry: 'for (;;);' }, 2000)).toMatchObject({ reason: 'never-loads' })
})

it('gives the release no access to the process and no write permission', {
  tags: ['SHIPPING-7'],
}, async () => {
  const outside = `const process = URL.constructor('return process')(); const { writeFileSync } = process.getBuiltinModule('fs');`
  const secret = path.join(fixture.folder, 'written')
  const verdict = await judgeBuild({ entry: `${outside} writeFileSync(${JSON.stringify(secret)}, 'x')` })
  expect(verdict).toMatchObject({ reason: 'does-not-load', message: expect.stringContaining('restricted') })
  expect(existsSync(secret)).toBe(false)
  const environment = await judgeBuild({
    entry: `${outside} throw new Error(Object.keys(process.env).join())`,
  })
  expect(environment.message).not.toContain('PATH')
})

describe('refuses an address in the dashboard', () => {
  const area = (areaPath: string) => ({ path: areaPath, title: 'Fees', roles: ['user'] })

  it('if it belongs to a page of a dashboard', async () => {
    await ship('u1', { app: 'mfe-user', exposed: moduleOf() })
    const shipConflicting = ship('f1', { app: 'mfe-fees', area: area('fees') })
    await expect(shipConflicting).rejects.toThrow('/dashboard/fees belongs to mfe-user')
    await ship('f1', { app: 'mfe-fees', area: area('charges') })
  })

  it('if it belongs to the shell', { tags: ['SHIPPING-6'] }, async () => {
    for (const routePath of ['dashboard', 'dashboard/fees', 'api/x', 'r']) {
      const routes = `[{ ...${route}, access: 'public', path: '${routePath}' }]`
      const exposed = moduleOf({ routes, navigation: '[]' })
      await expect(ship('p1', { app: 'mfe-public', exposed })).rejects.toThrow(
        `/${routePath} belongs to the shell`,
      )
    }
  })

  it('if it belongs to another area', async () => {
    await ship('f1', { app: 'mfe-fees', area: area('fees') })
    await expect(ship('o1', { app: 'mfe-other', area: area('fees') })).rejects.toThrow('address-taken')
    await expect(ship('o1', { app: 'mfe-other', area: area('fees/more') })).rejects.toThrow('address-taken')
    await expect(ship('u1', { app: 'mfe-user', exposed: moduleOf() })).rejects.toThrow(
      '/dashboard/fees belongs to mfe-fees',
    )
    await ship('f2', { app: 'mfe-fees', area: area('fees') })
  })
})

it('docs/shipping.md has a row for each refusal code', async () => {
  const text = await readFile('docs/shipping.md', 'utf8')
  for (const code of Object.keys(moduleReasons)) expect(text).toContain(`| \`${code}\` |`)
})
