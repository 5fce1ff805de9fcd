import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestPortal } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

/* Tests how staff see delayed background work and retry it. */

let setup: TestSetup
let gateway: RefundingGateway
let portal: Awaited<ReturnType<typeof openTestPortal>>
let staff: string
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
  portal = await openTestPortal(setup)
  staff = (await portal.account('admin')).token
})
afterEach(() => setup.close())

const execute = async (sql: string) => (await setup.database.client.execute(sql)).rows
const run = async () => {
  await runScheduledJobs(setup.ports, setup.database)
  await setup.waitUntilIdle()
}
const list = async (query = '') => (await portal.call('GET', `/admin/background-work${query}`, staff)).body
const retry = (queue: string, item: string) =>
  portal.call('POST', `/admin/background-work/${queue}/${item}/retry`, staff)
const enqueueRefusedMail = () => {
  setup.ports.mailer.send = () => Promise.reject(new Error('refused'))
  return setup.database.write(tx =>
    enqueueMail(tx, setup.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' }),
  )
}

test('lists work that cannot proceed, with its reason, its subject and whether it is late', {
  tags: ['DATA-9'],
}, async () => {
  const { user, reference, transactionId } = await setup.newPayment()
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
  setup.ports.time += 20_000
  await run()
  await execute(`update users set erasure_due_at = 1 where id = '${user.id}'`)
  gateway.onRefund = () => Promise.reject(new Error('no answer'))
  await execute(`update refunds set status = 'approved', attempts = 1, next_try_at = ${setup.ports.time}`)
  await enqueueRefusedMail()
  await run()
  const { work, queues, pagination } = await list()
  expect(pagination).toMatchObject({ total: 3 })
  const findWork = (name: string) => work.find(({ queue }: { queue: string }) => queue === name)
  expect(findWork('erasure')).toMatchObject({
    item: user.id,
    subject: { kind: 'account', id: user.id, label: user.email },
    reason: 'A refund is still due to this account. Approve it under Reports, Refunds.',
    attempts: 1,
    late: false,
  })
  expect(findWork('refunds')).toMatchObject({
    subject: { kind: 'refund', id: transactionId, label: transactionId },
    reason: 'The gateway did not respond to the request for this refund.',
  })
  expect(findWork('mail')).toMatchObject({ subject: null, late: false })
  expect(JSON.stringify(findWork('mail'))).not.toContain('a@users.test')

  setup.ports.time += 61 * 60_000
  const later = await list('?queue=mail')
  expect(later.work).toMatchObject([{ queue: 'mail', late: true }])
  const states = Object.fromEntries(
    later.queues.map((state: { queue: string; delayed: number; late: number }) => [state.queue, state]),
  )
  expect(states.mail).toMatchObject({ delayed: 1, late: 2 })
  expect(states.erasure).toMatchObject({ delayed: 1 })
  expect(queues).toHaveLength(later.queues.length)
})

test('staff can schedule an item for the next run, and this is logged', {
  tags: ['DATA-9'],
}, async () => {
  await enqueueRefusedMail()
  await run()
  const [{ item }] = (await list()).work
  setup.ports.mailer.send = async mail => void setup.ports.sent.push(mail)
  await run()
  expect(setup.ports.sent).toEqual([])
  const { status, body } = await retry('mail', item)
  expect([status, body.work.next_at]).toEqual([200, new Date(setup.ports.time).toISOString()])
  await run()
  expect(setup.ports.sent).toHaveLength(1)
  expect((await list()).work).toEqual([])
  expect((await retry('mail', item)).status).toBe(404)
  const [entry] = await execute("select * from activity_log where activity = 'Background work tried again'")
  expect(entry).toMatchObject({ details: `mail: ${item}` })
})

test('the list and its retries are for staff only', async () => {
  const { token } = await portal.account()
  expect((await portal.call('GET', '/admin/background-work', token)).status).toBe(403)
  expect((await portal.call('POST', '/admin/background-work/mail/x/retry', token)).status).toBe(403)
})
