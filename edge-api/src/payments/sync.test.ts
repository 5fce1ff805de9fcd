import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type Rows, type TestSetup } from '../../test/payment-setup.ts'
import { activityLog } from '../db/schema/activity.ts'
import { syncWithGateway } from './sync.ts'

/* Tests the faults that a sync must survive, with their numbers in docs/quality.md. */

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const sync = (reference: string) => syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
const sumLedger = ({ ledger }: Rows) => ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)
const balance = ({ ledger }: Rows, account: string) =>
  ledger.filter(entry => entry.account === account).reduce((sum, entry) => sum + entry.amountMinor, 0)
const onlyOne = <T>(rows: readonly T[]): T => {
  expect(rows).toHaveLength(1)
  const [row] = rows
  if (row === undefined) throw new Error('no row')
  return row
}

test('an approved payment is fulfilled once, with one letter and one email, and the ledger adds up', async () => {
  const { reference, number } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  const result = await sync(reference)
  expect(result).toMatchObject({ isAnswered: true, payment: { status: 'paid', resolution: 'verified' } })
  const rows = await setup.readRows()
  expect(onlyOne(rows.payments)).toMatchObject({
    status: 'paid',
    amountPaidMinor: 500_000,
    providerTxnId: `TXN-${reference}`,
    nextRequeryAt: null,
  })
  expect(onlyOne(rows.items).open).toBe(0)
  expect(onlyOne(rows.fulfilments)).toMatchObject({ outcome: 'verified', certificateNumber: number })
  expect(onlyOne(rows.letters)).toMatchObject({ status: 'valid' })
  expect(onlyOne(rows.letters).code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
  expect(rows.outbox).toHaveLength(1)
  expect(rows.refunds).toEqual([])
  expect(sumLedger(rows)).toBe(0)
  expect(balance(rows, 'revenue')).toBe(-500_000)
  expect(rows.events.map(event => event.type)).toEqual(['created', 'pending', 'paid'])
})

test('20 parallel syncs cause one transition to paid and one letter, and the ledger adds up', {
  tags: ['QUALITY-24'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  const results = await Promise.all(Array.from({ length: 20 }, () => sync(reference)))
  expect(results.every(result => result?.payment.status === 'paid')).toBe(true)
  expect(setup.gateway.requeries).toBe(20)
  const rows = await setup.readRows()
  expect(rows.events.filter(event => event.type === 'paid')).toHaveLength(1)
  expect(rows.letters).toHaveLength(1)
  expect(rows.outbox).toHaveLength(1)
  expect(rows.ledger).toHaveLength(2)
  expect(sumLedger(rows)).toBe(0)
})

test.each([
  ['failed', { declineCode: 'INSUFFICIENT_FUNDS' as const, code: '51' }, 'failed', 'INSUFFICIENT_FUNDS'],
  ['failed', {}, 'failed', 'PAYMENT_FAILED'],
  ['cancelled', {}, 'cancelled', 'PAYMENT_CANCELLED'],
  ['expired', {}, 'expired', 'PAYMENT_TIMEOUT'],
] as const)(
  'a payment that is %s at the gateway, with %o, becomes %s',
  async (outcome, response, status, declineCode) => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, outcome, response)
    await sync(reference)
    const rows = await setup.readRows()
    expect(onlyOne(rows.payments)).toMatchObject({ status, declineCode, resolution: null })
    expect(onlyOne(rows.items).open).toBe(0)
    expect(rows.ledger).toEqual([])
    const logRows = await setup.database.read.select().from(activityLog)
    expect(logRows.at(-1)).toMatchObject({
      activity: `Payment ${status === 'failed' ? 'declined' : status}`,
      details: onlyOne(rows.items).certificateNumber,
      userId: onlyOne(rows.payments).userId,
    })
  },
)

