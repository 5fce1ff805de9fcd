import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { notifications } from '../db/schema/accounts.ts'
import { payments } from '../db/schema/payments.ts'
import { withDeadline } from './query-gateway.ts'
import { GATEWAY_TIMEOUT, OPEN_FOR, REVIEW_INTERVAL, REVIEW_UNTIL, STALE_START } from './schedule.ts'
import { findPayment, type Payment } from './store.ts'
import { change, syncWithGateway } from './sync.ts'

/* Side effects of a sync: events, log lines, notifications, and the time of the next requery. */

const DAY = 86_400_000
let bench: Bench
let started: number
beforeEach(async () => {
  bench = await openBench()
  started = bench.ports.time
})
afterEach(() => bench.close())

const settleNow = (
  reference: string,
  source: Parameters<typeof syncWithGateway>[3] = 'webhook',
  actorId?: string,
) => syncWithGateway(bench.ports, bench.database, { reference }, source, actorId)
const paymentOf = async (reference: string) => {
  const payment = await findPayment(bench.database.read, { reference })
  if (!payment) throw new Error('no payment')
  return payment
}
const put = (reference: string, changes: Partial<Payment>) =>
  bench.database.write(tx =>
    tx.update(payments).set(changes).where(eq(payments.providerReference, reference)),
  )
const eventsOf = async (type: string) => (await bench.rows()).events.filter(event => event.type === type)
const linesOf = (event: string) => bench.ports.lines.filter(line => line.event === event)
const noticesOf = async () =>
  (await bench.database.read.select().from(notifications)).map(({ kind, body }) => ({ kind, body }))

