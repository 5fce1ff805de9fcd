import { setTimeout as pause } from 'node:timers/promises'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { openFile } from '../src/db/file-client.ts'
import { FOLDED_NAME } from '../src/db/schema/certificates.ts'
import { signIn } from './calls.ts'
import { compareFigures, type Figure, percentile, singleFigure } from './figures.ts'
import { cpuTime } from './load.ts'
import { getOk, postOk } from './requests.ts'
import type { RunningServer } from './servers.ts'
import { upload, writeCsv } from './upload.ts'

/*
 * Compares the registrar's work with a plain SQL query of the same filter on the same database: the p95 of lists, the pages of
 * one certificate, the export, and a bulk edit. The query reads the same rows, and counts up to the same limit as the list.
 * Also compares the revert of an upload with the upload itself.
 */

interface Benchmark {
  server: RunningServer
  /** Path of the server's database file. */
  file: string
  /** How many times each list is read. */
  times: number
  /** Number of rows in the bulk edit, and in the upload that is reverted. */
  editedCount: number
  readMemory: (pid: number) => { now: number; peak: number }
}

type FileClient = ReturnType<typeof openFile>
type Headers = Record<string, string>

/** Maximum runs of the plain query. */
const PLAIN_TIMES = 20

const COLUMNS =
  'seq, id, certificate_number, student_name, matric_number, course, graduation_date, grade, department, uploader_email, uploaded_at, updated_at, version'

/** A list query to measure, and the equivalent SQL. */
interface List {
  what: string
  query: string
  where: string
  order: string
}

function listsOf({ grade, department }: { grade: string; department: string }): List[] {
  const quoteText = (value: string) => `'${value.replaceAll("'", "''")}'`
  const conditions = {
    grade: `grade = ${quoteText(grade)}`,
    department: `department = ${quoteText(department)}`,
  }
  const buildQuery = (extraParams: Record<string, string>) => new URLSearchParams(extraParams).toString()
  return [
    {
      what: 'list, one filter, newest first',
      query: buildQuery({ grade }),
      where: conditions.grade,
      order: 'seq desc',
    },
    {
      what: 'list, one filter, by student',
      query: buildQuery({ department, sort: 'student_name' }),
      where: conditions.department,
      order: `${FOLDED_NAME}, seq desc`,
    },
    {
      what: 'list, one filter, by graduation',
      query: buildQuery({ grade, sort: '-graduation_date' }),
      where: conditions.grade,
      order: 'graduation_date desc, seq desc',
    },
    {
      what: 'list, a matric number',
      query: buildQuery({ search: 'MAT/4711' }),
      where: "upper(matric_number) >= 'MAT/4711' and upper(matric_number) < 'MAT/4711\u{10ffff}'",
      order: 'seq desc',
    },
    {
      what: 'list, the beginning of all matric numbers',
      query: buildQuery({ search: 'mat' }),
      where: "upper(matric_number) >= 'MAT' and upper(matric_number) < 'MAT\u{10ffff}'",
      order: 'seq desc',
    },
  ]
}

/** Returns the duration of each call in milliseconds, without the first tenth. */
async function measureDurations(times: number, call: (index: number) => unknown): Promise<number[]> {
  const durations: number[] = []
  for (let index = 0; index < times; index++) {
    const started = performance.now()
    await call(index)
    durations.push(performance.now() - started)
  }
  return durations.slice(Math.floor(times / 10))
}

const p95 = (durations: readonly number[]) => percentile(durations, 0.95)

/** Measures the p95 of a request, and that of the same work in plain SQL. */
async function compareWithPlainSql(
  times: number,
  what: string,
  requestPage: (index: number) => Promise<Response>,
  plainQuery: (index: number) => unknown,
): Promise<Figure> {
  const portalTimes = await measureDurations(times, async index => (await requestPage(index)).arrayBuffer())
  // Runs the plain query less often, because it sorts all matches, which can take a second each time.
  const reference = await measureDurations(Math.min(times, PLAIN_TIMES), plainQuery)
  return compareFigures(`p95, ${what}`, [p95(portalTimes), 'ms'], ['plain SQL', p95(reference)])
}

async function measureLists(
  { server, times }: Benchmark,
  client: FileClient,
  headers: Headers,
): Promise<Figure[]> {
  const { rows } = await client.execute(
    'select grade, department from certificates where withdrawn_at is null order by seq desc limit 1',
  )
  const [newest] = rows
  const figures: Figure[] = []
  for (const { what, query, where, order } of listsOf({
    grade: String(newest?.grade),
    department: String(newest?.department),
  })) {
    const condition = `withdrawn_at is null and ${where}`
    const page = `${server.url}/api/admin/certificates?${query}`
    const plain = async () => {
      await client.execute(`select count(*) from (select 1 from certificates where ${condition} limit 10000)`)
      await client.execute(
        `select ${COLUMNS} from certificates where ${condition} order by ${order} limit 20`,
      )
    }
    figures.push(await compareWithPlainSql(times, what, () => getOk(page, headers), plain))
  }
  return figures
}

async function measurePages(
  { server, times }: Benchmark,
  client: FileClient,
  headers: Headers,
): Promise<Figure[]> {
  const { rows } = await client.execute('select id from certificates where withdrawn_at is null limit 500')
  const ids = rows.map(({ id }) => String(id))
  const idAt = (index: number) => ids[index % ids.length] ?? ''
  const figures: Figure[] = []
  for (const [what, end, table] of [
    ['page of a certificate', '', 'certificates where id'],
    ['history of a certificate', '/history', 'record_changes where record_id'],
  ] as const) {
    const page = (index: number) =>
      getOk(`${server.url}/api/admin/certificates/${idAt(index)}${end}`, headers)
    const plain = (index: number) =>
      client.execute({ sql: `select * from ${table} = ?`, args: [idAt(index)] })
    figures.push(await compareWithPlainSql(times, what, page, plain))
  }
  return figures
}

