import { existsSync } from 'node:fs'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { canaryMark } from '@portal/contract/canary'
import { openApi } from '@portal/contract/openapi'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { follow, promote, remove, repair, rollback } from './commands.mjs'
import { deletableReleases, listReleaseInventory } from './inventory.mjs'
import { readLog } from './log.mjs'
import { findPointerDamage, readPointer } from './pointer.mjs'
import { release } from './release.mjs'
import { pointAtSources, requireLiveFit } from './sources.mjs'
import { createReleasesFixture, type ReleasesFixture } from './test-builds.ts'

let fixture: ReleasesFixture
beforeEach(async () => {
  fixture = await createReleasesFixture()
})
afterEach(() => fixture.remove())

/** Runs `prepare` once for a block, and gives each of its tests a copy of the resulting releases. */
function releaseOnce(prepare: () => Promise<unknown>): void {
  let released: ReleasesFixture
  beforeAll(async () => {
    released = await createReleasesFixture()
    fixture = released
    await prepare()
  })
  afterAll(() => released.remove())
  beforeEach(async () => {
    await fixture.remove()
    fixture = await createReleasesFixture(released)
  })
}

const UNREACHABLE_URL = 'http://127.0.0.1:9'
const context = () => ({
  folder: fixture.folder,
  by: 'Ada Obi <ada@example.org>',
  signing: fixture.signing,
})
const pointerText = () => readFile(path.join(fixture.folder, 'remotes.json'), 'utf8').catch(() => '')

/** Releases a build, of `mfe-admin` by default. */
async function ship(
  id: string,
  overrides: Partial<Parameters<typeof release>[1]> & { code?: string; needs?: object } = {},
) {
  const { code, needs, app = 'mfe-admin', ...options } = overrides
  const from = await fixture.build(app, id, { ...(code && { code }), ...(needs && { needs }) })
  return await release(context(), { app, from, portal: UNREACHABLE_URL, portalMustAnswer: false, ...options })
}

async function readAdminEntry() {
  const found = (await readPointer(fixture.folder)).find(({ name }) => name === 'mfe-admin')
  if (!found) throw new Error('nothing is live')
  return found
}
const readLiveRelease = async () => (await readAdminEntry()).release
const readActions = async () =>
  (await readLog(fixture.folder)).map(({ action, release: id }) => `${action} ${id}`)