describe('a response', () => {
  test('is stored with its source, its reference and a hash of its content', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'succeeded')
    bench.ports.time += 60_000
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
        at: bench.ports.time,
      },
    ])
    expect(linesOf('payment')).toEqual([
      { level: 'info', event: 'payment', payment: id, from: 'pending', to: 'paid', source: 'reconcile' },
    ])
    expect(await paymentOf(reference)).toMatchObject({
      paidAt: bench.ports.time,
      updatedAt: bench.ports.time,
      lastRequeryAt: bench.ports.time,
      requeries: 1,
      notFoundAnswers: 0,
      gatewayStatus: 'SUCCEEDED',
      nextRequeryAt: null,
    })
  })

  test('that cannot be used only updates the time of the requery', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.onRequery = async () => {
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
    expect((await bench.rows()).events).toHaveLength(2)
  })

  test.each<[string, () => Promise<never>]>([
    ['TimeoutError', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
    ['unknown', () => Promise.reject('a string')],
  ])('that failed is logged by its name, never with its text: %s', async (cause, fails) => {
    const { reference } = await bench.newPayment()
    bench.gateway.onRequery = fails
    await settleNow(reference)
    expect(linesOf('requery_failed')).toEqual([
      { level: 'warn', event: 'requery_failed', provider: 'sandbox', cause },
    ])
  })

  test('about another reference is logged as such', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'succeeded', { reference: 'CVOTHER00000000' })
    await settleNow(reference)
    expect(linesOf('requery_failed')).toMatchObject([{ cause: 'returned a different reference' }])
  })

  test('is not requested when the payment’s gateway is no longer configured', async () => {
    const { reference } = await bench.newPayment()
    await put(reference, { provider: 'gone' })
    expect(await settleNow(reference)).toMatchObject({ answered: false, payment: { status: 'pending' } })
    expect(linesOf('requery_failed')).toEqual([
      { level: 'warn', event: 'requery_failed', provider: 'gone', cause: 'no such gateway' },
    ])
    expect(bench.gateway.requeries).toBe(0)
  })

  test('is requested with the amount and currency of the start', async () => {
    const { reference } = await bench.newPayment()
    const requery = vi.spyOn(bench.gateway, 'requery')
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

  test('ends after its time limit, even if the signal is ignored', async () => {
    vi.useFakeTimers()
    let signal: AbortSignal | undefined
    const waiting = withDeadline(given => {
      signal = given
      return new Promise<never>(() => undefined)
    })
    const ended = expect(waiting).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'The gateway did not respond in time.',
    })
    await vi.advanceTimersByTimeAsync(GATEWAY_TIMEOUT - 1)
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
    const { reference } = await bench.newPayment()
    await put(reference, { status: 'created' })
    bench.ports.time = started + STALE_START
    expect((await settleNow(reference))?.payment.status).toBe('created')
    bench.ports.time += 1
    expect((await settleNow(reference, 'scheduler', 'nobody'))?.payment.status).toBe('unknown')
    expect(await eventsOf('unknown')).toMatchObject([
      {
        fromStatus: 'created',
        toStatus: 'unknown',
        source: 'scheduler',
        actorId: 'nobody',
        at: bench.ports.time,
      },
    ])
    expect((await paymentOf(reference)).nextRequeryAt).toBeGreaterThan(bench.ports.time)
  })

  test('that was refused is over, and the gateway is not requeried', async () => {
    const { reference } = await bench.newPayment()
    await put(reference, { status: 'created' })
    const { id } = await paymentOf(reference)
    const changes = { declineCode: 'PAYMENT_FAILED' }
    const after = await change(bench.ports, bench.database, id, { source: 'user', fact: 'refused', changes })
    expect(after).toMatchObject({ status: 'failed', declineCode: 'PAYMENT_FAILED', nextRequeryAt: null })
  })

  test('stays unanswered with one event, even if reported several times', async () => {
    const { reference } = await bench.newPayment()
    await put(reference, { status: 'created' })
    const { id } = await paymentOf(reference)
    const again = () => change(bench.ports, bench.database, id, { source: 'user', fact: 'unanswered' })
    const first = await again()
    expect(first.nextRequeryAt).toBeGreaterThan(started)
    expect(await again()).toEqual(first)
    expect(await eventsOf('unknown')).toHaveLength(1)
  })

  test('is over after two answers "not found", not after one', async () => {
    const { reference } = await bench.newPayment()
    await put(reference, { status: 'unknown' })
    bench.gateway.charges.delete(reference)
    expect((await settleNow(reference))?.payment).toMatchObject({ status: 'unknown', notFoundAnswers: 1 })
    expect((await settleNow(reference))?.payment).toMatchObject({ status: 'expired', notFoundAnswers: 2 })
  })
})

test('ignores an answer about a missing payment', async () => {
  await expect(
    change(bench.ports, bench.database, 'none', { source: 'user', fact: 'unanswered' }),
  ).rejects.toThrow('a payment has disappeared')
})

test('the transaction of another payment is noted and logged, and changes nothing', async () => {
  const first = await bench.newPayment()
  bench.gateway.end(first.reference, 'succeeded')
  await settleNow(first.reference)
  const second = await bench.newPayment()
  const taken = { providerTxnId: `TXN-${first.reference}` }
  bench.gateway.end(second.reference, 'succeeded', taken)
  await settleNow(second.reference)
  const seen = await paymentOf(second.reference)
  expect(seen).toMatchObject({ status: 'pending', requeries: 1, providerTxnId: null })
  expect(await eventsOf('foreign_transaction')).toMatchObject([{ paymentId: seen.id, ...taken }])
  expect(linesOf('foreign_transaction')).toEqual([
    { level: 'error', event: 'foreign_transaction', payment: seen.id },
  ])
  // Only for a success: a failure with that transaction is this payment's own.
  bench.gateway.end(second.reference, 'failed', taken)
  expect((await settleNow(second.reference))?.payment.status).toBe('failed')
})