test('fault 3 and 4: a requery that times out or returns garbage changes nothing, and a later one succeeds', {
  tags: ['FAULT-3', 'FAULT-4'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  setup.gateway.onRequery = async () => {
    throw new SyntaxError('Unexpected token <')
  }
  expect(await sync(reference)).toMatchObject({ isAnswered: false, payment: { status: 'pending' } })
  setup.gateway.onRequery = async (_, proceed) => proceed()
  expect(await sync(reference)).toMatchObject({ isAnswered: true, payment: { status: 'paid' } })
})

test('fault 5: a payment that is not found at first can be found paid later', {
  tags: ['FAULT-5'],
}, async () => {
  const { reference } = await setup.newPayment()
  const charge = setup.gateway.charges.get(reference)
  setup.gateway.charges.delete(reference)
  expect((await sync(reference))?.payment.status).toBe('pending')
  if (charge) setup.gateway.charges.set(reference, { ...charge, outcome: 'succeeded' })
  expect((await sync(reference))?.payment.status).toBe('paid')
})

test('fault 6 and 11: a paid payment stays paid after pending or failed is reported, and the failure is recorded', {
  tags: ['QUALITY-26', 'FAULT-6', 'FAULT-11'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  await sync(reference)
  for (const outcome of ['pending', 'failed', 'not_found', 'expired', 'cancelled'] as const) {
    setup.gateway.setOutcome(reference, outcome)
    expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', resolution: 'verified' })
  }
  const { events, letters } = await setup.readRows()
  expect(events.filter(event => event.type === 'failed_after_paid')).toHaveLength(1)
  expect(onlyOne(letters).status).toBe('valid')
  expect(setup.ports.lines.some(line => line.event === 'failed_after_paid')).toBe(true)
})

test('fault 8: a callback that arrives before the response to the initiation syncs the payment, and the late response changes nothing', {
  tags: ['FAULT-8'],
}, async () => {
  const { gateway } = setup
  gateway.onInitiate = async (order, proceed) => {
    const response = proceed()
    gateway.setOutcome(order.reference, 'succeeded')
    await sync(order.reference)
    return response
  }
  const result = await setup.startPayment(await setup.newUser(), await setup.newCertificate())
  expect(result.kind).toBe('already_paid')
  const rows = await setup.readRows()
  expect(onlyOne(rows.payments).status).toBe('paid')
  expect(rows.letters).toHaveLength(1)
})

test.each(['failed', 'cancelled', 'expired'] as const)(
  'fault 9 and 12: a payment reported as %s can still become paid',
  { tags: ['FAULT-9', 'FAULT-12'] },
  async outcome => {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, outcome)
    expect((await sync(reference))?.payment.status).toBe(outcome)
    setup.gateway.setOutcome(reference, 'succeeded')
    expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', resolution: 'verified' })
    expect(sumLedger(await setup.readRows())).toBe(0)
  },
)

test('fault 19 and 22: a payment of one kobo too little, or in naira instead of kobo, is mismatched, and a refund is due', {
  tags: ['QUALITY-23', 'FAULT-19', 'FAULT-22'],
}, async () => {
  for (const minor of [499_999, 5000]) {
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor, currency: 'NGN' } })
    const result = await sync(reference)
    expect(result?.payment).toMatchObject({
      status: 'mismatched',
      resolution: 'refund_due',
      amountPaidMinor: minor,
    })
  }
  const rows = await setup.readRows()
  expect(rows.fulfilments).toEqual([])
  expect(rows.letters).toEqual([])
  expect(rows.outbox).toHaveLength(2)
  expect(rows.refunds.map(({ amountMinor, reason }) => [amountMinor, reason])).toEqual([
    [499_999, 'mismatch'],
    [5000, 'mismatch'],
  ])
  expect(sumLedger(rows)).toBe(0)
  expect(balance(rows, 'refund_payable')).toBe(-504_999)
  expect(balance(rows, 'revenue')).toBe(0)
})

test('fault 20: an overpayment is verified, and a refund of the excess is due', {
  tags: ['FAULT-20'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_001, currency: 'NGN' } })
  expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', resolution: 'verified' })
  const rows = await setup.readRows()
  expect(onlyOne(rows.refunds)).toMatchObject({ amountMinor: 1, reason: 'over_payment', status: 'due' })
  expect(sumLedger(rows)).toBe(0)
  expect(balance(rows, 'refund_payable')).toBe(-1)
})

test('fault 21: a payment in dollars is mismatched, and the ledger has it in dollars', {
  tags: ['QUALITY-23', 'FAULT-21'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_000, currency: 'USD' } })
  expect((await sync(reference))?.payment).toMatchObject({
    status: 'mismatched',
    amountPaidMinor: null,
  })
  const { ledger } = await setup.readRows()
  expect(new Set(ledger.map(entry => entry.currency))).toEqual(new Set(['USD']))
})

