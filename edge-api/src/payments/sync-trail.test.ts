import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { notifications } from '../db/schema/accounts.ts'
import { payments } from '../db/schema/payments.ts'
import { withDeadline } from './query-gateway.ts'
import {
  GATEWAY_TIMEOUT_MS,
  OPEN_FOR_MS,
  REVIEW_INTERVAL_MS,
  REVIEW_UNTIL_MS,
  START_STALE_AFTER_MS,
} from './schedule.ts'
import { findPayment, type Payment } from './store.ts'
import { syncWithGateway, updatePayment } from './sync.ts'

/* Tests the side effects of a sync: events, log lines, notifications, and the time of the next requery. */

const DAY = 86_400_000
let setup: TestSetup
let started: number
beforeEach(async () => {
  setup = await openTestSetup()
  started = setup.ports.time
})
afterEach(() => setup.close())

const settleNow = (
  reference: string,
  source: Parameters<typeof syncWithGateway>[3] = 'webhook',
  actorId?: string,
) => syncWithGateway(setup.ports, setup.database, { reference }, source, actorId)
const paymentOf = async (reference: string) => {
  const payment = await findPayment(setup.database.read, { reference })
  if (!payment) throw new Error('no payment')
  return payment
}
const put = (reference: string, changes: Partial<Payment>) =>
  setup.database.write(tx =>
    tx.update(payments).set(changes).where(eq(payments.providerReference, reference)),
  )
const eventsOf = async (type: string) => (await setup.rows()).events.filter(event => event.type === type)
const findLogLines = (event: string) => setup.ports.lines.filter(line => line.event === event)
const listNotices = async () =>
  (await setup.database.read.select().from(notifications)).map(({ kind, body }) => ({ kind, body }))

describe('a response', () => {
  test('is stored with its source, its reference and a hash of its content', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'succeeded')
    setup.ports.time += 60_000
    const settled = await settleNow(reference, 'reconcile', 'an-admin')
    expect(settled?.answer).toMatchObject({ outcome: 'succeeded', reference })
    const { id } = await paymentOf(reference)
    expect(await eventsOf('paid')).toMatchObject([
      {
        paymentId: id,
        fromStatus: 'pending',
        toStatus: 'paid',
        source: 'reconcile',
        actorId: 'an-admin',
        providerTxnId: `TXN-${reference}`,
        amountMinor: 500_000,
        code: '00',
        rawHash: createHash('sha256').update(`${reference} succeeded`).digest('hex'),
        at: setup.ports.time,
      },
    ])
    expect(findLogLines('payment')).toEqual([
      { level: 'info', event: 'payment', payment: id, from: 'pending', to: 'paid', source: 'reconcile' },
    ])
    expect(await paymentOf(reference)).toMatchObject({
      paidAt: setup.ports.time,
      updatedAt: setup.ports.time,
      lastRequeryAt: setup.ports.time,
      requeries: 1,
      notFoundAnswers: 0,
      gatewayStatus: 'SUCCEEDED',
      nextRequeryAt: null,
    })
  })

  test('that cannot be used changes only the time of the requery', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.onRequery = async () => {
      throw new TypeError('fetch failed')
    }
    const settled = await settleNow(reference)
    expect(settled).toMatchObject({ answered: false })
    expect(settled).not.toHaveProperty('answer')
    expect(await paymentOf(reference)).toMatchObject({
      status: 'pending',
      requeries: 1,
      notFoundAnswers: 0,
      gatewayStatus: null,
    })
    expect((await setup.rows()).events).toHaveLength(2)
  })

  test.each<[string, () => Promise<never>]>([
    ['TimeoutError', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
    ['unknown', () => Promise.reject('a string')],
  ])('that is an error is logged by its name, and never with its text: %s', async (cause, fails) => {
    const { reference } = await setup.newPayment()
    setup.gateway.onRequery = fails
    await settleNow(reference)
    expect(findLogLines('requery_failed')).toEqual([
      { level: 'warn', event: 'requery_failed', provider: 'sandbox', cause },
    ])
  })

  test('about another reference is logged as such', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'succeeded', { reference: 'CVOTHER00000000' })
    await settleNow(reference)
    expect(findLogLines('requery_failed')).toMatchObject([{ cause: 'returned a different reference' }])
  })

  test('is not requested if the payment’s gateway is no longer configured', async () => {
    const { reference } = await setup.newPayment()
    await put(reference, { provider: 'gone' })
    expect(await settleNow(reference)).toMatchObject({ answered: false, payment: { status: 'pending' } })
    expect(findLogLines('requery_failed')).toEqual([
      { level: 'warn', event: 'requery_failed', provider: 'gone', cause: 'no such gateway' },
    ])
    expect(setup.gateway.requeries).toBe(0)
  })

  test('is requested with the amount and currency of the start', async () => {
    const { reference } = await setup.newPayment()
    const requery = vi.spyOn(setup.gateway, 'requery')
    await settleNow(reference)
    expect(requery).toHaveBeenCalledWith(
      reference,
      { minor: 500_000, currency: 'NGN' },
      expect.any(AbortSignal),
    )
  })
})

