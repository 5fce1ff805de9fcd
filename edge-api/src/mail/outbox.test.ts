import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createTemporaryDatabase,
  createTestPorts,
  type TemporaryDatabase,
  type TestPorts,
} from '../../test/temporary-database.ts'
import { drainOutbox, enqueueMail } from './outbox.ts'

let temporary: TemporaryDatabase
let ports: TestPorts

beforeEach(async () => {
  temporary = await createTemporaryDatabase()
  ports = createTestPorts()
})
afterEach(() => temporary.remove())

const mail = (to: string) => ({ to, subject: 'Hello', text: 'secret-token', html: '<p>secret-token</p>' })
const enqueue = (to: string, dedupeKey?: string) =>
  temporary.database.write(tx => enqueueMail(tx, ports, { ...mail(to), ...(dedupeKey && { dedupeKey }) }))
const drain = () => drainOutbox(ports, temporary.database)
const readRows = async () => (await temporary.database.client.execute('select * from outbox')).rows

test('encrypts waiting mail, sends it once and deletes it', async () => {
  await enqueue('a@users.test')
  expect(JSON.stringify(await readRows())).not.toMatch(/secret-token|a@users\.test/)
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
  expect(ports.sent).toMatchObject([mail('a@users.test')])
  expect(await readRows()).toMatchObject([{ sealed: null, delivered_at: ports.time, next_attempt_at: null }])
  expect(await drain()).toEqual({ delivered: 0, failed: 0 })
})

test('parallel runs send each mail once', async () => {
  for (let n = 0; n < 12; n++) await enqueue(`${n}@users.test`)
  await Promise.all([drain(), drain(), drain()])
  expect(ports.sent.map(({ to }) => to).sort()).toEqual(
    Array.from({ length: 12 }, (_, n) => `${n}@users.test`).sort(),
  )
})

test('a mail whose sender died before recording it is sent again, with the same message ID', async () => {
  await enqueue('a@users.test')
  const dyingDatabase: typeof temporary.database = {
    ...temporary.database,
    write: work =>
      ports.sent.length > 0 ? Promise.reject(new Error('killed')) : temporary.database.write(work),
  }
  await expect(drainOutbox(ports, dyingDatabase)).rejects.toThrow('killed')
  ports.time += 3 * 60_000
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
  expect(ports.sent).toHaveLength(2)
  expect(ports.sent[1]).toEqual(ports.sent[0])
})

test('a mail is never sent if the change that it reports is rolled back', async () => {
  const rolledBack = temporary.database.write(async tx => {
    await enqueueMail(tx, ports, mail('a@users.test'))
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await drain()
  expect(ports.sent).toEqual([])
})

test('only one mail is ever sent for each dedupe key', async () => {
  await enqueue('a@users.test', 'receipt:1')
  await enqueue('a@users.test', 'receipt:1')
  await drain()
  await enqueue('a@users.test', 'receipt:1')
  await drain()
  expect(ports.sent).toHaveLength(1)
})

test('failed mail is retried with longer and longer delays, is finally dropped, and does not delay other mail', async () => {
  const workingMailer = ports.mailer
  let tries = 0
  ports.mailer = {
    ...workingMailer,
    send: async () => {
      tries++
      throw Object.assign(new Error('550 no such a@users.test'), { code: 'EENVELOPE', responseCode: 550 })
    },
  }
  await enqueue('a@users.test')
  const waits: number[] = []
  for (;;) {
    await drain()
    const [row] = await readRows()
    if (typeof row?.next_attempt_at !== 'number') break
    expect(await drain()).toEqual({ delivered: 0, failed: 0 })
    waits.push(row.next_attempt_at - ports.time)
    ports.time = row.next_attempt_at
  }
  expect(tries).toBe(8)
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  expect(await readRows()).toMatchObject([{ sealed: null, delivered_at: null }])
  expect(ports.lines.at(-1)).toMatchObject({ level: 'error', event: 'mail_given_up', attempts: 8 })
  expect(JSON.stringify(ports.lines)).not.toContain('a@users.test')
})

test('waiting mail is sent once the mail server is available again', async () => {
  const workingMailer = ports.mailer
  ports.mailer = { ...workingMailer, send: () => Promise.reject(new Error('ECONNREFUSED')) }
  await enqueue('a@users.test')
  expect(await drain()).toEqual({ delivered: 0, failed: 1 })
  ports.mailer = workingMailer
  ports.time += 30_000
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
})

test('the lease of a dead process expires, and another process sends the mail', async () => {
  await enqueue('a@users.test')
  await temporary.database.client.execute({
    sql: 'update outbox set lease_until = ?, attempts = 1',
    args: [ports.time + 120_000],
  })
  expect(await drain()).toEqual({ delivered: 0, failed: 0 })
  ports.time += 120_000
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
})

test('waiting mail can still be decrypted after the secret is rotated', async () => {
  await enqueue('a@users.test')
  const [old] = ports.environment.JWT_SECRETS
  ports.environment = { ...ports.environment, JWT_SECRETS: ['a-new-secret-0123456789', old] }
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
  await enqueue('b@users.test')
  ports.environment = { ...ports.environment, JWT_SECRETS: [old] }
  expect(await drain()).toEqual({ delivered: 0, failed: 1 })
})

test('a process that is stopping finishes the mail in progress and leaves the rest to the next process', {
  tags: ['QUALITY-47'],
}, async () => {
  const recipients = Array.from({ length: 12 }, (_, index) => `${index}@users.test`)
  for (const to of recipients) await enqueue(to)
  const { send } = ports.mailer
  ports.mailer.send = async mail => {
    ports.end.abort()
    await send(mail)
  }
  const { delivered, failed } = await drain()
  expect(failed).toBe(0)
  expect(delivered).toBeGreaterThan(0)
  expect(delivered).toBeLessThanOrEqual(4)
  expect(await drain()).toEqual({ delivered: 0, failed: 0 })
  await drainOutbox({ ...ports, stopping: createTestPorts().stopping }, temporary.database)
  expect(ports.sent.map(({ to }) => to).toSorted()).toEqual(recipients.toSorted())
})
