import { readFileSync } from 'node:fs'
import { BULK_MAX } from '@portal/contract/verification-bulk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, endPaymentAtGateway, eventually, newAccount, request, staffToken } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

/* Tests the largest possible archive of letters, which is streamed while it is created, without delaying other requests. */

const NAMES = ['Ada Obi', 'Musa Ɗanladi', 'Títílayọ̀ Ògúnlékè', 'Ngozi Okafor', 'Chinedu Eze', 'Bọ́lá Adéyẹmí']
const numbers = Array.from({ length: BULK_MAX }, (_, index) => `UG/ZIP/${String(index).padStart(5, '0')}`)

let portal: RunningPortal
let account: Account
let transactionId: string

/** Returns the seconds of CPU time that the portal has used so far, from /proc (proc(5), fields 14 and 15). */
const readCpuSeconds = () => {
  const fields = readFileSync(`/proc/${portal.pids.portal}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

beforeAll(async () => {
  portal = await startPortal()
  const rows = numbers.map(
    (number, index) => `${number},${NAMES[index % NAMES.length]},M${index},Physics,2020-07-31,Pass,Science`,
  )
  const body = new FormData()
  body.append(
    'file',
    new Blob([
      'certificate_number,student_name,matric_number,course,graduation_date,grade,department\n',
      rows.join('\n'),
    ]),
    'register.csv',
  )
  const token = await staffToken('admin', portal)
  const uploaded = await request('POST', '/admin/certificates/upload', { token, portal, body })
  expect(uploaded.body.summary).toMatchObject({ total: BULK_MAX, failed: 0 })

  account = await newAccount({}, portal)
  const started = await request('POST', '/verification/process-bulk-payment', {
    token: account.token,
    portal,
    body: { certificate_numbers: numbers },
  })
  transactionId = started.body.transaction_id
  await endPaymentAtGateway(started.body.payment_reference, '00', portal)
  await eventually(async () => {
    const path = `/verification/check-verification-status/${transactionId}`
    const { body: payment } = await request('GET', path, { token: account.token, portal })
    return payment.status === 'paid' || undefined
  }, `the payment ${transactionId}`)
})
afterAll(() => portal?.stop())

const requestArchive = (signal?: AbortSignal) =>
  fetch(`${portal.url}/api/verification/letters/zip/${transactionId}`, {
    headers: { authorization: `Bearer ${account.token}` },
    ...(signal && { signal }),
  })

test('streams 500 letters as they are created, while it serves other requests', {
  tags: ['LETTER-10'],
}, async () => {
  const before = readCpuSeconds()
  const start = performance.now()
  const response = await requestArchive()
  expect(response.status).toBe(200)
  let isComplete = false
  const waits: number[] = []
  const otherRequests = (async () => {
    while (!isComplete) {
      const startedAt = performance.now()
      const { status } = await request('GET', '/verification/settings', { portal })
      expect(status).toBe(200)
      waits.push(performance.now() - startedAt)
    }
  })()
  let firstLetterMs: number | undefined
  const parts: Uint8Array[] = []
  for await (const part of response.body ?? []) {
    parts.push(part)
    if (part.length > 10_000) firstLetterMs ??= performance.now() - start
  }
  const totalMs = performance.now() - start
  isComplete = true
  await otherRequests
  const archiveCpuSeconds = readCpuSeconds() - before
  const bytes = Buffer.concat(parts)
  // The end of central directory record (APPNOTE 4.3.16) has the number of files.
  expect(bytes.readUInt32LE(bytes.length - 22)).toBe(0x06054b50)
  expect(bytes.readUInt16LE(bytes.length - 12)).toBe(BULK_MAX)
  waits.sort((a, b) => a - b)
  const medianMs = waits[waits.length >> 1] ?? Number.NaN
  console.log(
    `${BULK_MAX} letters, ${(bytes.length / 1e6).toFixed(1)} MB: ${(totalMs / 1000).toFixed(1)} s, ${archiveCpuSeconds.toFixed(1)} s of CPU time; ` +
      `the first letter after ${firstLetterMs?.toFixed(0)} ms; ${waits.length} other calls, median ${medianMs.toFixed(0)} ms, slowest ${waits.at(-1)?.toFixed(0)} ms`,
  )
  expect(firstLetterMs).toBeLessThan(totalMs / 10)
  expect(waits.length).toBeGreaterThan(50)
  expect(medianMs).toBeLessThan(totalMs / 20)
})

test('stops creating the archive if the client disconnects', async () => {
  const beforeWhole = readCpuSeconds()
  await (await requestArchive()).arrayBuffer()
  const before = readCpuSeconds()
  const wholeCpuSeconds = before - beforeWhole
  const controller = new AbortController()
  const response = await requestArchive(controller.signal)
  await response.body?.getReader().read()
  controller.abort()
  let [lastCpuSeconds, idleChecks] = [before, 0]
  await eventually(async () => {
    const now = readCpuSeconds()
    idleChecks = now - lastCpuSeconds < 0.03 ? idleChecks + 1 : 0
    lastCpuSeconds = now
    return idleChecks > 10 || undefined
  }, 'the portal to be idle')
  expect(readCpuSeconds() - before).toBeLessThan(Math.max(1, wholeCpuSeconds / 3))
})
