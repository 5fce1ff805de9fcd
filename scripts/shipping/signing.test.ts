import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RemotePointer } from '@portal/contract/remote'
import { readTeams, signatureProblem, type Team } from '@portal/contract/teams'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { microFrontends } from '../lib/apps.mjs'
import { developmentKey, newKey } from '../lib/release-keys.mjs'
import { root } from '../lib/setup.mjs'
import { teamsText } from '../lib/teams-file.mjs'
import { follow, promote, repair, rollback, signAgain } from './commands.mjs'
import { readPointer } from './pointer.mjs'
import { publishRemote } from './publish.mjs'
import { release } from './release.mjs'
import { addKey, type Signing, signingWith } from './signing.mjs'
import { pointAtSources } from './sources.mjs'
import { createReleasesFixture, type ReleasesFixture } from './test-builds.ts'

const DAY = 86_400_000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const [now, yesterday, tomorrow] = [Date.now(), dayOf(Date.now() - DAY), dayOf(Date.now() + DAY)]
const keys = { admin: newKey('admin-1'), next: newKey('admin-2'), user: newKey('user-1') }
const publicKeyOf = (key: { kid: string; x: string }, overrides: { from?: string; until?: string } = {}) => ({
  id: key.kid,
  x: key.x,
  from: yesterday,
  ...overrides,
})
const makeTeam = (name: string, ...ownKeys: Team['keys']): Team => ({
  name,
  apps: [`mfe-${name}`],
  owners: [`@portal/${name}-team`],
  keys: ownKeys,
})
const teams = [makeTeam('admin', publicKeyOf(keys.admin)), makeTeam('user', publicKeyOf(keys.user))]
/* The signing set-ups of two teams; each has only its own private key. */
const adminSigning = signingWith({ teams, keys: [keys.admin] })
const userSigning = signingWith({ teams, keys: [keys.user] })

let fixture: ReleasesFixture
beforeEach(async () => {
  fixture = await createReleasesFixture()
})
afterEach(() => fixture.remove())

type Options = Partial<Parameters<typeof release>[1]> & { signing?: Signing }

async function ship(id: string, { signing = adminSigning, app = 'mfe-admin', ...more }: Options = {}) {
  const from = await fixture.build(app, id)
  const options = { app, from, portal: 'http://127.0.0.1:9', portalMustAnswer: false, ...more }
  return await release(fixture.contextWith(signing), options)
}
async function readEntry(app = 'mfe-admin'): Promise<RemotePointer> {
  const found = (await readPointer(fixture.folder)).find(({ name }) => name === app)
  if (!found) throw new Error(`${app} is not live`)
  return found
}
/** Returns why a portal with these teams would refuse the entry; undefined if it would not. */
const findProblem = (of: RemotePointer, trusted: readonly Team[] = teams, at = Date.now()) =>
  signatureProblem({ teams: trusted }, of, at)
const file = () => path.join(fixture.folder, 'remotes.json')
const log = () => path.join(fixture.folder, 'shipments.jsonl')

describe('a release of a team with a key', () => {
  it('is signed with that key, and signed again whenever its entry in the pointer changes', async () => {
    await ship('r1')
    const first = await readEntry()
    expect(await findProblem(first)).toBeUndefined()
    await ship('r2', { percent: 10 })
    expect(await findProblem(await readEntry())).toBeUndefined()
    await promote(fixture.contextWith(adminSigning), { app: 'mfe-admin' })
    expect(await findProblem(await readEntry())).toBeUndefined()
    await rollback(fixture.contextWith(adminSigning), { app: 'mfe-admin' })
    const last = await readEntry()
    expect(last.release).toBe('r1')
    expect(await findProblem(last)).toBeUndefined()
    expect(last.signed?.at).toBeGreaterThan(first.signed?.at ?? 0)
  })

  it.each([
    [
      "with another team's key",
      () => ship('r2', { signing: userSigning }),
      'no valid private key of team admin here',
    ],
    [
      'without a key',
      () => ship('r2', { signing: signingWith({ teams, keys: [] }) }),
      'no valid private key of team admin here',
    ],
    ['of no team', () => ship('f1', { app: 'mfe-finance' }), 'No team of teams.json has mfe-finance'],
    [
      'with a key that is no longer valid',
      () =>
        ship('r2', {
          signing: signingWith({
            teams: [makeTeam('admin', publicKeyOf(keys.admin, { from: '2020-01-01', until: yesterday }))],
            keys: [keys.admin],
          }),
        }),
      'no valid private key of team admin here',
    ],
    [
      'of another team by a rollback',
      () => rollback(fixture.contextWith(userSigning), { app: 'mfe-admin', to: 'r0' }),
      'no valid private key of team admin here',
    ],
  ])('cannot be made %s', async (_, attempt, reason) => {
    await ship('r0')
    await ship('r1')
    const before = await readFile(file(), 'utf8')
    await expect(attempt()).rejects.toThrow(reason)
    expect(await readFile(file(), 'utf8')).toBe(before)
  })
})

