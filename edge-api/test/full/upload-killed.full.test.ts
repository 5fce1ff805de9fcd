import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeCertificate } from '@portal/fixtures/factories'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { afterAll, expect, test } from 'vitest'
import { eventually, request, staffToken } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

const ROWS = 120_000
const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'

let folder: string | undefined
let portal: RunningPortal | undefined
afterAll(async () => {
  await portal?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const readNewestUpload = async (token: string, runningPortal: RunningPortal) => {
  const { body } = await request('GET', '/admin/certificates/uploads?per_page=1', {
    token,
    portal: runningPortal,
  })
  return body.uploads?.[0]
}

test('an import whose process is killed continues where it stopped, and imports every row exactly once', {
  tags: ['QUALITY-44', 'QUALITY-53'],
}, async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-'))
  portal = await startPortal({ FOLDER: folder })
  const firstPortal = portal
  const token = await staffToken('admin', firstPortal)
  const certificate = makeCertificate()
  const lines = Array.from(
    { length: ROWS },
    (_, index) =>
      `KX/2031/${String(index).padStart(7, '0')},${certificate.student_name},,Law,2021-07-07,Pass,Law`,
  )
  const body = new FormData()
  body.append('file', new File([[HEADER, ...lines].join('\n')], 'killed.csv'))
  const uploadRequest = request('POST', '/admin/certificates/upload', {
    token,
    portal: firstPortal,
    body,
  }).catch(() => undefined)
  // Until the file has started to arrive, the newest upload is one of the demo data.
  await eventually(async () => {
    const upload = await readNewestUpload(token, firstPortal)
    return upload?.state === 'importing' && upload.processed > 0 ? true : undefined
  }, 'the first imported rows')
  process.kill(firstPortal.pids.portal ?? 0, 'SIGKILL')
  await uploadRequest
  await firstPortal.stop().catch(() => undefined)

  portal = await startPortal({ FOLDER: folder })
  const secondPortal = portal
  const secondToken = await staffToken('admin', secondPortal)
  const uploadBefore = await readNewestUpload(secondToken, secondPortal)
  expect(uploadBefore).toMatchObject({ state: 'importing', total: ROWS })
  expect(uploadBefore.processed).toBeLessThan(ROWS)
  const deadline = Date.now() + WAIT_TIMEOUT_MS
  let upload = uploadBefore
  while (upload.state === 'importing' && Date.now() < deadline) {
    upload = await eventually(async () => await readNewestUpload(secondToken, secondPortal), 'the upload')
    await new Promise(resolve => setTimeout(resolve, 250))
  }
  expect(upload).toMatchObject({ state: 'done', total: ROWS, created: ROWS, unchanged: 0, failed: 0 })
  const report = await request('GET', `/admin/certificates/uploads/${upload.id}/report`, {
    token: secondToken,
    portal: secondPortal,
  })
  expect(new Set(report.body.trim().split('\r\n')).size).toBe(ROWS + 1)
})