test('fault 23: a success in the wrong mode is not money: the payment is mismatched and under review, and nothing is due', {
  tags: ['FAULT-23'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded', { mode: 'live' })
  expect((await sync(reference))?.payment).toMatchObject({ status: 'mismatched', resolution: 'review' })
  const rows = await setup.readRows()
  expect([rows.ledger, rows.refunds, rows.letters]).toEqual([[], [], []])
})

test('fault 16: the transaction of another payment does not mark this one as paid', {
  tags: ['FAULT-16'],
}, async () => {
  const first = await setup.newPayment()
  setup.gateway.setOutcome(first.reference, 'succeeded')
  await sync(first.reference)
  const second = await setup.newPayment()
  setup.gateway.setOutcome(second.reference, 'succeeded', { providerTxnId: `TXN-${first.reference}` })
  expect((await sync(second.reference))?.payment.status).toBe('pending')
  const { events, letters } = await setup.readRows()
  expect(events.filter(event => event.type === 'foreign_transaction')).toHaveLength(1)
  expect(letters).toHaveLength(1)
})

test('fault 36: an answer about the reference of another payment is ignored', {
  tags: ['QUALITY-23', 'FAULT-36'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded', { reference: 'CVOTHER00000000' })
  expect(await sync(reference)).toMatchObject({ isAnswered: false, payment: { status: 'pending' } })
})

test('a success without an amount is ignored', async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  setup.gateway.onRequery = async (_, proceed) => {
    const { amountPaid: _amount, ...rest } = proceed()
    return rest
  }
  expect((await sync(reference))?.payment.status).toBe('pending')
})

test('fault 26: if two payments for one certificate both succeed, there is one letter, and a refund of the second is due', {
  tags: ['FAULT-26'],
}, async () => {
  const first = await setup.newPayment()
  setup.gateway.setOutcome(first.reference, 'expired')
  await sync(first.reference)
  const secondAttempt = await setup.startPayment(first.user, first.number)
  if (secondAttempt.kind !== 'initiated') throw new Error(secondAttempt.kind)
  const second = secondAttempt.payment.providerReference
  setup.gateway.setOutcome(first.reference, 'succeeded')
  setup.gateway.setOutcome(second, 'succeeded')
  await Promise.all([sync(first.reference), sync(second)])
  const rows = await setup.readRows()
  expect(rows.payments.map(payment => payment.resolution).sort()).toEqual(['refund_due', 'verified'])
  expect(rows.letters).toHaveLength(1)
  expect(onlyOne(rows.refunds)).toMatchObject({ reason: 'duplicate', amountMinor: 500_000 })
  expect(sumLedger(rows)).toBe(0)
  expect(balance(rows, 'revenue')).toBe(-500_000)
})

test('fault 27: a fee change during the attempt does not affect it', {
  tags: ['QUALITY-21', 'FAULT-27'],
}, async () => {
  const { reference, user, number } = await setup.newPayment()
  await setup.setFee(900_000)
  const repeated = await setup.startPayment(user, number)
  expect(repeated).toMatchObject({ kind: 'initiated', payment: { amountMinor: 500_000 } })
  setup.gateway.setOutcome(reference, 'succeeded')
  expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', resolution: 'verified' })
})

test('fault 28: for a certificate deleted during the attempt, a refund is due under the policy "free", and the result is "not found" under "charge"', {
  tags: ['FAULT-28'],
}, async () => {
  for (const policy of ['free', 'charge'] as const) {
    await setup.setPolicy(policy)
    const { reference, number } = await setup.newPayment()
    await setup.removeCertificate(number)
    setup.gateway.setOutcome(reference, 'succeeded')
    const resolution = policy === 'free' ? 'refund_due' : 'not_found'
    expect((await sync(reference))?.payment).toMatchObject({ status: 'paid', resolution })
    const log = await setup.database.read.select().from(activityLog)
    expect(log.at(-1)?.details).toBe(`${number}: ${policy === 'free' ? 'refund due' : 'not found'}`)
  }
  const rows = await setup.readRows()
  expect(onlyOne(rows.refunds)).toMatchObject({ reason: 'certificate_vanished', amountMinor: 500_000 })
  expect(rows.letters).toEqual([])
  expect(balance(rows, 'revenue')).toBe(-500_000)
  expect(sumLedger(rows)).toBe(0)
})

test('a reversal reverses the ledger entries and withdraws the letter, and the number can be paid for again', async () => {
  const { reference, user, number } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  await sync(reference)
  setup.gateway.setOutcome(reference, 'reversed')
  expect((await sync(reference))?.payment).toMatchObject({ status: 'reversed', resolution: 'reversed' })
  const rows = await setup.readRows()
  expect(onlyOne(rows.letters).status).toBe('withdrawn')
  for (const account of ['gateway_clearing', 'revenue']) expect(balance(rows, account)).toBe(0)
  expect((await setup.startPayment(user, number)).kind).toBe('initiated')
})

test('an unknown reference changes nothing', async () => {
  expect(await sync('CVNOSUCHPAYMENT')).toBeUndefined()
})