describe('an entry is not accepted', () => {
  const altered: [string, (of: RemotePointer) => Promise<RemotePointer> | RemotePointer, RegExp][] = [
    ['without its signature', ({ signature: _, signed: __, ...of }) => of, /is not signed/],
    [
      'with the name of another key',
      of => ({ ...of, signed: { by: 'user-1', at: now } }),
      /not a key of team admin/,
    ],
    [
      'signed with a key of another team',
      of => signingWith({ teams: [makeTeam('admin', publicKeyOf(keys.user))], keys: [keys.user] }).sign(of),
      /user-1 is not a key of team admin/,
    ],
    [
      'signed with another key under the name of the right one',
      of => {
        const fake = newKey('admin-1')
        return signingWith({ teams: [makeTeam('admin', publicKeyOf(fake))], keys: [fake] }).sign(of)
      },
      /signature does not match/,
    ],
    [
      'signed with a development key',
      of => signingWith({ teams, keys: [], development: newKey('development') }).sign(of),
      /development key, which does not count here/,
    ],
    [
      'with another hash',
      of => ({
        ...of,
        integrity: { manifest: of.integrity?.manifest ?? '', entry: `sha384-${'A'.repeat(64)}` },
      }),
      /signature does not match/,
    ],
    [
      'from another origin',
      of => ({ ...of, manifest: `https://evil.example${of.manifest}` }),
      /does not match/,
    ],
    ['as another micro-frontend', of => ({ ...of, name: 'mfe-user' }), /not a key of team user/],
    [
      'with an area for everyone',
      of => ({ ...of, area: { path: 'x', title: 'X', roles: ['user' as const] } }),
      /does not match/,
    ],
    [
      'signed in the future',
      of => signingWith({ teams, keys: [keys.admin], now: () => now + DAY / 2 }).sign(of),
      /future/,
    ],
    [
      'with a later time',
      of => ({ ...of, signed: { by: 'admin-1', at: (of.signed?.at ?? 0) + 1 } }),
      /does not match/,
    ],
  ]
  it.each(altered)('%s', async (_, alter, reason) => {
    await ship('r1')
    expect(await findProblem(await alter(await readEntry()))).toMatch(reason)
  })

  it('with a canary whose percentage was raised after it was signed', async () => {
    await ship('r1')
    await ship('r2', { percent: 10 })
    const liveEntry = await readEntry()
    expect(await findProblem(liveEntry)).toBeUndefined()
    if (!liveEntry.canary) throw new Error('no canary')
    expect(await findProblem({ ...liveEntry, canary: { ...liveEntry.canary, percent: 100 } })).toMatch(
      /does not match/,
    )
  })

  it('if teams.json does not name its team', async () => {
    await ship('r1')
    expect(await findProblem(await readEntry(), [makeTeam('user', publicKeyOf(keys.user))])).toMatch(
      /no team .+ owns mfe-admin/,
    )
  })
})

