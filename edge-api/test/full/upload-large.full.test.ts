import { createWriteStream, openAsBlob, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiResponse, request, staffToken } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

/* Tests very large files: each gets a report or a documented error, and takes little memory. */

const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department\n'
const MEGABYTE = 1_000_000

let folder: string
let portal: RunningPortal
let token: string
let memoryBefore: number

/** Returns the portal's largest resident memory so far, in bytes. */
const readPeakMemory = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${portal.pids.portal}/status`, 'utf8'))?.[1]) * 1024

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-large-'))
  portal = await startPortal()
  token = await staffToken('admin', portal)
  memoryBefore = readPeakMemory()
})

afterAll(async () => {
  await portal?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Checks the largest use of memory by any upload so far. */
const expectLittleMemory = () => expect((readPeakMemory() - memoryBefore) / MEGABYTE).toBeLessThan(300)

/** Uploads `start`, then repeats `piece` until there are `bytes`. */
async function upload(start: string, piece: string, bytes: number): Promise<ApiResponse> {
  const file = path.join(folder, 'large.csv')
  const output = createWriteStream(file)
  output.write(start)
  for (let written = 0; written < bytes; written += piece.length) {
    if (!output.write(piece)) await new Promise<void>(resolve => output.once('drain', resolve))
  }
  await new Promise<void>(resolve => output.end(() => resolve()))
  const body = new FormData()
  body.append('file', await openAsBlob(file), 'large.csv')
  return await request('POST', '/admin/certificates/upload?dry_run=true', { token, portal, body })
}

test('returns a report for 200 MB of rows that all fail, and needs little memory', {
  tags: ['QUALITY-37'],
}, async () => {
  const response = await upload(HEADER, `${'x,'.repeat(500)}\n`, 200 * MEGABYTE)
  expect(response.status).toBe(201)
  expect(response.body.summary.failed).toBe(response.body.summary.total)
  expect(response.body.report).toHaveLength(1000)
  expectLittleMemory()
})

test.each([
  ['one line of 50 MB', HEADER, 'y'.repeat(100_000), 50, 400, 'INVALID_CSV'],
  ['150 MB with other columns', 'a,b\n', 'a,b\n'.repeat(1000), 150, 400, 'INVALID_CSV'],
  ['a file above the size limit', HEADER, 'UG/1,'.repeat(2000), 600, 413, 'PAYLOAD_TOO_LARGE'],
])(
  'refuses %s with a documented error, and needs little memory',
  { tags: ['QUALITY-37'] },
  async (_, start, piece, megabytes, status, code) => {
    expect(await upload(start, piece, megabytes * MEGABYTE)).toMatchObject({ status, body: { code } })
    expectLittleMemory()
  },
)
