import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../bench/calls.ts'
import { percentile } from '../../bench/figures.ts'
import { cpuTime } from '../../bench/load.ts'
import { importByCommandLine, measureCallsDuring, upload, writeCsv } from '../../bench/upload.ts'
import { staffToken } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

/** Number of rows; `UPLOAD_ROWS` allows a faster run. */
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

/** Returns the resident memory of a process now and at its peak, in bytes. */
function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
  return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 }
}

test('imports a million rows in bounded memory and at most 3 x the CPU time of sqlite3', {
  tags: ['QUALITY-37'],
}, async () => {
  const token = await staffToken('admin', portal)
  const pid = portal.pids.portal ?? 0
  const memoryBefore = readMemory(pid)

  const cpuTimeBefore = cpuTime(pid)
  const user = await signIn(portal.url, personas.user.email)
  const { result: uploaded, lists } = await measureCallsDuring({ url: portal.url, staff: token, user }, () =>
    upload(portal.url, token, csv),
  )
  const cpuTimeUsed = cpuTime(pid) - cpuTimeBefore
  const { durationMs, lines } = uploaded
  const result = JSON.parse(lines.at(-1) ?? '')
  const { peak } = readMemory(pid)

  const cli = await importByCommandLine(csv, path.join(folder, 'cli.db'), ROWS)
  const measurements = {
    rows: ROWS,
    upload_s: durationMs / 1000,
    cli_s: cli.durationMs / 1000,
    // CPU time, unlike elapsed time, does not depend on other work on the machine.
    ratio: cpuTimeUsed / cli.cpuSeconds,
    progress_lines: lines.length - 1,
    memory_above_start_mb: Math.round((peak - memoryBefore.now) / MEGABYTE),
    calls_meanwhile: lists.length,
    p50_ms: percentile(lists, 0.5),
    p99_ms: percentile(lists, 0.99),
    slowest_ms: Math.max(...lists),
  }
  console.log(measurements)
  expect(result).toMatchObject({ type: 'result', summary: { total: ROWS, succeeded: ROWS, failed: 0 } })
  expect(measurements.memory_above_start_mb).toBeLessThan(300)
  expect(measurements.ratio).toBeLessThan(3)
})

test('uploading the same million rows again changes nothing', async () => {
  const token = await staffToken('admin', portal)
  // The upload requests its progress, because Node's fetch gives up if the headers of a response take 300 s.
  const { lines } = await upload(portal.url, token, csv)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    summary: { total: ROWS, succeeded: ROWS, failed: 0 },
    outcomes: { created: 0, updated: 0, unchanged: ROWS },
  })
})
