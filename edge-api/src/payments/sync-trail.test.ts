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
let startedAt: number
beforeEach(async () => {
  setup = await openTestSetup()
  startedAt = setup.ports.time
})
afterEach(() => setup.close())

const sync = (
  reference: string,
  source: Parameters<typeof syncWithGateway>[3] = 'webhook',
  actorId?: string,
) => syncWithGateway(setup.ports, setup.database, { reference }, source, actorId)
const requirePayment = async (reference: string) => {
  const payment = await findPayment(setup.database.read, { reference })
  if (!payment) throw new Error('no payment')
  return payment
}
const updateRow = (reference: string, changes: Partial<Payment>) =>
  setup.database.write(tx =>
    tx.update(payments).set(changes).where(eq(payments.providerReference, reference)),
  )
const listEvents = async (type: string) =>
  (await setup.readRows()).events.filter(event => event.type === type)
const findLogLines = (event: string) => setup.ports.lines.filter(line => line.event === event)
const listNotices = async () =>
  (await setup.database.read.select().from(notifications)).map(({ kind, body }) => ({ kind, body }))

describe('a response', () => {
  test('is stored with its source, its reference and a hash of its content', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    setup.ports.time += 60_000
    const result = await sync(reference, 'reconcile', 'an-admin')
    expect(result?.answer).toMatchObject({ outcome: 'succeeded', reference })
    const { id } = await requirePayment(reference)
    expect(await listEvents('paid')).toMatchObject([
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
    expect(await requirePayment(reference)).toMatchObject({
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
    const result = await sync(reference)
    expect(result).toMatchObject({ isAnswered: false })
    expect(result).not.toHaveProperty('answer')
    expect(await requirePayment(reference)).toMatchObject({
      status: 'pending',
      requeries: 1,
      notFoundAnswers: 0,
      gatewayStatus: null,
    })
    expect((await setup.readRows()).events).toHaveLength(2)
  })

  test.each<[string, () => Promise<never>]>([
    ['TimeoutError', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
    ['unknown', () => Promise.reject('a string')],
  ])('that is an error is logged by its name, and never with its text: %s', async (cause, requery) => {
    const { reference } = await setup.newPayment()
    setup.gateway.onRequery = requery
    await sync(reference)
    expect(findLogLines('requery_failed')).toEqual([
      { level: 'warn', event: 'requery_failed', provider: 'sandbox', cause },
    ])
  })

  test('about another reference is logged as such', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded', { reference: 'CVOTHER00000000' })
    await sync(reference)
    expect(findLogLines('requery_failed')).toMatchObject([{ cause: 'returned a different reference' }])
  })

  test('is not requested if the payment’s gateway is no longer configured', async () => {
    const { reference } = await setup.newPayment()
    await updateRow(reference, { provider: 'gone' })
    expect(await sync(reference)).toMatchObject({ isAnswered: false, payment: { status: 'pending' } })
    expect(findLogLines('requery_failed')).toEqual([
      { level: 'warn', event: 'requery_failed', provider: 'gone', cause: 'no such gateway' },
    ])
    expect(setup.gateway.requeries).toBe(0)
  })

  test('is requested with the amount and currency of the attempt', async () => {
    const { reference } = await setup.newPayment()
    const requery = vi.spyOn(setup.gateway, 'requery')
    await sync(reference)
    expect(requery).toHaveBeenCalledWith(
      reference,
      { minor: 500_000, currency: 'NGN' },
      expect.any(AbortSignal),
    )
  })
})

describe('withDeadline', () => {
  afterEach(() => vi.useRealTimers())

  test('rejects after the time limit, even if the gateway ignores the signal', async () => {
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

describe('an incomplete attempt', () => {
  test('counts as unanswered once it is stale, and is requeried from then on', async () => {
    const { reference } = await setup.newPayment()
    await updateRow(reference, { status: 'created' })
    setup.ports.time = startedAt + START_STALE_AFTER_MS
    expect((await sync(reference))?.payment.status).toBe('created')
    setup.ports.time += 1
    expect((await sync(reference, 'scheduler', 'nobody'))?.payment.status).toBe('unknown')
    expect(await listEvents('unknown')).toMatchObject([
      {
        fromStatus: 'created',
        toStatus: 'unknown',
        source: 'scheduler',
        actorId: 'nobody',
        at: setup.ports.time,
      },
    ])
    expect((await requirePayment(reference)).nextRequeryAt).toBeGreaterThan(setup.ports.time)
  })

  test('that was refused has ended, and the gateway is not requeried', async () => {
    const { reference } = await setup.newPayment()
    await updateRow(reference, { status: 'created' })
    const { id } = await requirePayment(reference)
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
    await updateRow(reference, { status: 'created' })
    const { id } = await requirePayment(reference)
    const reportUnanswered = () =>
      updatePayment(setup.ports, setup.database, id, { source: 'user', fact: 'unanswered' })
    const first = await reportUnanswered()
    expect(first.nextRequeryAt).toBeGreaterThan(startedAt)
    expect(await reportUnanswered()).toEqual(first)
    expect(await listEvents('unknown')).toHaveLength(1)
  })

  test('ends after two "not found" answers, but not after one', async () => {
    const { reference } = await setup.newPayment()
    await updateRow(reference, { status: 'unknown' })
    setup.gateway.charges.delete(reference)
    expect((await sync(reference))?.payment).toMatchObject({ status: 'unknown', notFoundAnswers: 1 })
    expect((await sync(reference))?.payment).toMatchObject({ status: 'expired', notFoundAnswers: 2 })
  })
})

test('updating a payment that does not exist throws', async () => {
  await expect(
    updatePayment(setup.ports, setup.database, 'none', { source: 'user', fact: 'unanswered' }),
  ).rejects.toThrow('a payment has disappeared')
})

test('the transaction of another payment is recorded and logged, but changes nothing', async () => {
  const first = await setup.newPayment()
  setup.gateway.setOutcome(first.reference, 'succeeded')
  await sync(first.reference)
  const second = await setup.newPayment()
  const foreignTransaction = { providerTxnId: `TXN-${first.reference}` }
  setup.gateway.setOutcome(second.reference, 'succeeded', foreignTransaction)
  await sync(second.reference)
  const payment = await requirePayment(second.reference)
  expect(payment).toMatchObject({ status: 'pending', requeries: 1, providerTxnId: null })
  expect(await listEvents('foreign_transaction')).toMatchObject([
    { paymentId: payment.id, ...foreignTransaction },
  ])
  expect(findLogLines('foreign_transaction')).toEqual([
    { level: 'error', event: 'foreign_transaction', payment: payment.id },
  ])
  // Only a success is ignored: a failure with the same transaction ID still applies to this payment.
  setup.gateway.setOutcome(second.reference, 'failed', foreignTransaction)
  expect((await sync(second.reference))?.payment.status).toBe('failed')
})

test('a success without a gateway transaction ID still counts as paid', async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  setup.gateway.onRequery = async (_, proceed) => {
    const { providerTxnId: _txn, code: _code, ...rest } = proceed()
    return rest
  }
  expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', providerTxnId: null })
  expect(await listEvents('paid')).toMatchObject([{ providerTxnId: null, code: null }])
})

describe('notifications and log levels', () => {
  test.each([
    ['failed', 1, /Payment failed/],
    ['cancelled', 0, undefined],
    ['expired', 1, undefined],
  ] as const)(
    'a payment that is %s at the gateway sends %d notifications',
    async (outcome, count, expectedText) => {
      const { reference, number } = await setup.newPayment()
      setup.gateway.setOutcome(reference, outcome)
      await sync(reference)
      const notices = await listNotices()
      expect(notices).toHaveLength(count)
      for (const { body } of notices) expect(body).toContain(number)
      if (expectedText) expect(notices[0]?.body).toMatch(expectedText)
    },
  )

  test('the notification of a decline contains the bank’s reason', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'failed', { declineCode: 'INSUFFICIENT_FUNDS' })
    await sync(reference)
    expect((await listNotices())[0]?.body).toContain('Insufficient funds')
  })

  test.each([
    ['mismatched', 'succeeded', { amountPaid: { minor: 1, currency: 'NGN' } }],
    ['failed', 'failed', {}],
    ['processing', 'processing', {}],
  ] as const)('a change to %s is logged at its level', async (to, outcome, answer) => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, outcome, answer)
    await sync(reference)
    const level = to === 'mismatched' ? 'error' : 'info'
    expect(findLogLines('payment')).toMatchObject([{ level, from: 'pending', to, source: 'webhook' }])
  })

  test('a reversal is logged as an error', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    await sync(reference)
    setup.gateway.setOutcome(reference, 'reversed')
    await sync(reference)
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
      setup.gateway.setOutcome(reference, 'succeeded')
      await sync(reference)
      setup.gateway.setOutcome(reference, outcome)
      await sync(reference)
      const { id } = await requirePayment(reference)
      expect(await listEvents('failed_after_paid')).toMatchObject([{ paymentId: id, source: 'webhook' }])
      expect(findLogLines('failed_after_paid')).toEqual([
        { level: 'error', event: 'failed_after_paid', payment: id },
      ])
    },
  )

  test('is not recorded if a success is reported repeatedly', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    await sync(reference)
    await sync(reference)
    expect(await listEvents('failed_after_paid')).toEqual([])
    expect(findLogLines('failed_after_paid')).toEqual([])
  })

  test('that is reported repeatedly for a failed payment is recorded once', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'failed')
    await sync(reference)
    await sync(reference)
    expect(await listEvents('failed_after_paid')).toEqual([])
    expect(findLogLines('failed_after_paid')).toEqual([])
    expect(await listEvents('failed')).toHaveLength(1)
  })

  test('is cleared from the payment once it becomes paid', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'failed', { declineCode: 'INSUFFICIENT_FUNDS' })
    await sync(reference)
    setup.gateway.setOutcome(reference, 'succeeded')
    expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', declineCode: null })
  })
})