async function measureExport(
  { server, readMemory }: Benchmark,
  client: FileClient,
  headers: Headers,
): Promise<Figure[]> {
  const before = readMemory(server.pid).now
  let peak = before
  const started = performance.now()
  const response = await getOk(`${server.url}/api/admin/certificates`, { ...headers, accept: 'text/csv' })
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    peak = Math.max(peak, readMemory(server.pid).now)
  }
  const took = performance.now() - started
  const began = performance.now()
  for (let seq = Number.MAX_SAFE_INTEGER; ; ) {
    const { rows } = await client.execute(
      `select ${COLUMNS} from certificates where withdrawn_at is null and seq < ${seq} order by seq desc limit 1000`,
    )
    if (rows.length === 0) break
    seq = Number(rows.at(-1)?.seq)
  }
  const plain = performance.now() - began
  return [
    compareFigures('Export of all rows', [took / 1000, 's'], ['plain SQL, read only', plain / 1000]),
    singleFigure(
      'Memory above that before the export',
      peak - before,
      'MB',
      `${Math.round(bytes / 1e6)} MB of CSV`,
    ),
  ]
}

const JOBS_PATH = '/api/admin/register-jobs'

async function measureBulkEdit(
  { server, editedCount }: Benchmark,
  client: FileClient,
  headers: Headers,
): Promise<Figure[]> {
  // Creates a department with exactly this number of rows.
  await client.execute(
    `update certificates set department = 'Bench' where seq in (select seq from certificates where withdrawn_at is null order by seq limit ${editedCount})`,
  )
  const selection = { filter: { department: 'Bench' } }
  const set = { grade: 'Measured' }
  const started = performance.now()
  const { job } = await postOk(server.url + JOBS_PATH, headers, {
    kind: 'bulk_edit',
    selection,
    set,
    reason: 'Measured',
    expected_count: editedCount,
  })
  const listTimes: number[] = []
  for (let state = job.state; state !== 'done'; ) {
    const began = performance.now()
    await (await getOk(`${server.url}/api/admin/certificates?search=UG%2F2011`, headers)).arrayBuffer()
    listTimes.push(performance.now() - began)
    const reply = await (await getOk(`${server.url}${JOBS_PATH}/${job.id}`, headers)).json()
    state = reply.job.state
    if (state === 'failed') throw new Error(`the bulk edit failed: ${reply.job.error}`)
  }
  const took = performance.now() - started
  const began = performance.now()
  await client.execute(
    "update certificates set grade = 'Plain', version = version + 1 where department = 'Bench'",
  )
  const plain = performance.now() - began
  return [
    compareFigures(
      `Bulk edit of ${editedCount} rows, with their history`,
      [took / 1000, 's'],
      ['one UPDATE', plain / 1000],
    ),
    singleFigure('p95 of a list during the bulk edit', p95(listTimes), 'ms', `${listTimes.length} calls`),
  ]
}

/** Waits for a job to end. Polls rarely, because each request takes CPU time from the job. */
async function waitForJob({ url }: RunningServer, headers: Headers, id: string): Promise<void> {
  for (;;) {
    const { job } = await (await getOk(`${url}${JOBS_PATH}/${id}`, headers)).json()
    if (job.state === 'done') return
    if (job.finished_at !== null) throw new Error(`the job is ${job.state}: ${job.error}`)
    await pause(250)
  }
}

async function measureRevert({ server, file, editedCount }: Benchmark, token: string): Promise<Figure[]> {
  const csv = `${file}.csv`
  await writeCsv(csv, editedCount, 'PG')
  const headers = { authorization: `Bearer ${token}` }
  const cpu = cpuTime(server.pid)
  const { durationMs, lines } = await upload(server.url, token, csv)
  const uploadCpu = cpuTime(server.pid) - cpu
  const upload_id = /"upload_id":"([^"]+)"/.exec(lines.join())?.[1]
  const started = performance.now()
  const { job } = await postOk(server.url + JOBS_PATH, headers, {
    kind: 'upload_revert',
    upload_id,
    reason: 'Measured',
    current_password: DEMO_PASSWORD,
  })
  await waitForJob(server, headers, job.id)
  const revertCpu = cpuTime(server.pid) - cpu - uploadCpu
  const what = `Revert of an upload of ${editedCount} rows`
  return [
    compareFigures(what, [(performance.now() - started) / 1000, 's'], ['the upload', durationMs / 1000]),
    compareFigures(`${what}, CPU time`, [revertCpu, 's'], ['the upload', uploadCpu]),
  ]
}

/** Measures the registrar's work. */
export async function measureRegister(benchmark: Benchmark): Promise<Figure[]> {
  const token = await signIn(benchmark.server.url, personas.admin.email)
  const headers = { authorization: `Bearer ${token}` }
  const client = openFile(benchmark.file, { timeout: 60_000 })
  try {
    return [
      ...(await measureLists(benchmark, client, headers)),
      ...(await measurePages(benchmark, client, headers)),
      ...(await measureExport(benchmark, client, headers)),
      ...(await measureBulkEdit(benchmark, client, headers)),
      ...(await measureRevert(benchmark, token)),
    ]
  } finally {
    client.close()
  }
}
