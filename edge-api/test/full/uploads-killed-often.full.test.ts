import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { type Client, createClient } from '@libsql/client'
import { createRandom } from '@portal/fixtures/random'
import { afterAll, expect, test } from 'vitest'
import { rowId } from '../../src/uploads/row-keys.ts'
import { LARGE_UPLOAD_ROWS } from '../../src/uploads/search-index-store.ts'
import { eventually, request, staffToken } from '../portal.ts'
import { findCounterDifferences } from '../recount.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'
import { HEADER } from '../uploads.ts'

/* Tests a portal that is killed repeatedly at random moments while files arrive and are imported. */

const KILLS = 50
const SEED = randomInt(1_000_000)
/** Number of rows in a file: enough for an import in batches, on a background thread. */
const ROWS = 5 * LARGE_UPLOAD_ROWS
/** Maximum time for which a file arrives before the kill, in milliseconds. It is part of the fault, not a wait. */
const MAX_ARRIVAL_MS = 2500
/** Maximum time for which an import continues before the kill, in milliseconds: about two of its transactions. */
const MAX_IMPORT_MS = 400
/**
 * How far the clock of each portal is ahead of the previous one's: longer than the lease of an arriving file, so each portal
 * immediately continues the previous one's work.
 */
const AFTER_LEASE_SECONDS = 150

