import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeCertificate } from '@portal/fixtures/factories'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { afterAll, expect, test } from 'vitest'
import { eventually, request, staff } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

const ROWS = 120_000
const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'

let folder: string | undefined
let portal: RunningPortal | undefined
afterAll(async () => {
  await portal?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const newest = async (token: string, at: RunningPortal) => {
  const { body } = await request('GET', '/admin/certificates/uploads?per_page=1', { token, portal: at })
  return body.uploads?.[0]
}

test('an import whose process is killed continues where it stopped, and every row is imported once and completely', {
  tags: ['QUALITY-44', 'QUALITY-53'],
}, async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-'))
  portal = await startPortal({ FOLDER: folder })
  const first = portal
  const token = await staff('admin', first)
  const person = makeCertificate()
  const lines = Array.from(
    { length: ROWS },
    (_, index) => `KX/2031/${String(index).padStart(7, '0')},${person.student_name},,Law,2021-07-07,Pass,Law`,
  )
  const body = new FormData()
  body.append('file', new File([[HEADER, ...lines].join('\n')], 'killed.csv'))
  const sent = request('POST', '/admin/certificates/upload', { token, portal: first, body }).catch(
    () => undefined,
  )
  // Until the file has started to arrive, the newest upload is one of the demo's.
  await eventually(async () => {
    const upload = await newest(token, first)
    return upload?.state === 'importing' && upload.processed > 0 ? true : undefined
  }, 'some rows')
  process.kill(first.pids.portal ?? 0, 'SIGKILL')
  await sent
  await first.stop().catch(() => undefined)

  portal = await startPortal({ FOLDER: folder })
  const second = portal
  const again = await staff('admin', second)
  const before = await newest(again, second)
  expect(before).toMatchObject({ state: 'importing', total: ROWS })
  expect(before.processed).toBeLessThan(ROWS)
  const deadline = Date.now() + WAIT_TIMEOUT_MS
  let upload = before
  while (upload.state === 'importing' && Date.now() < deadline) {
    upload = await eventually(async () => await newest(again, second), 'the upload')
    await new Promise(resolve => setTimeout(resolve, 250))
  }
  expect(upload).toMatchObject({ state: 'done', total: ROWS, created: ROWS, unchanged: 0, failed: 0 })
  const report = await request('GET', `/admin/certificates/uploads/${upload.id}/report`, {
    token: again,
    portal: second,
  })
  expect(new Set(report.body.trim().split('\r\n')).size).toBe(ROWS + 1)
})
