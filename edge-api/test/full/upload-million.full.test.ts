import { openAsBlob, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importByCommandLine, upload, writeCsv } from '../../bench/upload.ts'
import { request, staff } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

/** `UPLOAD_ROWS` allows a faster run. */
const ROWS = Number(process.env.UPLOAD_ROWS ?? 1_000_000)
const MEGABYTE = 1024 * 1024

let folder: string
let portal: RunningPortal
let csv: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-million-'))
  csv = path.join(folder, 'million.csv')
  await writeCsv(csv, ROWS)
  portal = await startPortal({ SEED: 'demo' })
})

afterAll(async () => {
  await portal?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Resident memory of a process now and at its peak, in bytes. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
  return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 }
}

test('a million rows: bounded memory, a responsive portal, and within 3 x of the sqlite3 command line', {
  tags: ['QUALITY-37'],
}, async () => {
  const token = await staff('admin', portal)
  const pid = portal.pids.portal ?? 0
  const before = memoryOf(pid)

  let uploading = true
  const waits: number[] = []
  const searching = (async () => {
    while (uploading) {
      const startedAt = performance.now()
      const { status } = await request('GET', '/admin/certificates?search=UG/2019/00123', {
        token,
        at: portal,
      })
      expect(status).toBe(200)
      waits.push(performance.now() - startedAt)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  })()

  const { took, lines } = await upload(portal.url, token, csv)
  uploading = false
  await searching
  const result = JSON.parse(lines.at(-1) ?? '')
  const { peak } = memoryOf(pid)

  const { took: cli } = await importByCommandLine(csv, path.join(folder, 'cli.db'), ROWS)
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
  expect(figures.ratio).toBeLessThan(3)
})

test('the same million rows again change nothing', async () => {
  const token = await staff('admin', portal)
  const form = new FormData()
  form.append('file', await openAsBlob(csv), 'million.csv')
  const response = await request('POST', '/admin/certificates/upload', { token, at: portal, body: form })
  expect(response.body).toMatchObject({
    summary: { total: ROWS, succeeded: ROWS, failed: 0 },
    outcomes: { created: 0, updated: 0, unchanged: ROWS },
  })
})