describe('a release', () => {
  it('is a folder with compressed copies, which the pointer pins and the log records', async () => {
    const output = await ship('r1', { code: 'x'.repeat(600) })
    expect(output).toContain('mfe-admin nothing -> r1, for everyone')
    const folder = path.join(fixture.folder, 'mfe-admin/r1')
    for (const file of ['entry.js', 'js/page.js', 'js/page.js.br', 'js/page.js.gz', 'calls.json'])
      expect(existsSync(path.join(folder, file)), file).toBe(true)
    expect(existsSync(path.join(folder, 'js/page.js.map'))).toBe(false)
    expect(await readAdminEntry()).toEqual({
      name: 'mfe-admin',
      release: 'r1',
      manifest: '/r/mfe-admin/r1/mf-manifest.json',
      integrity: { manifest: expect.stringMatching(/^sha384-/), entry: expect.stringMatching(/^sha384-/) },
      needs: expect.objectContaining({ contract: 1, start: 1 }),
      signed: { by: 'development', at: expect.any(Number) },
      signature: expect.stringMatching(/^.{86}==$/),
    })
    expect(await readLog(fixture.folder)).toMatchObject([
      { action: 'released', app: 'mfe-admin', release: 'r1', before: null, by: 'Ada Obi <ada@example.org>' },
    ])
    // The author is not published.
    expect(await pointerText()).not.toContain('Ada')
  })

  it('changes only its own entry in the pointer', async () => {
    await ship('u1', { app: 'mfe-user' })
    await ship('r1')
    const [user] = await readPointer(fixture.folder)
    await ship('r2')
    expect((await readPointer(fixture.folder))[0]).toEqual(user)
    expect(await readLiveRelease()).toBe('r2')
  })

  it('contains a list of the API calls that it makes', async () => {
    await ship('r1', { code: 'call({method:"GET",path:"/admin/activity-logs"})' })
    const calls = JSON.parse(await readFile(path.join(fixture.folder, 'mfe-admin/r1/calls.json'), 'utf8'))
    expect(Object.keys(calls.calls)).toEqual(['GET /admin/activity-logs'])
  })

  it('is not published again if it is live', async () => {
    await ship('r1')
    expect(await ship('r1')).toContain('mfe-admin r1 is already live: nothing to release.')
    expect(await readActions()).toEqual(['released r1'])
  })

  it.each([
    ['another agreement', { contract: 2 }, 'needs contract 2; the shell has 1'],
    ['another start code', { start: 2 }, 'needs start 2; the shell has 1'],
    ['another React', { shared: { react: '^20.0.0' } }, 'needs react ^20.0.0; the shell has 19.3.1'],
    [
      'a package that is not there',
      { shared: { jquery: '^3.0.0' } },
      'needs jquery ^3.0.0; the shell has none',
    ],
  ])('that needs %s is refused and not published', { tags: ['SHIPPING-8'] }, async (_, needs, reason) => {
    await ship('r1')
    const before = await pointerText()
    await expect(ship('r2', { needs })).rejects.toThrow(reason)
    await expect(ship('r2', { needs, percent: 10 })).rejects.toThrow('Nothing was published')
    expect(await pointerText()).toBe(before)
    expect(existsSync(path.join(fixture.folder, 'mfe-admin/r2'))).toBe(false)
    expect(await readActions()).toEqual(['released r1'])
  })

  it('is refused if another build was published under its name, or if it is of another micro-frontend', async () => {
    await ship('r1')
    const from = await fixture.build('mfe-admin', 'r1')
    await writeFile(path.join(from, 'mf-manifest.json'), '{"other":true}')
    const secondRelease = release(context(), {
      app: 'mfe-admin',
      from,
      portal: UNREACHABLE_URL,
      portalMustAnswer: false,
    })
    await expect(secondRelease).rejects.toThrow('was already published from another build')
    const foreignRelease = release(context(), {
      app: 'mfe-user',
      from,
      portal: UNREACHABLE_URL,
      portalMustAnswer: false,
    })
    await expect(foreignRelease).rejects.toThrow('is not a build of mfe-user')
  })

  const inArea = (area: object) => (from: string) =>
    writeFile(
      path.join(from, 'area.json'),
      JSON.stringify({ path: 'x', title: 'X', roles: ['user'], ...area }),
    )
  it.each<[string, (from: string) => Promise<unknown>, string]>([
    [
      'a name that leads elsewhere',
      from => writeFile(path.join(from, 'stamp.json'), '{"app":"mfe-admin","release":"../../shell"}'),
      'is invalid: use letters',
    ],
    [
      'a link to a file of the machine',
      from => symlink('/etc/hostname', path.join(from, 'js/page.0123456789.js')),
      'is a link, not a file of the build',
    ],
    ['a link to a folder', from => symlink('/etc', path.join(from, 'assets')), 'is a link'],
    [
      'a script of megabytes',
      from => writeFile(path.join(from, 'js/huge.js'), ' '.repeat(5_000_000)),
      'is larger than 4 MB',
    ],
    ['an area outside of the dashboard', inArea({ path: '../users' }), 'would damage remotes.json'],
    ['an area whose title reverses the text', inArea({ title: '\u202eX' }), 'would damage remotes.json'],
    ['an area for an unknown role', inArea({ roles: ['owner'] }), 'would damage remotes.json'],
    [
      'first files outside of its folder',
      from => writeFile(path.join(from, 'first-files.json'), '["../../shell.json"]'),
      'would damage remotes.json',
    ],
  ])('with %s is refused', { tags: ['SHIPPING-6'] }, async (_, spoil, reason) => {
    await ship('r1')
    const before = await pointerText()
    const from = await fixture.build('mfe-admin', 'r2')
    await spoil(from)
    const secondRelease = release(context(), {
      app: 'mfe-admin',
      from,
      portal: UNREACHABLE_URL,
      portalMustAnswer: false,
    })
    await expect(secondRelease).rejects.toThrow(reason)
    expect(await pointerText()).toBe(before)
    expect(existsSync(path.join(fixture.folder, 'shell/index.html'))).toBe(true)
    expect(await readActions()).toEqual(['released r1'])
  })

  it('can be checked without publishing anything', async () => {
    expect((await ship('r1', { dryRun: true })).at(-1)).toBe(
      'mfe-admin r1 can be published. Nothing was published.',
    )
    expect(await pointerText()).toBe('')
    expect(existsSync(path.join(fixture.folder, 'mfe-admin'))).toBe(false)
  })
})