let folder: string | undefined
let portal: RunningPortal | undefined
afterAll(async () => {
  await portal?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const start = (killCount: number) =>
  startPortal({ FOLDER: folder ?? '', CLOCK_OFFSET_SECONDS: String(killCount * AFTER_LEASE_SECONDS) })

function makeCsvForm(fileNumber: number): FormData {
  const lines = Array.from(
    { length: ROWS },
    (_, index) => `KO/${fileNumber}/${String(index).padStart(7, '0')},Ngozi Killed,,Law,2021-07-07,Pass,Law`,
  )
  const body = new FormData()
  body.append('file', new File([[HEADER, ...lines].join('\n')], `killed-${fileNumber}.csv`))
  return body
}

interface StoredUpload {
  state: string
  total: number | null
  processed: number
  created: number
  failed: number
  registered: number
  staged: number
}

async function withDatabase<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({ url: `file:${path.join(folder ?? '', 'portal.db')}`, timeout: 5000 })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

/** Returns every upload as stored in the database file. */
const listUploads = (): Promise<StoredUpload[]> =>
  withDatabase(async client => {
    const firstRowId = (seq: string) => `(${seq}) * ${rowId(1, 0)}`
    const { rows } = await client.execute(`
      select state, total, processed, created, failed,
        (select count(*) from certificates c where c.upload_seq = u.seq) as registered,
        (select coalesce(sum(last_id - id + 1), 0) from upload_batches b where b.id between ${firstRowId('u.seq')} and ${firstRowId('u.seq + 1')})
          + (select count(*) from upload_rows r where r.id > ${firstRowId('u.seq')} + u.processed and r.id < ${firstRowId('u.seq + 1')}) as staged
      from uploads u where filename like 'killed-%' order by seq`)
    // The columns of the query are the fields of `Found`.
    return rows.map(row => ({ ...row }) as unknown as StoredUpload)
  })

/** Waits until the import of the newest of `files` uploads has inserted more rows than `processed`, or has ended. */
async function waitForMoreRows(files: number, processed: number): Promise<void> {
  await eventually(async () => {
    const uploads = await listUploads()
    const newest = uploads.at(-1)
    return (
      (uploads.length >= files && (newest?.state === 'done' || (newest?.processed ?? 0) > processed)) ||
      undefined
    )
  }, 'more imported rows')
}

/** Checks that counters and the search index are right; `isThorough` reads all pages. */
const expectConsistentCounts = (isThorough: boolean): Promise<void> =>
  withDatabase(async client => {
    expect(await findCounterDifferences(client)).toEqual([])
    const { rows } = await client.execute(`select
      (select count(*) from certificate_search where certificate_search match '"ngozi killed"') as indexed,
      (select count(*) from certificates where student_name = 'Ngozi Killed') as registered`)
    expect(rows[0]?.indexed).toBe(rows[0]?.registered)
    if (!isThorough) return
    await client.execute("insert into certificate_search (certificate_search) values ('integrity-check')")
    expect((await client.execute('pragma quick_check')).rows).toMatchObject([{ quick_check: 'ok' }])
  })

/** Checks invariants that hold at any moment. */
function expectInvariants({
  state,
  total,
  processed,
  created,
  failed,
  registered,
  staged,
}: StoredUpload): void {
  expect({ registered, failed }).toEqual({ registered: created, failed: 0 })
  if (state === 'importing') {
    expect(registered).toBe(processed)
    expect(registered + staged).toBe(total)
    expect(total).toBe(ROWS)
  } else if (state === 'done')
    expect({ total, registered, staged }).toEqual({ total: ROWS, registered: ROWS, staged: 0 })
  else {
    expect(['receiving', 'interrupted']).toContain(state)
    expect(registered).toBe(0)
  }
}

test(`keeps every row, imported or staged, in ${KILLS} kills while files arrive and are imported (seed ${SEED})`, {
  tags: ['QUALITY-44', 'QUALITY-53'],
}, async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-often-'))
  const random = createRandom(SEED)
  portal = await start(0)
  let fileCount = 0
  const states = new Map<string, number>()
  for (let kill = 1; kill <= KILLS; kill++) {
    const currentPortal = portal
    const lastUpload = fileCount > 0 ? (await listUploads()).at(-1) : undefined
    const openUpload = lastUpload?.state === 'importing' ? lastUpload : undefined
    const uploadRequest = openUpload
      ? undefined
      : staffToken('admin', currentPortal)
          .then(token =>
            request('POST', '/admin/certificates/upload', {
              token,
              portal: currentPortal,
              body: makeCsvForm(++fileCount),
            }),
          )
          // The request fails because the process was killed.
          .catch(() => undefined)
    const isKilledDuringArrival = !openUpload && random.int(0, 3) === 0
    const killed = (
      isKilledDuringArrival
        ? Promise.resolve()
        : waitForMoreRows(fileCount + (openUpload ? 0 : 1), openUpload?.processed ?? 0)
    )
      .then(
        () =>
          new Promise(resolve =>
            setTimeout(resolve, random.int(0, isKilledDuringArrival ? MAX_ARRIVAL_MS : MAX_IMPORT_MS)),
          ),
      )
      .then(() => process.kill(currentPortal.pids.portal ?? 0, 'SIGKILL'))
    await Promise.all([killed, uploadRequest])
    await currentPortal.stop().catch(() => undefined)
    await expectConsistentCounts(kill % 10 === 0)
    const uploads = await listUploads()
    uploads.forEach(expectInvariants)
    const newest = uploads.at(-1)
    const isPartlyImported = newest?.state === 'importing' && newest.processed > 0
    const state = isPartlyImported ? 'partly imported' : (newest?.state ?? 'nothing yet')
    states.set(state, (states.get(state) ?? 0) + 1)
    portal = await start(kill)
  }
  console.info(`Killed while: ${JSON.stringify(Object.fromEntries(states))}; ${fileCount} files`)
  // If fewer imports were interrupted, the kills would prove little about imports.
  expect(states.get('partly imported')).toBeGreaterThan(KILLS / 4)
  const finalUploads = await eventually(async () => {
    const uploads = await listUploads()
    return uploads.some(({ state }) => state === 'importing' || state === 'receiving') ? undefined : uploads
  }, 'the end of all uploads')
  finalUploads.forEach(expectInvariants)
  expect(finalUploads.some(({ state }) => state === 'done')).toBe(true)
  await portal.stop()
  portal = undefined
  await expectConsistentCounts(true)
})
