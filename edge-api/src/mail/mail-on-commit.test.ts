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
const enqueue = (fail?: Error) =>
  setup.database.write(async tx => {
    await sendMailOnCommit(tx, setup.ports, { ...content, dedupeKey: 'payment:1' })
    if (fail) throw fail
  })
const enqueueInRequest = (fail?: Error) => withRequestId('a-request', () => enqueue(fail))
const rows = async () => (await setup.database.client.execute('select * from outbox')).rows
const drain = () => drainOutbox(setup.ports, setup.database)

test('a mail of a request is leased, encrypted, sent once, and deleted', async () => {
  await enqueueInRequest()
  const [waiting] = await rows()
  expect(waiting).toMatchObject({ attempts: 1, delivered_at: null })
  expect(JSON.stringify(waiting)).not.toMatch(/secret-token|users\.test/)
  expect(await drain()).toEqual({ delivered: 0, failed: 0 })
  await setup.idle()
  expect(setup.ports.sent).toMatchObject([content])
  expect(await rows()).toMatchObject([{ sealed: null, delivered_at: setup.ports.time, lease_until: null }])
})

test('a mail is not sent if the transaction is rolled back', async () => {
  await expect(enqueueInRequest(new Error('no'))).rejects.toThrow('no')
  await setup.idle()
  expect([setup.ports.sent, await rows()]).toEqual([[], []])
})

test('a mail written outside a request waits for the scheduler', async () => {
  await enqueue()
  await setup.idle()
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
  const working = setup.ports.mailer
  setup.ports.mailer = { ...working, send: () => Promise.reject(new Error('ECONNREFUSED')) }
  await enqueueInRequest()
  await setup.idle()
  setup.ports.mailer = working
  expect(await drain()).toEqual({ delivered: 0, failed: 0 })
  setup.ports.time += 30_000
  expect(await drain()).toEqual({ delivered: 1, failed: 0 })
})

test('if many mails are written at a time, the rest is left to the scheduler', async () => {
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const working = setup.ports.mailer
  setup.ports.mailer = {
    ...working,
    send: async (...args) => {
      await release
      await working.send(...args)
    },
  }
  const mailAt = (at: number) =>
    withRequestId(`request-${at}`, () =>
      setup.database.write(tx =>
        sendMailOnCommit(tx, setup.ports, { ...content, dedupeKey: `payment:${at}` }),
      ),
    )
  const leased = async () => (await rows()).filter(row => row.lease_until !== null).length
  // Each request starts to send soon; after that, no more mails are leased.
  await expect
    .poll(async () => {
      await mailAt((await rows()).length)
      return (await rows()).length - (await leased())
    })
    .toBeGreaterThan(0)
  expect(await leased()).toBeGreaterThanOrEqual(16)
  resolve()
  await setup.idle()
  await drain()
  expect(setup.ports.sent).toHaveLength((await rows()).length)
})
