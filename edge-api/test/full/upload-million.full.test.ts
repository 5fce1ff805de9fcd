import { execFile, execFileSync } from 'node:child_process'
import { createWriteStream, openAsBlob, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@libsql/client'
import { makeCertificate } from '@portal/fixtures/factories'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { request, staff } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

/** `UPLOAD_ROWS` makes a quicker try of it. */
const ROWS = Number(process.env.UPLOAD_ROWS ?? 1_000_000)
const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
const MEGABYTE = 1024 * 1024

let folder: string
let portal: RunningPortal
let csv: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-million-'))
  csv = path.join(folder, 'million.csv')
  await writeRows(csv)
  portal = await startPortal({ SEED: 'demo' })
})

afterAll(async () => {
  await portal?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** People and courses in the thousands, as a university has them; numbers in no order. */
async function writeRows(file: string): Promise<void> {
  const out = createWriteStream(file)
  out.write(`${HEADER}\n`)
  const people = Array.from({ length: 2000 }, () => makeCertificate())
  for (let row = 1; row <= ROWS; row++) {
    const person = people[(row * 7919) % people.length]
    const number = String((row * 611_953) % 9_999_991).padStart(7, '0')
    const line = `UG/20${10 + (row % 15)}/${number},${person?.student_name} ${row % 977},MAT/${row},${person?.course},20${10 + (row % 15)}-07-${10 + (row % 18)},${person?.grade},${person?.department}\n`
    if (!out.write(line)) await new Promise<void>(resolve => out.once('drain', resolve))
  }
  await new Promise<void>(resolve => out.end(() => resolve()))
}

/** Resident memory of a process now and at its peak, in bytes. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
  return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 }
}

/** The same file through the sqlite3 command line into a database with the portal's own schema, indexes and triggers. */
async function commandLine(): Promise<number> {
  const file = path.join(folder, 'cli.db')
  const client = createClient({ url: `file:${file}` })
  await client.execute('pragma journal_mode = wal')
  await migrate(client)
  client.close()
  const started = performance.now()
  execFileSync('sqlite3', [
    file,
    'pragma synchronous = full',
    `create temp table sheet (certificate_number, student_name, matric_number, course, graduation_date, grade, department)`,
    `.import --csv --skip 1 ${csv} sheet`,
    `insert into certificates (id, certificate_number, student_name, matric_number, course, graduation_date, grade,
       department, uploader_email, uploaded_at, updated_at, folded)
     select lower(hex(randomblob(16))), certificate_number, student_name, matric_number, course, graduation_date, grade,
       department, 'admin@demo.test', 1795000000000, 1795000000000,
       lower(certificate_number || char(10) || student_name || char(10) || course) from sheet`,
  ])
  const took = performance.now() - started
  const count = execFileSync('sqlite3', [file, 'select count(*) from certificates'], { encoding: 'utf8' })
  expect(Number(count)).toBe(ROWS)
  return took
}

test('a million rows: bounded memory, a portal that answers, and within 3 x of the sqlite3 command line', async () => {
  await promisify(execFile)('sqlite3', ['--version'])
  const token = await staff('admin', portal)
  const pid = portal.pids.portal ?? 0
  const before = memoryOf(pid)

  let uploading = true
  const waits: number[] = []
  const asking = (async () => {
    while (uploading) {
      const asked = performance.now()
      const { status } = await request('GET', '/admin/certificates?search=UG/2019/00123', {
        token,
        at: portal,
      })
      expect(status).toBe(200)
      waits.push(performance.now() - asked)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  })()

  const form = new FormData()
  form.append('file', await openAsBlob(csv), 'million.csv')
  const started = performance.now()
  const answer = await request('POST', '/admin/certificates/upload', {
    token,
    at: portal,
    body: form,
    headers: { accept: 'application/x-ndjson' },
  })
  const took = performance.now() - started
  uploading = false
  await asking
  expect(answer.status).toBe(201)
  const lines: string[] = answer.body.trim().split('\n')
  const result = JSON.parse(lines.at(-1) ?? '')
  const { peak } = memoryOf(pid)

  const cli = await commandLine()
  waits.sort((a, b) => a - b)
  const percentile = (share: number) => Math.round(waits[Math.floor(waits.length * share)] ?? 0)
  const figures = {
    rows: ROWS,
    upload_s: took / 1000,
    cli_s: cli / 1000,
    ratio: took / cli,
    progress_lines: lines.length - 1,
    memory_above_start_mb: Math.round((peak - before.now) / MEGABYTE),
    calls_meanwhile: waits.length,
    p50_ms: percentile(0.5),
    p99_ms: percentile(0.99),
    slowest_ms: Math.round(waits.at(-1) ?? 0),
  }
  console.log(figures)
  expect(result).toMatchObject({ type: 'result', summary: { total: ROWS, succeeded: ROWS, failed: 0 } })
  expect(figures.memory_above_start_mb).toBeLessThan(300)
  expect(figures.p99_ms).toBeLessThan(2000)
  expect(figures.ratio).toBeLessThan(3)
}, 900_000)

test('the same million again changes nothing', async () => {
  const token = await staff('admin', portal)
  const form = new FormData()
  form.append('file', await openAsBlob(csv), 'million.csv')
  const answer = await request('POST', '/admin/certificates/upload', { token, at: portal, body: form })
  expect(answer.body.summary).toEqual({
    total: ROWS,
    succeeded: ROWS,
    failed: 0,
    created: 0,
    updated: 0,
    unchanged: ROWS,
  })
}, 900_000)