describe('the next requery', () => {
  const readNextRequeryAt = async (reference: string) => (await requirePayment(reference)).nextRequeryAt

  test('follows the schedule, but happens right after the deadline for paying', async () => {
    const { reference } = await setup.newPayment()
    setup.ports.time = startedAt + 15_000
    await sync(reference)
    const delay = ((await readNextRequeryAt(reference)) ?? 0) - setup.ports.time
    expect(delay).toBeGreaterThanOrEqual(0.8 * 15_000)
    expect(delay).toBeLessThanOrEqual(1.2 * 15_000)
    // Just before the deadline, the next step of the schedule is half an hour away.
    const deadline = startedAt + OPEN_FOR_MS
    setup.ports.time = deadline - 1
    await sync(reference)
    expect(await readNextRequeryAt(reference)).toBe(deadline + 1000)
    setup.gateway.setOutcome(reference, 'processing')
    setup.ports.time = deadline
    await sync(reference)
    expect(await readNextRequeryAt(reference)).toBeGreaterThan(deadline + 1000)
  })

  test('never happens for a paid payment, but does for one that failed or does not match', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'failed')
    await sync(reference)
    expect(await readNextRequeryAt(reference)).toBeGreaterThan(startedAt)
    setup.gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 1, currency: 'NGN' } })
    await sync(reference)
    expect(await readNextRequeryAt(reference)).toBeGreaterThan(startedAt)
    const { reference: paidReference } = await setup.newPayment()
    setup.gateway.setOutcome(paidReference, 'succeeded')
    await sync(paidReference)
    expect(await readNextRequeryAt(paidReference)).toBeNull()
  })

  test('happens daily under review, until the payment is a month old', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.onRequery = async () => {
      throw new Error('down')
    }
    setup.ports.time = startedAt + 8 * DAY
    expect((await sync(reference, 'scheduler'))?.payment).toMatchObject({
      status: 'review',
      resolution: 'review',
    })
    expect(findLogLines('payment')).toMatchObject([{ level: 'error', to: 'review', source: 'scheduler' }])
    expect(await readNextRequeryAt(reference)).toBe(setup.ports.time + REVIEW_INTERVAL_MS)
    setup.ports.time = startedAt + REVIEW_UNTIL_MS - 1
    await sync(reference)
    expect(await readNextRequeryAt(reference)).toBe(setup.ports.time + REVIEW_INTERVAL_MS)
    setup.ports.time += 1
    await sync(reference)
    expect(await readNextRequeryAt(reference)).toBeNull()
  })

  test('happens daily for a payment still in progress at the gateway after the schedule, which is under review', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'processing')
    expect((await sync(reference))?.payment.status).toBe('processing')
    setup.ports.time = startedAt + 8 * DAY
    expect((await sync(reference))?.payment.status).toBe('review')
    expect(await readNextRequeryAt(reference)).toBe(setup.ports.time + REVIEW_INTERVAL_MS)
  })

  test('never happens for a failed payment after the schedule', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'failed')
    await sync(reference)
    setup.ports.time = startedAt + 8 * DAY
    expect((await sync(reference))?.payment.status).toBe('failed')
    expect(await readNextRequeryAt(reference)).toBeNull()
  })
})