test('a success without a gateway transaction ID still counts as paid', async () => {
  const { reference } = await bench.newPayment()
  bench.gateway.end(reference, 'succeeded')
  bench.gateway.onRequery = async (_, proceed) => {
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
  ] as const)('of one that %s: %d times', async (outcome, count, words) => {
    const { reference, number } = await bench.newPayment()
    bench.gateway.end(reference, outcome)
    await settleNow(reference)
    const notices = await noticesOf()
    expect(notices).toHaveLength(count)
    for (const { body } of notices) expect(body).toContain(number)
    if (words) expect(notices[0]?.body).toMatch(/Payment failed/)
  })

  test('of the bank’s reason for a decline', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'failed', { declineCode: 'INSUFFICIENT_FUNDS' })
    await settleNow(reference)
    expect((await noticesOf())[0]?.body).toContain('Insufficient funds')
  })

  test.each([
    ['mismatched', 'succeeded', { amountPaid: { minor: 1, currency: 'NGN' } }],
    ['failed', 'failed', {}],
    ['processing', 'processing', {}],
  ] as const)('%s is logged at its level', async (to, outcome, answer) => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, outcome, answer)
    await settleNow(reference)
    const level = to === 'mismatched' ? 'error' : 'info'
    expect(linesOf('payment')).toMatchObject([{ level, from: 'pending', to, source: 'webhook' }])
  })

  test('that a payment was reversed, as an error in the log', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'succeeded')
    await settleNow(reference)
    bench.gateway.end(reference, 'reversed')
    await settleNow(reference)
    expect(linesOf('payment')).toMatchObject([
      { level: 'info', to: 'paid' },
      { level: 'error', from: 'paid', to: 'reversed' },
    ])
  })
})

describe('a failure', () => {
  test.each(['failed', 'cancelled', 'expired'] as const)(
    'records a report from after the payment once: %s',
    async outcome => {
      const { reference } = await bench.newPayment()
      bench.gateway.end(reference, 'succeeded')
      await settleNow(reference)
      bench.gateway.end(reference, outcome)
      await settleNow(reference)
      const { id } = await paymentOf(reference)
      expect(await eventsOf('failed_after_paid')).toMatchObject([{ paymentId: id, source: 'webhook' }])
      expect(linesOf('failed_after_paid')).toEqual([
        { level: 'error', event: 'failed_after_paid', payment: id },
      ])
    },
  )

  test('is not recorded for a repeated report of money', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'succeeded')
    await settleNow(reference)
    await settleNow(reference)
    expect(await eventsOf('failed_after_paid')).toEqual([])
    expect(linesOf('failed_after_paid')).toEqual([])
  })

  test('a repeated report of a failed payment is not recorded again', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'failed')
    await settleNow(reference)
    await settleNow(reference)
    expect(await eventsOf('failed_after_paid')).toEqual([])
    expect(linesOf('failed_after_paid')).toEqual([])
    expect(await eventsOf('failed')).toHaveLength(1)
  })

  test('a failure from before the money was received is not recorded for the paid payment', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'failed', { declineCode: 'INSUFFICIENT_FUNDS' })
    await settleNow(reference)
    bench.gateway.end(reference, 'succeeded')
    expect((await settleNow(reference))?.payment).toMatchObject({ status: 'paid', declineCode: null })
  })
})