describe('waiting for a gateway', () => {
  afterEach(() => vi.useRealTimers())

  test('ends after the time limit, even if the gateway ignores the signal', async () => {
    vi.useFakeTimers()
    let signal: AbortSignal | undefined
    const waiting = withDeadline(deadlineSignal => {
      signal = deadlineSignal
      return new Promise<never>(() => undefined)
    })
    const ended = expect(waiting).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'The gateway did not respond in time.',
    })
    await vi.advanceTimersByTimeAsync(GATEWAY_TIMEOUT_MS - 1)
    expect(signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await ended
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' })
  })

  test('clears its timer after a response or an error', async () => {
    vi.useFakeTimers()
    expect(await withDeadline(async () => 'answer')).toBe('answer')
    await expect(withDeadline(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('an incomplete start', () => {
  test('counts as unanswered once it is stale, and is requeried from then on', async () => {
    const { reference } = await setup.newPayment()
    await put(reference, { status: 'created' })
    setup.ports.time = started + START_STALE_AFTER_MS
    expect((await settleNow(reference))?.payment.status).toBe('created')
    setup.ports.time += 1
    expect((await settleNow(reference, 'scheduler', 'nobody'))?.payment.status).toBe('unknown')
    expect(await eventsOf('unknown')).toMatchObject([
      {
        fromStatus: 'created',
        toStatus: 'unknown',
        source: 'scheduler',
        actorId: 'nobody',
        at: setup.ports.time,
      },
    ])
    expect((await paymentOf(reference)).nextRequeryAt).toBeGreaterThan(setup.ports.time)
  })

  test('that was refused has ended, and the gateway is not requeried', async () => {
    const { reference } = await setup.newPayment()
    await put(reference, { status: 'created' })
    const { id } = await paymentOf(reference)
    const changes = { declineCode: 'PAYMENT_FAILED' }
    const after = await updatePayment(setup.ports, setup.database, id, {
      source: 'user',
      fact: 'refused',
      changes,
    })
    expect(after).toMatchObject({ status: 'failed', declineCode: 'PAYMENT_FAILED', nextRequeryAt: null })
  })

  test('stays unanswered, with one event, even if reported several times', async () => {
    const { reference } = await setup.newPayment()
    await put(reference, { status: 'created' })
    const { id } = await paymentOf(reference)
    const repeatChange = () =>
      updatePayment(setup.ports, setup.database, id, { source: 'user', fact: 'unanswered' })
    const first = await repeatChange()
    expect(first.nextRequeryAt).toBeGreaterThan(started)
    expect(await repeatChange()).toEqual(first)
    expect(await eventsOf('unknown')).toHaveLength(1)
  })

  test('ends after two "not found" answers, but not after one', async () => {
    const { reference } = await setup.newPayment()
    await put(reference, { status: 'unknown' })
    setup.gateway.charges.delete(reference)
    expect((await settleNow(reference))?.payment).toMatchObject({ status: 'unknown', notFoundAnswers: 1 })
    expect((await settleNow(reference))?.payment).toMatchObject({ status: 'expired', notFoundAnswers: 2 })
  })
})

test('an answer about a payment that does not exist is ignored', async () => {
  await expect(
    updatePayment(setup.ports, setup.database, 'none', { source: 'user', fact: 'unanswered' }),
  ).rejects.toThrow('a payment has disappeared')
})

test('the transaction of another payment is recorded and logged, but changes nothing', async () => {
  const first = await setup.newPayment()
  setup.gateway.end(first.reference, 'succeeded')
  await settleNow(first.reference)
  const second = await setup.newPayment()
  const taken = { providerTxnId: `TXN-${first.reference}` }
  setup.gateway.end(second.reference, 'succeeded', taken)
  await settleNow(second.reference)
  const seen = await paymentOf(second.reference)
  expect(seen).toMatchObject({ status: 'pending', requeries: 1, providerTxnId: null })
  expect(await eventsOf('foreign_transaction')).toMatchObject([{ paymentId: seen.id, ...taken }])
  expect(findLogLines('foreign_transaction')).toEqual([
    { level: 'error', event: 'foreign_transaction', payment: seen.id },
  ])
  // This applies to a success only: a failure with that transaction is this payment's own.
  setup.gateway.end(second.reference, 'failed', taken)
  expect((await settleNow(second.reference))?.payment.status).toBe('failed')
})

test('a success without a gateway transaction ID still counts as paid', async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.end(reference, 'succeeded')
  setup.gateway.onRequery = async (_, proceed) => {
    const { providerTxnId: _txn, code: _code, ...rest } = proceed()
    return rest
  }
  expect((await settleNow(reference))?.payment).toMatchObject({ status: 'paid', providerTxnId: null })
  expect(await eventsOf('paid')).toMatchObject([{ providerTxnId: null, code: null }])
})

describe('payer and staff are notified', () => {
  test.each([
    ['failed', 1, /^Payment failed/],
    ['cancelled', 0, undefined],
    ['expired', 1, undefined],
  ] as const)('of a payment that %s: %d times', async (outcome, count, words) => {
    const { reference, number } = await setup.newPayment()
    setup.gateway.end(reference, outcome)
    await settleNow(reference)
    const notices = await listNotices()
    expect(notices).toHaveLength(count)
    for (const { body } of notices) expect(body).toContain(number)
    if (words) expect(notices[0]?.body).toMatch(/Payment failed/)
  })

  test('of the bank’s reason for a decline', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'failed', { declineCode: 'INSUFFICIENT_FUNDS' })
    await settleNow(reference)
    expect((await listNotices())[0]?.body).toContain('Insufficient funds')
  })

  test.each([
    ['mismatched', 'succeeded', { amountPaid: { minor: 1, currency: 'NGN' } }],
    ['failed', 'failed', {}],
    ['processing', 'processing', {}],
  ] as const)('and %s is logged at its level', async (to, outcome, answer) => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, outcome, answer)
    await settleNow(reference)
    const level = to === 'mismatched' ? 'error' : 'info'
    expect(findLogLines('payment')).toMatchObject([{ level, from: 'pending', to, source: 'webhook' }])
  })

  test('that a payment was reversed, as an error in the log', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'succeeded')
    await settleNow(reference)
    setup.gateway.end(reference, 'reversed')
    await settleNow(reference)
    expect(findLogLines('payment')).toMatchObject([
      { level: 'info', to: 'paid' },
      { level: 'error', from: 'paid', to: 'reversed' },
    ])
  })
})

