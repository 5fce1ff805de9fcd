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
import { eventually, request, staff } from '../portal.ts'
import { recount } from '../recount.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'
import { HEADER } from '../uploads.ts'

/* Tests a portal that is killed again and again at random moments while files arrive and are imported. */

const KILLS = 50
const SEED = randomInt(1_000_000)
/** Number of rows in a file: enough for an import in batches, on a background thread. */
const ROWS = 5 * LARGE_UPLOAD_ROWS
/** How long a file arrives at most before the kill, in milliseconds: this is the fault itself, not a wait for something. */
const LONGEST_ARRIVAL_MS = 2500
/** How long an import runs at most after its next rows before the kill, in milliseconds: about two of its transactions. */
const LONGEST_IMPORT_MS = 400
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

const start = (kill: number) =>
  startPortal({ FOLDER: folder ?? '', CLOCK_OFFSET_SECONDS: String(kill * AFTER_LEASE_SECONDS) })

function makeSheet(file: number): FormData {
  const lines = Array.from(
    { length: ROWS },
    (_, index) => `KO/${file}/${String(index).padStart(7, '0')},Ngozi Killed,,Law,2021-07-07,Pass,Law`,
  )
  const body = new FormData()
  body.append('file', new File([[HEADER, ...lines].join('\n')], `killed-${file}.csv`))
  return body
}

interface Found {
  state: string
  total: number | null
  processed: number
  created: number
  failed: number
  registered: number
  staged: number
}

async function withFile<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({ url: `file:${path.join(folder ?? '', 'portal.db')}`, timeout: 5000 })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

/** Returns every upload as stored in the database file. */
const listUploads = (): Promise<Found[]> =>
  withFile(async client => {
    const first = (seq: string) => `(${seq}) * ${rowId(1, 0)}`
    const { rows } = await client.execute(`
      select state, total, processed, created, failed,
        (select count(*) from certificates c where c.upload_seq = u.seq) as registered,
        (select coalesce(sum(last_id - id + 1), 0) from upload_batches b where b.id between ${first('u.seq')} and ${first('u.seq + 1')})
          + (select count(*) from upload_rows r where r.id > ${first('u.seq')} + u.processed and r.id < ${first('u.seq + 1')}) as staged
      from uploads u where filename like 'killed-%' order by seq`)
    // The columns of the query are the fields of `Found`.
    return rows.map(row => ({ ...row }) as unknown as Found)
  })

/** Waits until the import of the newest of `files` uploads has inserted more rows than `processed`, or has ended. */
async function moreRows(files: number, processed: number): Promise<void> {
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
const expectCounted = (isThorough: boolean): Promise<void> =>
  withFile(async client => {
    expect(await recount(client)).toEqual([])
    const { rows } = await client.execute(`select
      (select count(*) from certificate_search where certificate_search match '"ngozi killed"') as indexed,
      (select count(*) from certificates where student_name = 'Ngozi Killed') as registered`)
    expect(rows[0]?.indexed).toBe(rows[0]?.registered)
    if (!isThorough) return
    await client.execute("insert into certificate_search (certificate_search) values ('integrity-check')")
    expect((await client.execute('pragma quick_check')).rows).toMatchObject([{ quick_check: 'ok' }])
  })

/** Checks invariants that hold at any moment. */
function expectWhole({ state, total, processed, created, failed, registered, staged }: Found): void {
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

test(`${KILLS} kills while files arrive and are imported: every row is in the register or staged (seed ${SEED})`, {
  tags: ['QUALITY-44', 'QUALITY-53'],
}, async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-often-'))
  const dice = createRandom(SEED)
  portal = await start(0)
  let files = 0
  const states = new Map<string, number>()
  for (let kill = 1; kill <= KILLS; kill++) {
    const at = portal
    const last = files > 0 ? (await listUploads()).at(-1) : undefined
    const open = last?.state === 'importing' ? last : undefined
    const sent = open
      ? undefined
      : staff('admin', at)
          .then(token =>
            request('POST', '/admin/certificates/upload', { token, portal: at, body: makeSheet(++files) }),
          )
          // The request fails because the process was killed.
          .catch(() => undefined)
    const isArrival = !open && dice.int(0, 3) === 0
    const killed = (isArrival ? Promise.resolve() : moreRows(files + (open ? 0 : 1), open?.processed ?? 0))
      .then(
        () =>
          new Promise(resolve =>
            setTimeout(resolve, dice.int(0, isArrival ? LONGEST_ARRIVAL_MS : LONGEST_IMPORT_MS)),
          ),
      )
      .then(() => process.kill(at.pids.portal ?? 0, 'SIGKILL'))
    await Promise.all([killed, sent])
    await at.stop().catch(() => undefined)
    await expectCounted(kill % 10 === 0)
    const found = await listUploads()
    found.forEach(expectWhole)
    const newest = found.at(-1)
    const isPartly = newest?.state === 'importing' && newest.processed > 0
    const state = isPartly ? 'partly imported' : (newest?.state ?? 'nothing yet')
    states.set(state, (states.get(state) ?? 0) + 1)
    portal = await start(kill)
  }
  console.info(`Killed while: ${JSON.stringify(Object.fromEntries(states))}; ${files} files`)
  // If fewer imports were interrupted, the kills would prove little about imports.
  expect(states.get('partly imported')).toBeGreaterThan(KILLS / 4)
  const ended = await eventually(async () => {
    const found = await listUploads()
    return found.some(({ state }) => state === 'importing' || state === 'receiving') ? undefined : found
  }, 'the end of all uploads')
  ended.forEach(expectWhole)
  expect(ended.some(({ state }) => state === 'done')).toBe(true)
  await portal.stop()
  portal = undefined
  await expectCounted(true)
})