describe('the next requery', () => {
  const nextAfter = async (reference: string) => (await paymentOf(reference)).nextRequeryAt

  test('follows the schedule, but happens soon after the time to pay is over', async () => {
    const { reference } = await bench.newPayment()
    bench.ports.time = started + 15_000
    await settleNow(reference)
    const wait = ((await nextAfter(reference)) ?? 0) - bench.ports.time
    expect(wait).toBeGreaterThanOrEqual(0.8 * 15_000)
    expect(wait).toBeLessThanOrEqual(1.2 * 15_000)
    // Half a minute before the end the next step would be an hour away.
    const end = started + OPEN_FOR
    bench.ports.time = end - 1
    await settleNow(reference)
    expect(await nextAfter(reference)).toBe(end + 1000)
    bench.gateway.end(reference, 'processing')
    bench.ports.time = end
    await settleNow(reference)
    expect(await nextAfter(reference)).toBeGreaterThan(end + 1000)
  })

  test('never happens for a paid payment, but still for one that failed or does not match', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'failed')
    await settleNow(reference)
    expect(await nextAfter(reference)).toBeGreaterThan(started)
    bench.gateway.end(reference, 'succeeded', { amountPaid: { minor: 1, currency: 'NGN' } })
    await settleNow(reference)
    expect(await nextAfter(reference)).toBeGreaterThan(started)
    const { reference: other } = await bench.newPayment()
    bench.gateway.end(other, 'succeeded')
    await settleNow(other)
    expect(await nextAfter(other)).toBeNull()
  })

  test('happens daily under review, until the payment is a month old', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.onRequery = async () => {
      throw new Error('down')
    }
    bench.ports.time = started + 8 * DAY
    expect((await settleNow(reference, 'scheduler'))?.payment).toMatchObject({
      status: 'review',
      resolution: 'review',
    })
    expect(linesOf('payment')).toMatchObject([{ level: 'error', to: 'review', source: 'scheduler' }])
    expect(await nextAfter(reference)).toBe(bench.ports.time + REVIEW_INTERVAL)
    bench.ports.time = started + REVIEW_UNTIL - 1
    await settleNow(reference)
    expect(await nextAfter(reference)).toBe(bench.ports.time + REVIEW_INTERVAL)
    bench.ports.time += 1
    await settleNow(reference)
    expect(await nextAfter(reference)).toBeNull()
  })

  test('happens daily for one that the gateway calls in progress beyond the schedule: it is under review', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'processing')
    expect((await settleNow(reference))?.payment.status).toBe('processing')
    bench.ports.time = started + 8 * DAY
    expect((await settleNow(reference))?.payment.status).toBe('review')
    expect(await nextAfter(reference)).toBe(bench.ports.time + REVIEW_INTERVAL)
  })

  test('never happens for a failed one after the schedule', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'failed')
    await settleNow(reference)
    bench.ports.time = started + 8 * DAY
    expect((await settleNow(reference))?.payment.status).toBe('failed')
    expect(await nextAfter(reference)).toBeNull()
  })
})

test('a free verification is paid without a gateway, and its history shows that', async () => {
  await bench.setFee(0)
  const begun = await bench.start(await bench.newUser(), await bench.newCertificate())
  expect(begun.kind).toBe('already_paid')
  expect(await eventsOf('paid')).toMatchObject([
    { fromStatus: 'created', toStatus: 'paid', source: 'user', amountMinor: 0, at: started },
  ])
  expect((await bench.rows()).payments).toMatchObject([
    { status: 'paid', resolution: 'verified', amountPaidMinor: 0, providerTxnId: null, paidAt: started },
  ])
  expect(bench.gateway.requeries).toBe(0)
})

describe('money that does not match', () => {
  test('is only shown in the payment’s own currency', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'succeeded', { amountPaid: { minor: 7, currency: 'NGN' } })
    expect((await settleNow(reference))?.payment).toMatchObject({
      status: 'mismatched',
      amountPaidMinor: 7,
      providerTxnId: `TXN-${reference}`,
      paidAt: started,
    })
  })

  test('that we refunded in full and the gateway then calls reversed is part of the refund', async () => {
    const { reference } = await bench.newPayment()
    bench.gateway.end(reference, 'succeeded', { amountPaid: { minor: 7, currency: 'NGN' } })
    await settleNow(reference)
    bench.gateway.end(reference, 'reversed')
    await bench.database.client.execute("update refunds set status = 'approved'")
    expect((await settleNow(reference))?.payment.status).toBe('mismatched')
    // Failures are excluded.
    bench.gateway.end(reference, 'failed')
    expect((await settleNow(reference))?.payment.status).toBe('mismatched')
    expect(await eventsOf('failed_after_paid')).toHaveLength(1)
    bench.gateway.end(reference, 'reversed')
    await bench.database.client.execute("update refunds set status = 'failed'")
    expect((await settleNow(reference))?.payment).toMatchObject({
      status: 'reversed',
      resolution: 'reversed',
    })
  })
})
