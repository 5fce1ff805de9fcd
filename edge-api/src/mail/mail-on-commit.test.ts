import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { withRequestId } from '../http/request-id.ts'
import { seal } from '../sealing.ts'
import { drainOutbox, sendMailOnCommit } from './outbox.ts'
import { insertLeasedMail } from './store.ts'

/* Tests mails that the request itself sends, right after its transaction is committed. */

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const content = { to: 'a@users.test', subject: 'Paid', text: 'secret-token', html: '<p>secret-token</p>' }
const enqueue = (error?: Error) =>
  setup.database.write(async tx => {
    await sendMailOnCommit(tx, setup.ports, { ...content, dedupeKey: 'payment:1' })
    if (error) throw error
  })
const enqueueInRequest = (error?: Error) => withRequestId('a-request', () => enqueue(error))
const readRows = async () => (await setup.database.client.execute('select * from outbox')).rows
const drain = () => drainOutbox(setup.ports, setup.database)

test('a mail of a request is leased, encrypted, sent once, and deleted', async () => {
  await enqueueInRequest()
  const [waiting] = await readRows()
  expect(waiting).toMatchObject({ attempts: 1, delivered_at: null })
  expect(JSON.stringify(waiting)).not.toMatch(/secret-token|users\.test/)
  expect(await drain()).toEqual({ delivered: 0, failed: 0 })
  await setup.waitUntilIdle()
  expect(setup.ports.sent).toMatchObject([content])
  expect(await readRows()).toMatchObject([
    { sealed: null, delivered_at: setup.ports.time, lease_until: null },
  ])
})

test('a mail is not sent if the transaction is rolled back', async () => {
  await expect(enqueueInRequest(new Error('no'))).rejects.toThrow('no')
  await setup.waitUntilIdle()
  expect([setup.ports.sent, await readRows()]).toEqual([[], []])
})

test('a mail written outside a request waits for the scheduler', async () => {
  await enqueue()
  await setup.waitUntilIdle()
  expect(setup.ports.sent).toEqual([])
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
})

test('a mail is sent by the scheduler if the process dies before sending it', async () => {
  const { time: now, environment } = setup.ports
  const sealed = await seal(content, environment.JWT_SECRETS, 'mail outbox')
  const mail = { id: 'of-a-dead-process', sealed, dedupeKey: 'payment:1', now }
  await setup.database.write(tx => insertLeasedMail(tx, mail))
  expect(await drain()).toEqual({ delivered: 0, failed: 0 })
  setup.ports.time += 120_000
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
  expect(setup.ports.sent).toMatchObject([content])
})

test('a mail is retried by the scheduler if the mail server fails', async () => {
  const workingMailer = setup.ports.mailer
  setup.ports.mailer = { ...workingMailer, send: () => Promise.reject(new Error('ECONNREFUSED')) }
  await enqueueInRequest()
  await setup.waitUntilIdle()
  setup.ports.mailer = workingMailer
  expect(await drain()).toEqual({ delivered: 0, failed: 0 })
  setup.ports.time += 30_000
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
})

test('if many mails are written at once, requests send only some of them, and the scheduler sends the others', async () => {
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const workingMailer = setup.ports.mailer
  setup.ports.mailer = {
    ...workingMailer,
    send: async (...args) => {
      await release
      await workingMailer.send(...args)
    },
  }
  const enqueueNth = (n: number) =>
    withRequestId(`request-${n}`, () =>
      setup.database.write(tx =>
        sendMailOnCommit(tx, setup.ports, { ...content, dedupeKey: `payment:${n}` }),
      ),
    )
  const countLeased = async () => (await readRows()).filter(row => row.lease_until !== null).length
  // Mails are leased until 16 are being sent at a time.
  await expect
    .poll(async () => {
      await enqueueNth((await readRows()).length)
      return (await readRows()).length - (await countLeased())
    })
    .toBeGreaterThan(0)
  expect(await countLeased()).toBeGreaterThanOrEqual(16)
  resolve()
  await setup.waitUntilIdle()
  await drain()
  expect(setup.ports.sent).toHaveLength((await readRows()).length)
})