describe('the running API', () => {
  let server: Server
  let portal: string
  let description: Record<string, unknown>
  beforeEach(async () => {
    description = JSON.parse(JSON.stringify(openApi('http://portal.test')))
    server = createServer((_, response) => response.end(JSON.stringify(description))).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    portal = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => server.close())

  const CODE = 'call({method:"GET",path:"/admin/activity-logs"})'
  // biome-ignore lint/suspicious/noExplicitAny: the test changes deeply nested values of a description.
  const paths = () => description.paths as any

  it('must have the calls of a release', async () => {
    expect(await ship('r1', { code: CODE, portal })).toContain(
      `${portal} has every call that mfe-admin makes`,
    )
    delete paths()['/admin/activity-logs']
    await expect(ship('r2', { code: CODE, portal })).rejects.toThrow(
      /needs more than the API .+\n {2}GET \/admin\/activity-logs: it was removed\n.+Deploy the API first/,
    )
    expect(await readLiveRelease()).toBe('r1')
  })

  it('must return everything that a release reads; calls that it does not make do not matter', async () => {
    const reply = paths()['/admin/activity-logs'].get.responses[200].content['application/json'].schema
    reply.properties.logs.items.required = ['id']
    delete reply.properties.logs.items.properties.details
    await expect(ship('r1', { code: CODE, portal })).rejects.toThrow('reply.logs[].details is gone')
    await ship('r1', { code: 'call({path:"/admin/users"})', portal })
  })

  it('is not checked if it does not respond, unless it must', async () => {
    expect((await ship('r1'))[0]).toMatch(/could not be read .+ not checked/)
    await expect(ship('r2', { portalMustAnswer: true })).rejects.toThrow('Nothing was published')
    expect(await readLiveRelease()).toBe('r1')
  })
})

describe('a canary', () => {
  const account = '4b1f8e0e-7d8a-4a51-9f0e-2f5f0e9f1a11'

  it('is listed next to the live release, without its accounts being identifiable', async () => {
    await ship('r1')
    const output = await ship('r2', { percent: 10, accounts: [account] })
    expect(output).toContain('mfe-admin r2 for 10% and 1 account; everyone else keeps r1')
    expect(await readAdminEntry()).toMatchObject({
      release: 'r1',
      canary: { release: 'r2', percent: 10, accounts: [await canaryMark('r2', account)] },
    })
    expect(await pointerText()).not.toContain(account)
    expect(await readActions()).toEqual(['released r1', 'canary r2'])
  })

  it('can be given to more users, and then be promoted', async () => {
    await ship('r1')
    await ship('r2', { percent: 10 })
    await ship('r2', { percent: 50 })
    expect((await readAdminEntry()).canary?.percent).toBe(50)
    expect(await promote(context(), { app: 'mfe-admin' })).toContain('mfe-admin r1 -> r2, for everyone')
    expect(await readAdminEntry()).toMatchObject({
      release: 'r2',
      manifest: '/r/mfe-admin/r2/mf-manifest.json',
    })
    expect(await readAdminEntry()).not.toHaveProperty('canary')
    await expect(promote(context(), { app: 'mfe-admin' })).rejects.toThrow('has no canary to promote')
  })

  it('is withdrawn by a rollback, which keeps the live release', async () => {
    await ship('r1')
    await ship('r2')
    await ship('r3', { percent: 10 })
    expect(await rollback(context(), { app: 'mfe-admin' })).toContain(
      'mfe-admin r3 withdrawn; everyone gets r2',
    )
    expect(await readAdminEntry()).not.toHaveProperty('canary')
    expect(await readLiveRelease()).toBe('r2')
  })

  it('needs a live release, and cannot be limited to accounts on public pages', async () => {
    await expect(ship('r1', { percent: 10 })).rejects.toThrow('its first release must be for everyone')
    await ship('p1', { app: 'mfe-public' })
    await expect(ship('p2', { app: 'mfe-public', accounts: [account] })).rejects.toThrow('have no account')
    await ship('p2', { app: 'mfe-public', percent: 0 })
  })
})

describe('a rollback', () => {
  it('returns to the previous release, then to the one before it', { tags: ['SHIPPING-13'] }, async () => {
    for (const id of ['r1', 'r2', 'r3']) await ship(id)
    await rollback(context(), { app: 'mfe-admin' })
    expect(await readLiveRelease()).toBe('r2')
    await rollback(context(), { app: 'mfe-admin' })
    expect(await readLiveRelease()).toBe('r1')
    await expect(rollback(context(), { app: 'mfe-admin' })).rejects.toThrow(
      'Nothing was live before mfe-admin r1',
    )
    await ship('r3')
    await rollback(context(), { app: 'mfe-admin' })
    expect(await readLiveRelease()).toBe('r1')
  })

  it('returns to a named release', async () => {
    for (const id of ['r1', 'r2', 'r3']) await ship(id)
    await rollback(context(), { app: 'mfe-admin', to: 'r1' })
    expect(await readLiveRelease()).toBe('r1')
    await expect(rollback(context(), { app: 'mfe-admin', to: 'r9' })).rejects.toThrow(
      'There is no mfe-admin r9',
    )
    await expect(rollback(context(), { app: 'mfe-user' })).rejects.toThrow('Live: mfe-admin')
  })

  it('refuses changed files, and releases that the shell cannot run', async () => {
    for (const id of ['r1', 'r2']) await ship(id)
    await writeFile(path.join(fixture.folder, 'mfe-admin/r1/entry.js'), 'other')
    await expect(rollback(context(), { app: 'mfe-admin' })).rejects.toThrow('has been changed')
    await ship('r3')
    const shellFit = { contract: 2, start: 1, shared: {} }
    await writeFile(
      path.join(fixture.folder, 'shell.json'),
      JSON.stringify({ release: 'shell2', has: shellFit }),
    )
    await expect(rollback(context(), { app: 'mfe-admin' })).rejects.toThrow(
      'needs contract 1; the shell has 2',
    )
    expect(await readLiveRelease()).toBe('r3')
  })
})

describe('npm start', () => {
  const start = () => pointAtSources(fixture.folder, ['mfe-admin'], { 'mfe-admin': 's2' }, fixture.signing)
  releaseOnce(async () => {
    await ship('s1', { app: 'mfe-admin' })
    await follow(context(), { app: 'mfe-admin' })
    await fixture.build('mfe-admin', 's2').then(from => ship('s2', { from }))
    await follow(context(), { app: 'mfe-admin' })
  })

  it('publishes a build of the sources, and logs it as its own', async () => {
    await rollback(context(), { app: 'mfe-admin', to: 's1' })
    await follow(context(), { app: 'mfe-admin' })
    expect(await start()).toEqual([])
    expect(await readLiveRelease()).toBe('s2')
    expect((await readLog(fixture.folder)).at(-1)).toMatchObject({ action: 'built', by: 'npm start' })
  })

  it('keeps a release that a rollback made live, and prints a note', {
    tags: ['SHIPPING-13'],
  }, async () => {
    await rollback(context(), { app: 'mfe-admin', to: 's1' })
    const before = await pointerText()
    expect(await start()).toEqual([expect.stringContaining('mfe-admin: s1 stays live')])
    expect(await pointerText()).toBe(before)
  })

  it('keeps the releases of micro-frontends whose sources are elsewhere', async () => {
    await ship('f1', { app: 'mfe-finance' })
    await start()
    expect((await readPointer(fixture.folder)).map(({ name }) => name)).toEqual(['mfe-admin', 'mfe-finance'])
  })

  it('publishes no shell that cannot run a live release', async () => {
    const shellFit = { contract: 2, start: 1, shared: { react: '20.0.0' } }
    await expect(requireLiveFit(fixture.folder, shellFit)).resolves.toBeUndefined()
    await ship('s3', { percent: 10 })
    await expect(requireLiveFit(fixture.folder, shellFit)).rejects.toThrow(
      /mfe-admin s2 needs contract 1(?:.|\n)+mfe-admin s3/,
    )
  })
})

it('deletes old releases, but never the live one, a canary, the rollback target or recently used ones', {
  tags: ['SHIPPING-13'],
}, async () => {
  for (const id of ['r1', '1.4.2', 'r3', 'r4', 'r5', 'r6']) await ship(id)
  await ship('r7', { percent: 10 })
  const listDeletable = async (days: number, keep: number, now = Date.now()) =>
    deletableReleases(await listReleaseInventory(fixture.folder), { now, days, keep }).map(
      item => item.release,
    )
  const later = Date.now() + 40 * 86_400_000
  expect(await listDeletable(30, 0)).toEqual([])
  expect(await listDeletable(30, 0, later)).toEqual(['r4', 'r3', '1.4.2', 'r1'])
  expect(await listDeletable(30, 3, later)).toEqual(['1.4.2', 'r1'])
  const releases = await listReleaseInventory(fixture.folder)
  expect(
    releases.map(({ release: id, state, previous }) => `${id} ${state}${previous ? ' previous' : ''}`),
  ).toEqual([
    'r6 live',
    'r7 canary',
    'r5 before previous',
    'r4 before',
    'r3 before',
    '1.4.2 before',
    'r1 before',
  ])
  const old = deletableReleases(releases, { now: later, days: 30, keep: 3 })
  // r6 is added to the list, as if it had become live again after the list was made.
  await remove(context(), { old: [...old, { app: 'mfe-admin', release: 'r6' }] })
  expect(existsSync(path.join(fixture.folder, 'mfe-admin/r6'))).toBe(true)
  expect(existsSync(path.join(fixture.folder, 'mfe-admin/r1'))).toBe(false)
  expect(existsSync(path.join(fixture.folder, 'mfe-admin/r3'))).toBe(true)
  expect((await readActions()).slice(-2)).toEqual(['deleted 1.4.2', 'deleted r1'])
})

it('concurrent releases of several micro-frontends all succeed', async () => {
  await Promise.all([ship('r1'), ship('u1', { app: 'mfe-user' }), ship('p1', { app: 'mfe-public' })])
  expect((await readPointer(fixture.folder)).map(({ name }) => name).sort()).toEqual([
    'mfe-admin',
    'mfe-public',
    'mfe-user',
  ])
  const log = await readLog(fixture.folder)
  expect(new Set(log.map(({ at }) => at)).size).toBe(3)
})

describe('a damaged pointer', () => {
  const file = () => path.join(fixture.folder, 'remotes.json')
  let intactText: string
  releaseOnce(async () => {
    for (const app of ['mfe-public', 'mfe-user', 'mfe-admin']) await ship('r1', { app })
    await ship('r2')
    intactText = await pointerText()
  })

  const removeKey = (key: string) =>
    JSON.stringify(JSON.parse(intactText), (name, value) => (name === key ? undefined : value))
  const damages: Record<string, () => string | undefined> = {
    'is truncated': () => intactText.slice(0, intactText.length / 2),
    'is empty': () => '',
    'is missing': () => undefined,
    'is not a list': () => '{"remotes":{}}',
    'has an entry without integrity': () => removeKey('integrity'),
    'has an entry without a release': () => removeKey('release'),
    'has a hash that browsers ignore': () => intactText.replace('sha384-', 'sha384:'),
  }
  it.each(Object.keys(damages))(
    'that %s is not changed by any command',
    { tags: ['SHIPPING-4'] },
    async name => {
      const damaged = damages[name]?.()
      if (damaged === undefined) await rm(file())
      else await writeFile(file(), damaged)
      const log = await readActions()
      for (const command of [
        () => ship('r3'),
        () => ship('r3', { percent: 10 }),
        () => promote(context(), { app: 'mfe-admin' }),
        () => rollback(context(), { app: 'mfe-admin' }),
        () => follow(context(), { app: 'mfe-admin' }),
        () => remove(context(), { old: [{ app: 'mfe-admin', release: 'r1' }] }),
        () => pointAtSources(fixture.folder, ['mfe-admin'], { 'mfe-admin': 'r1' }, fixture.signing),
        () => listReleaseInventory(fixture.folder),
      ])
        await expect(command()).rejects.toThrow(/is damaged: .+ Nothing was changed/)
      expect(await pointerText()).toBe(damaged ?? '')
      expect(await readActions()).toEqual(log)
      expect(existsSync(path.join(fixture.folder, 'mfe-admin/r1'))).toBe(true)
    },
  )

  it('is detected wherever it is truncated', async () => {
    for (let length = 0; length < intactText.trimEnd().length; length += 7) {
      await writeFile(file(), intactText.slice(0, length))
      expect(await findPointerDamage(fixture.folder), String(length)).toBeDefined()
    }
    await writeFile(file(), intactText)
    expect(await findPointerDamage(fixture.folder)).toBeUndefined()
  })

  describe('is repaired', () => {
    let server: Server
    let served: string
    let portal: string
    beforeEach(async () => {
      served = intactText
      server = createServer((_, response) => response.end(served)).listen(0, '127.0.0.1')
      await new Promise(resolve => server.once('listening', resolve))
      portal = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await writeFile(file(), '{')
    })
    afterEach(() => server.close())

    it('with the pointer that the portal serves', async () => {
      expect(await repair(context(), { portal })).toEqual([
        expect.stringContaining('restored from http://127.0.0.1'),
      ])
      expect(await pointerText()).toBe(intactText)
      await ship('r3')
      expect((await readPointer(fixture.folder)).map(({ name }) => name)).toEqual([
        'mfe-public',
        'mfe-user',
        'mfe-admin',
      ])
      expect(await repair(context(), { portal })).toEqual([expect.stringContaining('nothing to repair')])
    })

    it('but not with a pointer that is damaged or does not match the folder', async () => {
      served = '{'
      await expect(repair(context(), { portal })).rejects.toThrow('is damaged too')
      served = intactText
      await rm(path.join(fixture.folder, 'mfe-user/r1'), { recursive: true })
      await expect(repair(context(), { portal })).rejects.toThrow('mfe-user r1 no longer exists')
      await expect(repair(context(), { portal: UNREACHABLE_URL })).rejects.toThrow(
        'serves no valid remotes.json',
      )
      expect(await pointerText()).toBe('{')
    })
  })
})

it('refuses a rollback to a release without hashes', async () => {
  for (const id of ['r1', 'r2']) await ship(id)
  const log = path.join(fixture.folder, 'shipments.jsonl')
  const text = await readFile(log, 'utf8')
  await writeFile(log, text.replaceAll('"integrity":', '"was":'))
  await expect(rollback(context(), { app: 'mfe-admin' })).rejects.toThrow('published without hashes')
  expect(await readLiveRelease()).toBe('r2')
})