describe('a failure', () => {
  test.each(['failed', 'cancelled', 'expired'] as const)(
    'that is reported after the payment is recorded once: %s',
    async outcome => {
      const { reference } = await setup.newPayment()
      setup.gateway.end(reference, 'succeeded')
      await settleNow(reference)
      setup.gateway.end(reference, outcome)
      await settleNow(reference)
      const { id } = await paymentOf(reference)
      expect(await eventsOf('failed_after_paid')).toMatchObject([{ paymentId: id, source: 'webhook' }])
      expect(findLogLines('failed_after_paid')).toEqual([
        { level: 'error', event: 'failed_after_paid', payment: id },
      ])
    },
  )

  test('is not recorded if a success is reported repeatedly', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'succeeded')
    await settleNow(reference)
    await settleNow(reference)
    expect(await eventsOf('failed_after_paid')).toEqual([])
    expect(findLogLines('failed_after_paid')).toEqual([])
  })

  test('that is reported repeatedly for a failed payment is recorded once', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'failed')
    await settleNow(reference)
    await settleNow(reference)
    expect(await eventsOf('failed_after_paid')).toEqual([])
    expect(findLogLines('failed_after_paid')).toEqual([])
    expect(await eventsOf('failed')).toHaveLength(1)
  })

  test('from before the money was received is not recorded for the paid payment', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'failed', { declineCode: 'INSUFFICIENT_FUNDS' })
    await settleNow(reference)
    setup.gateway.end(reference, 'succeeded')
    expect((await settleNow(reference))?.payment).toMatchObject({ status: 'paid', declineCode: null })
  })
})