test('a free verification is recorded as paid without a gateway', async () => {
  await setup.setFee(0)
  const result = await setup.startPayment(await setup.newUser(), await setup.newCertificate())
  expect(result.kind).toBe('already_paid')
  expect(await listEvents('paid')).toMatchObject([
    { fromStatus: 'created', toStatus: 'paid', source: 'user', amountMinor: 0, at: startedAt },
  ])
  expect((await setup.readRows()).payments).toMatchObject([
    { status: 'paid', resolution: 'verified', amountPaidMinor: 0, providerTxnId: null, paidAt: startedAt },
  ])
  expect(setup.gateway.requeries).toBe(0)
})

describe('money that does not match', () => {
  test('is stored with its amount and transaction ID', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 7, currency: 'NGN' } })
    expect((await sync(reference))?.payment).toMatchObject({
      status: 'mismatched',
      amountPaidMinor: 7,
      providerTxnId: `TXN-${reference}`,
      paidAt: startedAt,
    })
  })

  test('stays mismatched after a reversal if a full refund was approved, and becomes reversed if that refund failed', async () => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 7, currency: 'NGN' } })
    await sync(reference)
    setup.gateway.setOutcome(reference, 'reversed')
    await setup.database.client.execute("update refunds set status = 'approved'")
    expect((await sync(reference))?.payment.status).toBe('mismatched')
    setup.gateway.setOutcome(reference, 'failed')
    expect((await sync(reference))?.payment.status).toBe('mismatched')
    expect(await listEvents('failed_after_paid')).toHaveLength(1)
    // A failed refund does not explain the reversal.
    setup.gateway.setOutcome(reference, 'reversed')
    await setup.database.client.execute("update refunds set status = 'failed'")
    expect((await sync(reference))?.payment).toMatchObject({
      status: 'reversed',
      resolution: 'reversed',
    })
  })
})
