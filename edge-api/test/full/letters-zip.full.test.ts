import { readFileSync } from 'node:fs'
import { BULK_MAX } from '@portal/contract/verification-bulk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, eventually, newAccount, request, settlePayment, staff } from '../portal.ts'
import { type RunningPortal, startPortal } from '../servers/portal-server.ts'

/* Tests the largest possible archive of letters, which is streamed while it is created, without delaying other requests. */

const NAMES = ['Ada Obi', 'Musa Ɗanladi', 'Títílayọ̀ Ògúnlékè', 'Ngozi Okafor', 'Chinedu Eze', 'Bọ́lá Adéyẹmí']
const numbers = Array.from({ length: BULK_MAX }, (_, index) => `UG/ZIP/${String(index).padStart(5, '0')}`)

let portal: RunningPortal
let account: Account
let id: string

/** Returns the seconds of CPU time that the portal has used so far, from /proc (proc(5), fields 14 and 15). */
const used = () => {
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
  const token = await staff('admin', portal)
  const uploaded = await request('POST', '/admin/certificates/upload', { token, portal, body })
  expect(uploaded.body.summary).toMatchObject({ total: BULK_MAX, failed: 0 })

  account = await newAccount({}, portal)
  const started = await request('POST', '/verification/process-bulk-payment', {
    token: account.token,
    portal,
    body: { certificate_numbers: numbers },
  })
  id = started.body.transaction_id
  await settlePayment(started.body.payment_reference, '00', portal)
  await eventually(async () => {
    const path = `/verification/check-verification-status/${id}`
    const { body: now } = await request('GET', path, { token: account.token, portal })
    return now.status === 'paid' || undefined
  }, `the payment ${id}`)
})
afterAll(() => portal?.stop())

const open = (signal?: AbortSignal) =>
  fetch(`${portal.url}/api/verification/letters/zip/${id}`, {
    headers: { authorization: `Bearer ${account.token}` },
    ...(signal && { signal }),
  })

let whole: number

test('500 letters arrive as they are created, while other requests are served', {
  tags: ['LETTER-10'],
}, async () => {
  const before = used()
  const start = performance.now()
  const response = await open()
  expect(response.status).toBe(200)
  let done = false
  const waits: number[] = []
  const others = (async () => {
    while (!done) {
      const startedAt = performance.now()
      const { status } = await request('GET', '/verification/settings', { portal })
      expect(status).toBe(200)
      waits.push(performance.now() - startedAt)
    }
  })()
  let first: number | undefined
  const parts: Uint8Array[] = []
  for await (const part of response.body ?? []) {
    parts.push(part)
    if (part.length > 10_000) first ??= performance.now() - start
  }
  const took = performance.now() - start
  done = true
  await others
  whole = used() - before
  const bytes = Buffer.concat(parts)
  // The end of the directory (APPNOTE 4.3.16) has the number of files.
  expect(bytes.readUInt32LE(bytes.length - 22)).toBe(0x06054b50)
  expect(bytes.readUInt16LE(bytes.length - 12)).toBe(BULK_MAX)
  waits.sort((a, b) => a - b)
  const middle = waits[waits.length >> 1] ?? Number.NaN
  console.log(
    `${BULK_MAX} letters, ${(bytes.length / 1e6).toFixed(1)} MB: ${(took / 1000).toFixed(1)} s, ${whole.toFixed(1)} s of the processor; ` +
      `the first after ${first?.toFixed(0)} ms; ${waits.length} other calls, median ${middle.toFixed(0)} ms, slowest ${waits.at(-1)?.toFixed(0)} ms`,
  )
  expect(first).toBeLessThan(took / 10)
  expect(waits.length).toBeGreaterThan(50)
  expect(middle).toBeLessThan(took / 20)
})

test('creating the archive stops if the client disconnects', async () => {
  const before = used()
  const controller = new AbortController()
  const response = await open(controller.signal)
  await response.body?.getReader().read()
  controller.abort()
  let [last, rests] = [before, 0]
  await eventually(async () => {
    const now = used()
    rests = now - last < 0.03 ? rests + 1 : 0
    last = now
    return rests > 10 || undefined
  }, 'a portal that rests')
  expect(used() - before).toBeLessThan(Math.max(1, whole / 3))
})