describe('the next requery', () => {
  const readNextRequeryAt = async (reference: string) => (await paymentOf(reference)).nextRequeryAt

  test('follows the schedule, but happens soon after the deadline for paying', async () => {
    const { reference } = await setup.newPayment()
    setup.ports.time = started + 15_000
    await settleNow(reference)
    const wait = ((await readNextRequeryAt(reference)) ?? 0) - setup.ports.time
    expect(wait).toBeGreaterThanOrEqual(0.8 * 15_000)
    expect(wait).toBeLessThanOrEqual(1.2 * 15_000)
    // Half a minute before the deadline, the next step would be an hour away.
    const end = started + OPEN_FOR_MS
    setup.ports.time = end - 1
    await settleNow(reference)
    expect(await readNextRequeryAt(reference)).toBe(end + 1000)
    setup.gateway.end(reference, 'processing')
    setup.ports.time = end
    await settleNow(reference)
    expect(await readNextRequeryAt(reference)).toBeGreaterThan(end + 1000)
  })

  test('never happens for a paid payment, but does for one that failed or does not match', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'failed')
    await settleNow(reference)
    expect(await readNextRequeryAt(reference)).toBeGreaterThan(started)
    setup.gateway.end(reference, 'succeeded', { amountPaid: { minor: 1, currency: 'NGN' } })
    await settleNow(reference)
    expect(await readNextRequeryAt(reference)).toBeGreaterThan(started)
    const { reference: other } = await setup.newPayment()
    setup.gateway.end(other, 'succeeded')
    await settleNow(other)
    expect(await readNextRequeryAt(other)).toBeNull()
  })

  test('happens daily under review, until the payment is a month old', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.onRequery = async () => {
      throw new Error('down')
    }
    setup.ports.time = started + 8 * DAY
    expect((await settleNow(reference, 'scheduler'))?.payment).toMatchObject({
      status: 'review',
      resolution: 'review',
    })
    expect(findLogLines('payment')).toMatchObject([{ level: 'error', to: 'review', source: 'scheduler' }])
    expect(await readNextRequeryAt(reference)).toBe(setup.ports.time + REVIEW_INTERVAL_MS)
    setup.ports.time = started + REVIEW_UNTIL_MS - 1
    await settleNow(reference)
    expect(await readNextRequeryAt(reference)).toBe(setup.ports.time + REVIEW_INTERVAL_MS)
    setup.ports.time += 1
    await settleNow(reference)
    expect(await readNextRequeryAt(reference)).toBeNull()
  })

  test('happens daily for a payment still in progress at the gateway after the schedule, which is under review', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'processing')
    expect((await settleNow(reference))?.payment.status).toBe('processing')
    setup.ports.time = started + 8 * DAY
    expect((await settleNow(reference))?.payment.status).toBe('review')
    expect(await readNextRequeryAt(reference)).toBe(setup.ports.time + REVIEW_INTERVAL_MS)
  })

  test('never happens for a failed payment after the schedule', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'failed')
    await settleNow(reference)
    setup.ports.time = started + 8 * DAY
    expect((await settleNow(reference))?.payment.status).toBe('failed')
    expect(await readNextRequeryAt(reference)).toBeNull()
  })
})

test('a free verification is paid without a gateway, as its history shows', async () => {
  await setup.setFee(0)
  const firstStart = await setup.start(await setup.newUser(), await setup.newCertificate())
  expect(firstStart.kind).toBe('already_paid')
  expect(await eventsOf('paid')).toMatchObject([
    { fromStatus: 'created', toStatus: 'paid', source: 'user', amountMinor: 0, at: started },
  ])
  expect((await setup.rows()).payments).toMatchObject([
    { status: 'paid', resolution: 'verified', amountPaidMinor: 0, providerTxnId: null, paidAt: started },
  ])
  expect(setup.gateway.requeries).toBe(0)
})

describe('money that does not match', () => {
  test('is shown in the payment’s own currency only', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'succeeded', { amountPaid: { minor: 7, currency: 'NGN' } })
    expect((await settleNow(reference))?.payment).toMatchObject({
      status: 'mismatched',
      amountPaidMinor: 7,
      providerTxnId: `TXN-${reference}`,
      paidAt: started,
    })
  })

  test('is part of the refund if we refunded it in full and the gateway then reports a reversal', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.end(reference, 'succeeded', { amountPaid: { minor: 7, currency: 'NGN' } })
    await settleNow(reference)
    setup.gateway.end(reference, 'reversed')
    await setup.database.client.execute("update refunds set status = 'approved'")
    expect((await settleNow(reference))?.payment.status).toBe('mismatched')
    // Failed refunds are excluded.
    setup.gateway.end(reference, 'failed')
    expect((await settleNow(reference))?.payment.status).toBe('mismatched')
    expect(await eventsOf('failed_after_paid')).toHaveLength(1)
    setup.gateway.end(reference, 'reversed')
    await setup.database.client.execute("update refunds set status = 'failed'")
    expect((await settleNow(reference))?.payment).toMatchObject({
      status: 'reversed',
      resolution: 'reversed',
    })
  })
})