describe('commands that sign again', () => {
  it('do not sign what someone else wrote into the releases folder', async () => {
    await ship('r1')
    await ship('r2')
    const originalTexts = [await readFile(file(), 'utf8'), await readFile(log(), 'utf8')] as const
    const falsify = async (target: string, text: string) =>
      writeFile(target, text.replaceAll(/"entry":"sha384-[^"]+"/g, `"entry":"sha384-${'B'.repeat(64)}"`))
    // The log is falsified first, and then the pointer.
    await falsify(log(), originalTexts[1])
    await expect(rollback(fixture.contextWith(adminSigning), { app: 'mfe-admin' })).rejects.toThrow(
      'does not match',
    )
    await writeFile(log(), originalTexts[1])
    await writeFile(file(), JSON.stringify(JSON.parse(originalTexts[0])))
    await falsify(file(), JSON.stringify(JSON.parse(originalTexts[0])))
    for (const attempt of [
      () => ship('r3', { percent: 10 }),
      () => signAgain(fixture.contextWith(adminSigning), { app: 'mfe-admin' }),
    ])
      await expect(attempt()).rejects.toThrow('does not match')
  })

  it('publish their own build, not a release that someone else has put there under its name', async () => {
    await ship('r1')
    const planted = path.join(fixture.folder, 'mfe-admin/r2')
    const from = await fixture.build('mfe-admin', 'r2')
    await cp(from, planted, { recursive: true })
    await writeFile(path.join(planted, 'entry.js'), 'steal()')
    await ship('r2')
    expect(await readFile(path.join(planted, 'entry.js'), 'utf8')).toContain('/* r2 */')
    expect(await findProblem(await readEntry())).toBeUndefined()
  })

  it('do not restore a pointer with entries that are not signed', async () => {
    for (const app of ['mfe-admin', 'mfe-user'])
      await ship('r1', { app, signing: app === 'mfe-user' ? userSigning : adminSigning })
    const { signature: _, signed: __, ...unsigned } = await readEntry()
    const remotes = [unsigned, await readEntry('mfe-user'), { ...unsigned, name: 'mfe-public' }]
    const server = createServer((_request, response) =>
      response.end(JSON.stringify({ revision: 'x', api: '/api', remotes })),
    ).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const address = server.address()
    await writeFile(file(), '{')
    const portal = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    await expect(repair(fixture.contextWith(adminSigning), { portal })).rejects.toThrow(
      'mfe-admin: it is not signed',
    )
    server.close()
    expect(await readFile(file(), 'utf8')).toBe('{')
  })
})

describe('npm start', () => {
  const start = (signing = adminSigning) =>
    pointAtSources(fixture.folder, ['mfe-admin'], { 'mfe-admin': 'r2' }, signing)

  it('keeps the live release of a team whose key it does not have, and publishes no new micro-frontend', async () => {
    const keyless = signingWith({ teams, keys: [] })
    await publishRemote(fixture.folder, 'mfe-admin', 'r2', await fixture.build('mfe-admin', 'r2'))
    await expect(start(keyless)).rejects.toThrow('no valid private key of team admin here')
    await ship('r1')
    await ship('r2')
    await rollback(fixture.contextWith(adminSigning), { app: 'mfe-admin' })
    expect(await start(keyless)).toEqual([expect.stringContaining('r1 stays live, because its team')])
  })

  it('does not sign an unchanged entry again', async () => {
    const dev = signingWith({ teams: [], keys: [], development: newKey('development') })
    await ship('r2', { signing: dev })
    await follow(fixture.contextWith(dev), { app: 'mfe-admin' })
    await start(dev)
    const before = await readFile(file(), 'utf8')
    await start(dev)
    expect(await readFile(file(), 'utf8')).toBe(before)
  })
})

describe('a rotation', () => {
  const overlappingTeams = [
    makeTeam(
      'admin',
      publicKeyOf(keys.admin, { until: tomorrow }),
      publicKeyOf(keys.next, { from: dayOf(now) }),
    ),
  ]
  it('accepts both keys while they overlap, and signs with the new one', async () => {
    await ship('r1')
    expect(await findProblem(await readEntry(), overlappingTeams)).toBeUndefined()
    const rotating = signingWith({ teams: overlappingTeams, keys: [keys.admin, keys.next] })
    expect(await signAgain(fixture.contextWith(rotating), { app: 'mfe-admin' })).toEqual([
      'mfe-admin r1 is signed with admin-2',
    ])
    // Then the old key is removed.
    const after = [makeTeam('admin', publicKeyOf(keys.next))]
    expect(await findProblem(await readEntry(), after)).toBeUndefined()
    await ship('r2', { signing: signingWith({ teams: after, keys: [keys.next] }) })
    await rollback(fixture.contextWith(signingWith({ teams: after, keys: [keys.next] })), {
      app: 'mfe-admin',
    })
    expect((await readEntry()).release).toBe('r1')
  })

  it('keeps accepting entries that a key signed while it was valid, but none of a removed key', async () => {
    await ship('r1')
    const liveEntry = await readEntry()
    const later = now + 30 * DAY
    expect(await findProblem(liveEntry, overlappingTeams, later)).toBeUndefined()
    const late = signingWith({ teams, keys: [keys.admin], now: () => now + 2 * DAY }).sign(liveEntry)
    expect(await findProblem(late, overlappingTeams, later)).toMatch(/not valid when it was signed/)
    expect(await findProblem(liveEntry, [makeTeam('admin', publicKeyOf(keys.next))], later)).toMatch(
      /not a key of team admin/,
    )
  })
})

describe('teams.json', () => {
  it('of this repository names the shell and every micro-frontend, with the same owners as CODEOWNERS', async () => {
    const teamsInFile = readTeams(JSON.parse(await readFile(path.join(root, 'teams.json'), 'utf8')))
    const owners = await readFile(path.join(root, 'CODEOWNERS'), 'utf8')
    const apps = ['shell', ...microFrontends().map(({ name }) => name)]
    expect(teamsInFile.flatMap(item => item.apps).sort()).toEqual(apps.sort())
    for (const item of teamsInFile)
      for (const app of item.apps)
        expect(
          owners
            .split('\n')
            .findLast(line => line.startsWith(`/${app}/ `))
            ?.split(/\s+/)
            .slice(1),
        ).toEqual(item.owners)
  })

  it.each([
    [
      'an app of two teams',
      [makeTeam('admin'), { ...makeTeam('user'), apps: ['mfe-admin'] }],
      'gives an app to two teams',
    ],
    [
      'a key of two teams',
      [makeTeam('a', publicKeyOf(keys.admin)), makeTeam('b', publicKeyOf({ ...keys.admin, kid: 'b' }))],
      'names a key twice',
    ],
    ['a key without a start', [makeTeam('admin', { id: 'a', x: keys.admin.x } as never)], 'from'],
    ['an unknown field', [{ ...makeTeam('admin'), key: 'x' }], 'key'],
  ])('is refused with %s', (_, content, reason) => {
    expect(() => readTeams({ teams: content })).toThrow(reason)
  })

  it('gets the public half of a new key, whose private half only its owner can read', async () => {
    const checkout = await mkdtemp(path.join(tmpdir(), 'portal-teams-'))
    const folder = path.join(checkout, 'data')
    await writeFile(path.join(checkout, 'teams.json'), teamsText([makeTeam('admin'), makeTeam('user')]))
    const machine = developmentKey(folder)
    expect(developmentKey(folder)).toEqual(machine)
    expect(addKey({ team: 'admin', checkout, folder }).at(-1)).toContain('Without a key: team user')
    expect(() => addKey({ team: 'sales', checkout, folder })).toThrow('admin, user')
    addKey({ team: 'admin', checkout, folder })
    const written = readTeams(JSON.parse(await readFile(path.join(checkout, 'teams.json'), 'utf8')))
    expect(written[0]?.keys.map(({ id }) => id)).toEqual([`admin-${dayOf(now)}`, `admin-${dayOf(now)}-2`])
    const stored = path.join(folder, 'release-keys.json')
    expect((await stat(stored)).mode & 0o777).toBe(0o600)
    const storedKeys = JSON.parse(await readFile(stored, 'utf8')).keys
    await ship('r1', { signing: signingWith({ teams: written, keys: storedKeys }) })
    expect(await findProblem(await readEntry(), written)).toBeUndefined()
    expect(await readFile(path.join(checkout, 'teams.json'), 'utf8')).not.toContain(storedKeys[1].d)
    await rm(checkout, { recursive: true })
  })
})
