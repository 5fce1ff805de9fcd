import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { RemotePointer } from '@portal/contract/remote'
import { signedBytes } from '@portal/contract/signed-entry'
import type { Trust } from '@portal/contract/teams'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import type { Assets } from '../ports.ts'
import { withLastValidRemotes } from './last-valid-remotes.ts'
import { readTrust, warnOfUnsignedFrontEnds, withSignedPointer } from './trust.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const POINTER_PATH = '/config/remotes.json'
const apps = ['mfe-public', 'mfe-user', 'mfe-admin']
const keysByApp = Object.fromEntries(apps.map(app => [app, generateKeyPairSync('ed25519').privateKey]))
const publicKeyX = (key: KeyObject | undefined) => String(key?.export({ format: 'jwk' }).x)
const trust: Trust = {
  teams: apps.map(app => ({
    name: app.slice(4),
    apps: [app],
    owners: ['@portal/team'],
    keys: [{ id: `${app}-1`, x: publicKeyX(keysByApp[app]), from: '2020-01-01' }],
  })),
}
const financeKey = generateKeyPairSync('ed25519').privateKey
const hash = `sha384-${'Aa0+'.repeat(16)}`

/** A time at which the keys are already valid. */
const T0 = Date.parse('2021-01-01')

/** Returns an entry that is signed by its own team, unless another key is given. */
function entry(
  name: string,
  release: string,
  msAfterT0: number,
  key = keysByApp[name],
  keyId = `${name}-1`,
): RemotePointer {
  const content = {
    name,
    release,
    manifest: `/r/${name}/${release}/mf-manifest.json`,
    integrity: { manifest: hash, entry: hash },
    signed: { by: keyId, at: T0 + msAfterT0 },
  }
  if (!key) throw new Error('no key')
  return { ...content, signature: sign(null, signedBytes(content), key).toString('base64') }
}
const pointerOf = (remotes: readonly object[]) => JSON.stringify({ revision: 'abc', api: '/api', remotes })
const otherEntries = [entry('mfe-public', 'r1', 1000), entry('mfe-user', 'r1', 1000)]
const pointerWithAdmin = (admin: object) => pointerOf([...otherEntries, admin])

let file: string | undefined
/** Starts a portal that knows only the file and the database. */
function startPortal(trusted = trust): Assets {
  const { ports, database } = setup
  const { clock, log, background } = ports
  const files = { get: async () => (file === undefined ? undefined : new Response(file)) }
  return withLastValidRemotes(files, { clock, log, background, database, trust: trusted })
}
async function readPointer(assets: Assets) {
  const response = await assets.get(POINTER_PATH, new Request('http://localhost/'))
  await setup.waitUntilIdle()
  const text = (await response?.text()) ?? ''
  return { text, remotes: text ? (JSON.parse(text).remotes as RemotePointer[]) : [] }
}
const findRelease = (remotes: readonly RemotePointer[], name = 'mfe-admin') =>
  remotes.find(remote => remote.name === name)?.release

const validEntry = entry('mfe-admin', 'r2', 2000)
const { signature: _, signed: __, ...unsigned } = entry('mfe-admin', 'evil', 3000)
test.each<[string, object, RegExp]>([
  [
    "signed with another team's key",
    entry('mfe-admin', 'evil', 3000, keysByApp['mfe-user'], 'mfe-user-1'),
    /not a key of team admin/,
  ],
  [
    "signed with another team's key under the right name",
    entry('mfe-admin', 'evil', 3000, keysByApp['mfe-user']),
    /does not match/,
  ],
  ['without a signature', unsigned, /is not signed/],
  ['that was altered', { ...validEntry, release: 'evil' }, /does not match/],
  ['of an older release', entry('mfe-admin', 'r1', 1000), /a later release was accepted before/],
])(
  'an entry %s is replaced by the last accepted entry, even after a restart',
  async (_title, admin, reason) => {
    file = pointerWithAdmin(validEntry)
    expect((await readPointer(startPortal())).text).toBe(file)
    const newer = entry('mfe-user', 'r7', 5000)
    file = pointerOf([otherEntries[0] ?? {}, newer, admin])
    for (let starts = 0; starts < 2; starts++) {
      const assets = startPortal()
      const { remotes } = await readPointer(assets)
      expect(findRelease(remotes)).toBe('r2')
      // Other teams are not affected.
      expect(findRelease(remotes, 'mfe-user')).toBe('r7')
      expect(await assets.remotesError?.()).toMatch(reason)
    }
    expect(setup.ports.lines.find(({ event }) => event === 'pointer_damaged')?.reason).toMatch(reason)
  },
)

