import { findConfigProblem, parseUsablePart } from '@portal/contract/remotes-config'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'
import { readGauges } from '../health/gauges.ts'
import { withLastValidRemotes } from './last-valid-remotes.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const hash = `sha384-${'Aa0+'.repeat(16)}`
const entry = (name: string, overrides = {}) => ({
  name,
  release: 'r1',
  manifest: `/r/${name}/r1/mf-manifest.json`,
  integrity: { manifest: hash, entry: hash },
  needs: { contract: 1, start: 1, shared: { react: '^19.3.1' } },
  ...overrides,
})
const [front, user, admin] = [entry('mfe-public'), entry('mfe-user'), entry('mfe-admin')]
const pointerOf = (...remotes: unknown[]) => JSON.stringify({ revision: 'abc', api: '/api', remotes })
const good = pointerOf(front, user, admin)

/** The keys of the teams; here no team has one. */
const trust = { teams: [] }

/** The content of the pointer file; undefined if there is none. */
let file: string | undefined

/** Starts a portal that knows only the file and the database. */
function startPortal() {
  const { ports, database } = setup
  const files = { get: async () => (file === undefined ? undefined : new Response(file)) }
  const { clock, log, background } = ports
  ports.assets = withLastValidRemotes(files, { clock, log, background, database, trust })
  const app = createApp(ports)
  return async (headers = {}) => {
    const response = await app.fetch(new Request('http://localhost:8080/config/remotes.json', { headers }))
    await setup.waitUntilIdle()
    return { status: response.status, text: await response.text(), etag: response.headers.get('etag') ?? '' }
  }
}
const readPointerLines = () => setup.ports.lines.filter(({ event }) => event.startsWith('pointer_'))
const readMetric = async () =>
  (await readGauges(setup.ports, setup.database)).find(
    ({ name }) => name === 'portal_front_end_pointer_damaged',
  )?.values[0]?.value

const omitKey = (key: string, from: object) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== key))
const damagedPointers: [string, string | undefined][] = [
  ['missing', undefined],
  ['empty', ''],
  ['blank', ' \n'],
  ['of null bytes', '\0'.repeat(good.length)],
  ['of another page', '<!doctype html>'],
  ['another value', '[]'],
  ['null', 'null'],
  ['without remotes', '{"revision":"abc","api":"/api"}'],
  ['without revision', JSON.stringify({ api: '/api', remotes: [front, user, admin] })],
  ['with no entry', pointerOf()],
  ['without the landing page', pointerOf(user, admin)],
  ['without the administration', pointerOf(front, user)],
  ['with one entry twice', pointerOf(front, user, admin, user)],
  ['with an entry that is null', pointerOf(front, user, admin, null)],
  ...['integrity', 'manifest', 'release', 'name'].map((key): [string, string] => [
    `with an entry without ${key}`,
    pointerOf(front, omitKey(key, user), admin),
  ]),
  ...[{}, { manifest: hash }, { manifest: hash, entry: '' }, { manifest: hash, entry: 'sha384-x' }].map(
    (integrity): [string, string] => [
      `with integrity ${JSON.stringify(integrity).length}`,
      pointerOf(front, entry('mfe-user', { integrity }), admin),
    ],
  ),
  ...['javascript:alert(1)', 'data:text/javascript,1', '//elsewhere.test/m.json', 'm.json', ''].map(
    (manifest): [string, string] => [
      `with the manifest ${manifest}`,
      pointerOf(front, entry('mfe-user', { manifest }), admin),
    ],
  ),
  [
    'with a canary without integrity',
    pointerOf(front, user, {
      ...admin,
      canary: { release: 'r2', percent: 10, accounts: [], manifest: '/r/mfe-admin/r2/mf-manifest.json' },
    }),
  ],
]

test.each(damagedPointers)(
  'a pointer %s is reported, and the last valid pointer is served, even after a restart',
  { tags: ['SHIPPING-4'] },
  async (_, text) => {
    file = good
    expect((await startPortal()()).text).toBe(good)
    file = text
    for (let starts = 0; starts < 2; starts++) {
      const fetchPointer = startPortal()
      expect(await fetchPointer()).toMatchObject({ status: 200, text: good })
      expect(await fetchPointer()).toMatchObject({ status: 200, text: good })
      expect(await setup.ports.assets.remotesError?.()).toBeTruthy()
      expect(await readMetric()).toBe(1)
    }
    // Each process reports the damage once.
    expect(readPointerLines().map(({ event }) => event)).toEqual(['pointer_damaged', 'pointer_damaged'])
    expect(readPointerLines()[0]).toMatchObject({ level: 'error', served: 'the last good one' })
  },
)

test('browsers never get a truncated version of the file', { tags: ['SHIPPING-4'] }, async () => {
  file = good
  const fetchPointer = startPortal()
  await fetchPointer()
  for (let length = 0; length < good.length; length++) {
    file = good.slice(0, length)
    const { status, text } = await fetchPointer()
    if (status !== 200 || text !== good)
      expect({ length, status, text }).toEqual({ length, status: 200, text: good })
  }
  expect(await readMetric()).toBe(1)
})

test('serves a repaired file immediately', async () => {
  file = good
  const fetchPointer = startPortal()
  const { etag } = await fetchPointer()
  file = '{'
  expect((await fetchPointer({ 'if-none-match': etag })).status).toBe(304)
  file = pointerOf(front, user, entry('mfe-admin', { release: 'r2' }))
  expect((await fetchPointer({ 'if-none-match': etag })).text).toBe(file)
  expect(await readMetric()).toBe(0)
  expect(readPointerLines().map(({ event }) => event)).toEqual(['pointer_damaged', 'pointer_repaired'])
  const later = file
  file = ''
  expect((await startPortal()()).text).toBe(later)
})

test('if there is no earlier valid pointer, serves only the usable entries, if any', async () => {
  file = pointerOf(omitKey('integrity', front), user, null, { ...admin, canary: { percent: 7 } })
  expect(JSON.parse((await startPortal()()).text).remotes).toEqual([user, admin])
  file = good.slice(0, 100)
  expect((await startPortal()()).status).toBe(503)
  file = undefined
  expect((await startPortal()()).status).toBe(404)
  expect(await readMetric()).toBe(0)
})

test('if the database cannot be read, only that one response fails', async () => {
  file = good
  await startPortal()()
  file = '{'
  const { ports, database } = setup
  const { clock, log, background } = ports
  const broken = { ...database, read: undefined as never }
  let db = broken
  const assets = withLastValidRemotes(
    { get: async () => new Response(file) },
    {
      clock,
      log,
      background,
      trust,
      database: {
        get read() {
          return db.read
        },
        write: work => db.write(work),
      },
    },
  )
  const request = new Request('http://localhost/config/remotes.json')
  expect((await assets.get('/config/remotes.json', request))?.status).toBe(503)
  db = database as never
  expect(await (await assets.get('/config/remotes.json', request))?.text()).toBe(good)
})

test('reasons contain the path in the file and never its content', () => {
  const secret = 'Ada Obi'
  for (const text of [
    secret,
    JSON.stringify({ revision: 1, secret }),
    pointerOf(front, user, { name: secret }),
  ])
    expect(findConfigProblem(text)).not.toContain(secret)
  expect(findConfigProblem(pointerOf(front, user, omitKey('integrity', admin)))).toMatch(
    /^remotes\.2\.integrity: /,
  )
  expect(findConfigProblem(good)).toBeUndefined()
  expect(parseUsablePart('{')).toBeUndefined()
})
