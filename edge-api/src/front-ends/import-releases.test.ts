import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { appendLog } from '../../../scripts/shipping/log.mjs'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { releasesFile } from '../adapters/releases-file.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { auditActivityLog } from '../logs/audit.ts'
import { listLogs } from '../logs/store.ts'
import { importReleases } from './import-releases.ts'

let setup: TestSetup
let folder: string
beforeEach(async () => {
  setup = await openTestSetup()
  folder = await mkdtemp(path.join(tmpdir(), 'portal-shipments-'))
  setup.ports.releaseLog = releasesFile(folder, 'shipments.jsonl')
})
afterEach(async () => {
  await setup.close()
  await rm(folder, { recursive: true, force: true })
})

const shipped = { by: 'Ada Obi <ada@example.org>', app: 'mfe-admin', release: 'r2', before: 'r1' }
const ship = (action: string, overrides = {}) =>
  appendLog(folder, { ...shipped, action, ...overrides } as never)
const importInto = (from = setup) =>
  importReleases({ ...from.ports, releaseLog: releasesFile(folder, 'shipments.jsonl') }, from.database)

/** Returns the entries as a super admin sees them, oldest first. */
async function listEntries(from = setup) {
  const rows = await listLogs(from.database.read, { view: { all: true }, search: '', page: 1, perPage: 100 })
  return rows.reverse().map(({ activity, details, userEmail }) => ({ activity, details, userEmail }))
}

test('the scheduler copies the release log into the activity log, where entries are sealed', {
  tags: ['SHIPPING-9'],
}, async () => {
  await ship('built', { by: 'npm start' })
  await ship('canary', { percent: 10, accounts: 2 })
  await ship('promoted')
  await runScheduledJobs(setup.ports, setup.database)
  expect(await listEntries()).toEqual([
    {
      activity: 'Front end canary released',
      details:
        'mfe-admin r2, for 10% and 2 named accounts, next to r1; by Ada Obi <ada@example.org>, as the command named them',
      userEmail: 'ada@example.org',
    },
    {
      activity: 'Front end promoted to everyone',
      details: 'mfe-admin r2, before it r1; by Ada Obi <ada@example.org>, as the command named them',
      userEmail: 'ada@example.org',
    },
  ])
  expect(await auditActivityLog(setup.database)).toMatchObject({ unaltered: 2, waiting: 0 })
})

test('each line becomes one entry, however often the copy runs', async () => {
  await ship('released')
  expect(await Promise.all([importInto(), importInto(), importInto()])).toEqual(
    expect.arrayContaining([1, 0, 0]),
  )
  expect(await importInto()).toBe(0)
  await ship('rolled back', { release: 'r1', before: 'r2' })
  expect(await importInto()).toBe(1)
  expect((await listEntries()).map(({ activity }) => activity)).toEqual([
    'Front end released',
    'Front end rolled back',
  ])
})

test('each database copies the lines that it is missing, even after a restore from a backup', async () => {
  await ship('released')
  const other = await openTestSetup()
  try {
    expect([await importInto(), await importInto(other)]).toEqual([1, 1])
  } finally {
    await other.close()
  }
})

test('a different log, such as one in a recreated folder, is copied from its first line', async () => {
  await ship('released')
  await importInto()
  await rm(path.join(folder, 'shipments.jsonl'))
  await ship('released', { release: 'r3' })
  expect(await importInto()).toBe(1)
})

describe('a clock that was a week ahead', () => {
  const WEEK = 7 * 86_400_000
  const file = () => path.join(folder, 'shipments.jsonl')
  const lines = async () => (await readFile(file(), 'utf8')).trimEnd().split('\n')
  /** Adds a line whose time is a week ahead. */
  async function shipAhead(action: string) {
    await ship(action)
    const all = await lines()
    const last = JSON.parse(all.pop() ?? '')
    await writeFile(file(), `${[...all, JSON.stringify({ ...last, at: last.at + WEEK })].join('\n')}\n`)
  }
  const listActivities = async () => (await listEntries()).map(({ activity }) => activity)
  beforeEach(() => {
    setup.ports.time = Date.now()
  })

  test('copies each release of that week once, with the current time, and later releases too', {
    tags: ['SHIPPING-9'],
  }, async () => {
    await shipAhead('released')
    expect([await importInto(), await importInto()]).toEqual([1, 0])
    const rows = await listLogs(setup.database.read, { view: { all: true }, search: '', page: 1, perPage: 9 })
    expect(rows[0]?.at).toBeLessThanOrEqual(setup.ports.time)
    await ship('rolled back')
    expect([await importInto(), await importInto()]).toEqual([1, 0])
    expect(await listActivities()).toEqual(['Front end released', 'Front end rolled back'])
  })

  test('skips nothing even if the line with that time is missing from the log', {
    tags: ['SHIPPING-9'],
  }, async () => {
    await ship('released')
    await shipAhead('promoted')
    expect(await importInto()).toBe(2)
    // The log was restored from a backup, or corrected manually.
    await writeFile(file(), `${(await lines()).slice(0, -1).join('\n')}\n`)
    expect(await importInto()).toBe(0)
    await ship('rolled back')
    expect([await importInto(), await importInto()]).toEqual([1, 0])
    await ship('followed')
    expect([await importInto(), await importInto()]).toEqual([1, 0])
    expect(await listActivities()).toEqual([
      'Front end released',
      'Front end promoted to everyone',
      'Front end rolled back',
      'Front end follows its sources',
    ])
  })
})

test('a missing or empty log and a truncated line are no error', async () => {
  expect(await importInto()).toBe(0)
  await writeFile(path.join(folder, 'shipments.jsonl'), '')
  expect(await importInto()).toBe(0)
  await rm(path.join(folder, 'shipments.jsonl'))
  await ship('released')
  await writeFile(path.join(folder, 'shipments.jsonl'), '{"id":"x","at":1', { flag: 'a' })
  await ship('rolled back')
  expect(await importInto()).toBe(2)
  const { releaseLog: _, ...without } = setup.ports
  expect(await importReleases(without, setup.database)).toBe(0)
})

test('a person without an email address is named only in the details of the entry', async () => {
  await ship('released', { by: 'deploy on ci-4\r\nroot' })
  await importInto()
  expect(await listEntries()).toMatchObject([
    { userEmail: null, details: expect.stringContaining('ci-4\\r\\nroot') },
  ])
})
