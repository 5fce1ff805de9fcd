import { describe, expect, test } from 'vitest'
import { type PaymentState, paymentStates } from '../db/schema/payment-states.ts'
import type { GatewayTransaction, Outcome } from '../payment-gateway.ts'
import {
  compare,
  type ListedTransaction,
  needsNoRequery,
  type PortalPayment,
  toOrphanMismatch,
  toUnreadableListMismatch,
} from './reconcile-rules.ts'

const outcomes: readonly Outcome[] = [
  'pending',
  'processing',
  'succeeded',
  'failed',
  'cancelled',
  'expired',
  'not_found',
  'reversed',
  'unknown',
]
const unpaid = ['created', 'pending', 'unknown', 'processing', 'failed', 'cancelled', 'expired', 'review']

const ours = (status: PaymentState, received: PortalPayment['received'] = undefined): PortalPayment => ({
  payment: {
    transactionId: 'CVF1',
    providerReference: 'CV1',
    status,
    currency: 'NGN',
    mode: 'live',
    gatewayFeeMinor: null,
  },
  received,
})
const theirs = (outcome: Outcome, overrides: Partial<ListedTransaction> = {}): ListedTransaction => ({
  outcome,
  mode: 'live',
  ...overrides,
})
const naira = (minor: number) => ({ minor, currency: 'NGN', remaining: minor, reversedMinor: 0 })
const paid = ours('paid', naira(500_000))
const successOf = (minor: number, currency = 'NGN') =>
  theirs('succeeded', { amountPaid: { minor, currency } })

describe('our books and the gateway’s', () => {
  test('agree on a payment that both received in full', () => {
    expect(compare(paid, successOf(500_000))).toBeUndefined()
  })

  test.each<[string, PortalPayment, ListedTransaction]>([
    ['another amount', paid, successOf(500_001)],
    ['another currency', paid, successOf(500_000, 'USD')],
    ['the other mode', paid, { ...successOf(500_000), mode: 'test' }],
    ['no amount at all', paid, theirs('succeeded')],
    ['money where we have none', ours('mismatched'), successOf(500_000)],
  ])('differ in the amount: %s', (_, left, right) => {
    expect(compare(left, right)?.kind).toBe('amount_differs')
  })

  test('agree that a success in the other mode is not money', () => {
    expect(compare(ours('mismatched'), { ...successOf(500_000), mode: 'test' })).toBeUndefined()
  })

  test('agree that nothing was received, in any currency', () => {
    expect(compare(ours('mismatched'), successOf(0, 'USD'))).toBeUndefined()
  })

  test('differ over a payment that we booked and the gateway does not know', () => {
    expect(compare(paid, theirs('not_found'))).toEqual({
      transaction_id: 'CVF1',
      payment_reference: 'CV1',
      kind: 'missing_at_gateway',
      ours: 'paid',
      gateways: 'not_found',
      amount_ours: 5000,
      amount_gateway: null,
      message: 'The portal recorded this payment, but the gateway does not have it.',
    })
  })

  test.each(paymentStates.filter(status => unpaid.includes(status)))(
    'differ only after a success if the payment is %s here',
    status => {
      const mismatches = outcomes.filter(outcome => compare(ours(status), theirs(outcome)))
      expect(mismatches).toEqual(['succeeded'])
      expect(compare(ours(status), successOf(4000))).toMatchObject({
        kind: 'status_differs',
        ours: status,
        gateways: 'succeeded',
        amount_ours: null,
        amount_gateway: 40,
        message: 'The portal and the gateway report different states for this payment.',
      })
    },
  )

  test('agree on a reversal only once it is booked here', () => {
    const reversed = ours('reversed', { ...naira(500_000), remaining: 0, reversedMinor: 500_000 })
    expect(outcomes.filter(outcome => !compare(reversed, theirs(outcome)))).toEqual(['reversed'])
    expect(compare(reversed, successOf(500_000))?.kind).toBe('status_differs')
    expect(compare(ours('reversed'), successOf(500_000))?.kind).toBe('status_differs')
  })

  test('agree on a success after a reversal was returned, and differ if the gateway reports another reversal', () => {
    const again = ours('reversed', naira(500_000))
    expect(compare(again, successOf(500_000))).toBeUndefined()
    expect(compare(again, successOf(400_000))?.kind).toBe('amount_differs')
    expect(compare(again, theirs('reversed'))?.kind).toBe('status_differs')
  })

  test('agree if the gateway reports our full refund as a reversal', () => {
    const refundedPayment = { ...naira(500_000), remaining: 0 }
    expect(compare(ours('refunded', refundedPayment), theirs('reversed'))).toBeUndefined()
    expect(compare(ours('refunded', naira(500_000)), theirs('reversed'))?.kind).toBe('status_differs')
    expect(compare(paid, theirs('reversed'))?.kind).toBe('status_differs')
  })

  test.each(['pending', 'processing', 'failed', 'cancelled', 'expired', 'unknown'] as const)(
    'differ over money that is booked here if the gateway calls the payment %s',
    outcome => {
      expect(compare(paid, theirs(outcome))?.kind).toBe('status_differs')
    },
  )

  test('report that the gateway did not respond', () => {
    expect(compare(paid, undefined)).toMatchObject({
      kind: 'unanswered',
      gateways: null,
      amount_gateway: null,
      message: 'The gateway did not respond to a query about this payment. The query will be repeated later.',
    })
  })

  test('differ with both amounts named if these are not the same', () => {
    expect(compare(paid, successOf(400_050))).toMatchObject({
      amount_ours: 5000,
      amount_gateway: 4000.5,
      message: 'The gateway received a different amount than the portal recorded.',
    })
  })
})

