import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDesk } from '../../test/account-desk.ts'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

/* Delayed background work in the view of staff, who can retry it immediately. */

let bench: Bench
let gateway: RefundingGateway
let desk: Awaited<ReturnType<typeof openDesk>>
let staff: string
beforeEach(async () => {
  gateway = new RefundingGateway()
  bench = await openBench(gateway)
  desk = await openDesk(bench)
  staff = (await desk.account('admin')).token
})
afterEach(() => bench.close())

const execute = async (sql: string) => (await bench.database.client.execute(sql)).rows
const run = async () => {
  await runScheduledJobs(bench.ports, bench.database)
  await bench.idle()
}
const list = async (query = '') => (await desk.call('GET', `/admin/background-work${query}`, staff)).body
const retry = (queue: string, item: string) =>
  desk.call('POST', `/admin/background-work/${queue}/${item}/retry`, staff)
const refuseMail = () => {
  bench.ports.mailer.send = () => Promise.reject(new Error('refused'))
  return bench.database.write(tx =>
    enqueueMail(tx, bench.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' }),
  )
}

test('lists what cannot proceed with its reason, its subject, and whether it is late', {
  tags: ['DATA-9'],
}, async () => {
  const { user, reference, transactionId } = await bench.newPayment()
  gateway.end(reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
  bench.ports.time += 20_000
  await run()
  await execute(`update users set erasure_due_at = 1 where id = '${user.id}'`)
  gateway.onRefund = () => Promise.reject(new Error('no answer'))
  await execute(`update refunds set status = 'approved', attempts = 1, next_try_at = ${bench.ports.time}`)
  await refuseMail()
  await run()
  const { work, queues, pagination } = await list()
  expect(pagination).toMatchObject({ total: 3 })
  const of = (name: string) => work.find(({ queue }: { queue: string }) => queue === name)
  expect(of('erasure')).toMatchObject({
    item: user.id,
    subject: { kind: 'account', id: user.id, label: user.email },
    reason: 'A refund is still due to this account. Approve it under Reports, Refunds.',
    attempts: 1,
    late: false,
  })
  expect(of('refunds')).toMatchObject({
    subject: { kind: 'refund', id: transactionId, label: transactionId },
    reason: 'The gateway did not respond to the request for this refund.',
  })
  expect(of('mail')).toMatchObject({ subject: null, late: false })
  expect(JSON.stringify(of('mail'))).not.toContain('a@users.test')

  bench.ports.time += 61 * 60_000
  const later = await list('?queue=mail')
  expect(later.work).toMatchObject([{ queue: 'mail', late: true }])
  const states = Object.fromEntries(
    later.queues.map((each: { queue: string; delayed: number; late: number }) => [each.queue, each]),
  )
  expect(states.mail).toMatchObject({ delayed: 1, late: 2 })
  expect(states.erasure).toMatchObject({ delayed: 1 })
  expect(queues).toHaveLength(later.queues.length)
})

test('an item is retried at the next run on request of staff, and the log names who requested it', {
  tags: ['DATA-9'],
}, async () => {
  await refuseMail()
  await run()
  const [{ item }] = (await list()).work
  bench.ports.mailer.send = async mail => void bench.ports.sent.push(mail)
  await run()
  expect(bench.ports.sent).toEqual([])
  const { status, body } = await retry('mail', item)
  expect([status, body.work.next_at]).toEqual([200, new Date(bench.ports.time).toISOString()])
  await run()
  expect(bench.ports.sent).toHaveLength(1)
  expect((await list()).work).toEqual([])
  expect((await retry('mail', item)).status).toBe(404)
  const [entry] = await execute("select * from activity_log where activity = 'Background work tried again'")
  expect(entry).toMatchObject({ details: `mail: ${item}` })
})

test('is only for staff', async () => {
  const { token } = await desk.account()
  expect((await desk.call('GET', '/admin/background-work', token)).status).toBe(403)
  expect((await desk.call('POST', '/admin/background-work/mail/x/retry', token)).status).toBe(403)
})