test('leaves out entries for an unknown micro-frontend and for one that was never signed', async () => {
  file = pointerOf([...otherEntries, unsigned, { ...entry('mfe-public', 'x', 9), name: 'mfe-evil' }])
  const { remotes } = await readPointer(startPortal())
  expect(remotes.map(({ name }) => name)).toEqual(['mfe-public', 'mfe-user'])
})

test('serves a rollback that the team signed after the current release', async () => {
  file = pointerWithAdmin(validEntry)
  await readPointer(startPortal())
  file = pointerWithAdmin(entry('mfe-admin', 'r1', 3000))
  expect((await readPointer(startPortal())).text).toBe(file)
})

test('refuses an older release even if the entry was missing in between', async () => {
  const trustWithFinance: Trust = {
    teams: [
      ...trust.teams,
      {
        name: 'fin',
        apps: ['mfe-fin'],
        owners: ['@portal/fin'],
        keys: [{ id: 'mfe-fin-1', x: publicKeyX(financeKey), from: '2020-01-01' }],
      },
    ],
  }
  const financeEntry = (release: string, at: number) => entry('mfe-fin', release, at, financeKey)
  for (const remotes of [
    [...otherEntries, validEntry, financeEntry('r2', 2000)],
    [...otherEntries, validEntry],
  ]) {
    file = pointerOf(remotes)
    expect((await readPointer(startPortal(trustWithFinance))).text).toBe(file)
  }
  file = pointerOf([...otherEntries, validEntry, financeEntry('r1', 1000)])
  expect(findRelease((await readPointer(startPortal(trustWithFinance))).remotes, 'mfe-fin')).toBeUndefined()
})
test('does not serve an entry from the database if the key that signed it was removed', async () => {
  file = pointerWithAdmin(validEntry)
  await readPointer(startPortal())
  const trustWithoutAdminKeys = {
    teams: trust.teams.map(team => (team.name === 'admin' ? { ...team, keys: [] } : team)),
  }
  for (const text of [pointerWithAdmin(validEntry), '{', undefined]) {
    file = text
    expect((await readPointer(startPortal(trustWithoutAdminKeys))).remotes.map(({ name }) => name)).toEqual([
      'mfe-public',
      'mfe-user',
    ])
  }
})

test('a damaged file is replaced by the accepted entries, with their signatures', async () => {
  file = pointerWithAdmin(validEntry)
  await readPointer(startPortal())
  file = file.slice(0, 300)
  expect(findRelease((await readPointer(startPortal())).remotes)).toBe('r2')
})

test('a worker checks the signatures of the pointer that was deployed with it', async () => {
  const { clock, log } = setup.ports
  const assets = withSignedPointer(
    { get: async path => new Response(path === POINTER_PATH ? file : 'other') },
    { trust, clock, log },
  )
  file = pointerWithAdmin(validEntry)
  expect((await readPointer(assets)).text).toBe(file)
  file = pointerWithAdmin(unsigned)
  expect((await readPointer(assets)).remotes.map(({ name }) => name)).toEqual(['mfe-public', 'mfe-user'])
  const page = await assets.get('/index.html', new Request('http://localhost/'))
  expect(await page?.text()).toBe('other')
})

test('trusts a development key only if the environment contains it, and warns in production if teams.json has no keys', () => {
  const { ports } = setup
  const RELEASE_DEVELOPMENT_KEY = 'x'.repeat(43)
  expect(readTrust({ ...ports.environment, RELEASE_DEVELOPMENT_KEY }).developmentKey).toBe(
    RELEASE_DEVELOPMENT_KEY,
  )
  expect(readTrust(ports.environment).developmentKey).toBeUndefined()
  const warnings = () => ports.lines.filter(({ event }) => event === 'releases_unsigned')
  warnOfUnsignedFrontEnds(ports)
  expect(warnings()).toEqual([])
  warnOfUnsignedFrontEnds({ ...ports, environment: { ...ports.environment, NODE_ENV: 'production' } })
  expect(warnings()).toHaveLength(1)
})