describe('the gateway’s list is sufficient', () => {
  test('if both sides agree and the payment is no longer open', () => {
    expect(needsNoRequery(paid, successOf(500_000))).toBe(true)
    expect(needsNoRequery(ours('failed'), theirs('failed'))).toBe(true)
  })

  test('in no case if the two sides differ', () => {
    expect(needsNoRequery(paid, successOf(1))).toBe(false)
    expect(needsNoRequery(ours('pending'), successOf(500_000))).toBe(false)
    expect(needsNoRequery(paid, { ...successOf(500_000), feeMinor: 7600 })).toBe(false)
  })

  test.each(['created', 'pending', 'unknown', 'processing', 'review'] as const)(
    'for a payment that is %s here only while it is also open at the gateway',
    status => {
      const enough = outcomes.filter(outcome => needsNoRequery(ours(status), theirs(outcome)))
      expect(enough).toEqual(['pending', 'processing'])
    },
  )
})

describe('a payment that only the gateway knows', () => {
  const foreign = (outcome: Outcome): GatewayTransaction => ({ ...theirs(outcome), reference: 'CV9' })

  test('is listed with its amount', () => {
    expect(toOrphanMismatch({ ...foreign('succeeded'), amountPaid: naira(500_000) })).toEqual({
      transaction_id: null,
      payment_reference: 'CV9',
      kind: 'missing_here',
      ours: null,
      gateways: 'succeeded',
      amount_ours: null,
      amount_gateway: 5000,
      message: 'The gateway has this payment, but the portal does not.',
    })
  })

  test('is ignored if the gateway received no money', () => {
    expect(outcomes.filter(outcome => toOrphanMismatch(foreign(outcome)))).toEqual([
      'processing',
      'succeeded',
      'reversed',
      'unknown',
    ])
    expect(toOrphanMismatch(foreign('reversed'))?.amount_gateway).toBeNull()
  })
})

test('a list that could not be read is reported', () => {
  expect(toUnreadableListMismatch('sandbox')).toEqual({
    transaction_id: null,
    payment_reference: 'sandbox',
    kind: 'unanswered',
    ours: null,
    gateways: null,
    amount_ours: null,
    amount_gateway: null,
    message:
      "The gateway's list could not be read, so payments that only the gateway has are not listed here.",
  })
})
