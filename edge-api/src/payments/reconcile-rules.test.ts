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
const unpaidStates = [
  'created',
  'pending',
  'unknown',
  'processing',
  'failed',
  'cancelled',
  'expired',
  'review',
]

const portalPayment = (
  status: PaymentState,
  received: PortalPayment['received'] = undefined,
): PortalPayment => ({
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
const gatewayTransaction = (
  outcome: Outcome,
  overrides: Partial<ListedTransaction> = {},
): ListedTransaction => ({
  outcome,
  mode: 'live',
  ...overrides,
})
const naira = (minor: number) => ({ minor, currency: 'NGN', remainingMinor: minor, reversedMinor: 0 })
const paid = portalPayment('paid', naira(500_000))
const successOf = (minor: number, currency = 'NGN') =>
  gatewayTransaction('succeeded', { amountPaid: { minor, currency } })

describe('compare', () => {
  test('finds no mismatch in a payment that both sides received in full', () => {
    expect(compare(paid, successOf(500_000))).toBeUndefined()
  })

  test.each<[string, PortalPayment, ListedTransaction]>([
    ['another amount', paid, successOf(500_001)],
    ['another currency', paid, successOf(500_000, 'USD')],
    ['the other mode', paid, { ...successOf(500_000), mode: 'test' }],
    ['no amount at all', paid, gatewayTransaction('succeeded')],
    ['money where we have none', portalPayment('mismatched'), successOf(500_000)],
  ])('finds a mismatch of the amounts: %s', (_, payment, transaction) => {
    expect(compare(payment, transaction)?.kind).toBe('amount_differs')
  })

  test('finds no mismatch if the gateway reports money in the other mode, which the portal does not count', () => {
    expect(compare(portalPayment('mismatched'), { ...successOf(500_000), mode: 'test' })).toBeUndefined()
  })

  test('finds no mismatch if both sides received nothing, in any currency', () => {
    expect(compare(portalPayment('mismatched'), successOf(0, 'USD'))).toBeUndefined()
  })

  test('finds a paid payment that the gateway does not know', () => {
    expect(compare(paid, gatewayTransaction('not_found'))).toEqual({
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

  test.each(paymentStates.filter(status => unpaidStates.includes(status)))(
    'finds a mismatch for a payment that is %s here only if it succeeded at the gateway',
    status => {
      const mismatches = outcomes.filter(outcome =>
        compare(portalPayment(status), gatewayTransaction(outcome)),
      )
      expect(mismatches).toEqual(['succeeded'])
      expect(compare(portalPayment(status), successOf(4000))).toMatchObject({
        kind: 'status_differs',
        ours: status,
        gateways: 'succeeded',
        amount_ours: null,
        amount_gateway: 40,
        message: 'The portal and the gateway report different states for this payment.',
      })
    },
  )

  test('finds no mismatch in a reversal once it is recorded here', () => {
    const reversed = portalPayment('reversed', {
      ...naira(500_000),
      remainingMinor: 0,
      reversedMinor: 500_000,
    })
    expect(outcomes.filter(outcome => !compare(reversed, gatewayTransaction(outcome)))).toEqual(['reversed'])
    expect(compare(reversed, successOf(500_000))?.kind).toBe('status_differs')
    expect(compare(portalPayment('reversed'), successOf(500_000))?.kind).toBe('status_differs')
  })

  test('finds no mismatch if the money of a reversal was returned, but finds another reversal', () => {
    const returnedPayment = portalPayment('reversed', naira(500_000))
    expect(compare(returnedPayment, successOf(500_000))).toBeUndefined()
    expect(compare(returnedPayment, successOf(400_000))?.kind).toBe('amount_differs')
    expect(compare(returnedPayment, gatewayTransaction('reversed'))?.kind).toBe('status_differs')
  })

  test('finds no mismatch if the gateway reports a full refund as a reversal', () => {
    const refundedPayment = { ...naira(500_000), remainingMinor: 0 }
    expect(
      compare(portalPayment('refunded', refundedPayment), gatewayTransaction('reversed')),
    ).toBeUndefined()
    expect(compare(portalPayment('refunded', naira(500_000)), gatewayTransaction('reversed'))?.kind).toBe(
      'status_differs',
    )
    expect(compare(paid, gatewayTransaction('reversed'))?.kind).toBe('status_differs')
  })

  test.each(['pending', 'processing', 'failed', 'cancelled', 'expired', 'unknown'] as const)(
    'finds a mismatch for a paid payment that the gateway reports as %s',
    outcome => {
      expect(compare(paid, gatewayTransaction(outcome))?.kind).toBe('status_differs')
    },
  )

  test('reports that the gateway did not respond', () => {
    expect(compare(paid, undefined)).toMatchObject({
      kind: 'unanswered',
      gateways: null,
      amount_gateway: null,
      message: 'The gateway did not respond to a query about this payment. The query will be repeated later.',
    })
  })

  test('states both amounts if they differ', () => {
    expect(compare(paid, successOf(400_050))).toMatchObject({
      amount_ours: 5000,
      amount_gateway: 4000.5,
      message: 'The gateway received a different amount than the portal recorded.',
    })
  })
})

describe('needsNoRequery', () => {
  test('is true if both sides agree and the payment is no longer open', () => {
    expect(needsNoRequery(paid, successOf(500_000))).toBe(true)
    expect(needsNoRequery(portalPayment('failed'), gatewayTransaction('failed'))).toBe(true)
  })

  test('is false if the two sides differ', () => {
    expect(needsNoRequery(paid, successOf(1))).toBe(false)
    expect(needsNoRequery(portalPayment('pending'), successOf(500_000))).toBe(false)
    expect(needsNoRequery(paid, { ...successOf(500_000), feeMinor: 7600 })).toBe(false)
  })

  test.each(['created', 'pending', 'unknown', 'processing', 'review'] as const)(
    'is true for a payment that is %s here only while it is also open at the gateway',
    status => {
      const sufficient = outcomes.filter(outcome =>
        needsNoRequery(portalPayment(status), gatewayTransaction(outcome)),
      )
      expect(sufficient).toEqual(['pending', 'processing'])
    },
  )
})

describe('toOrphanMismatch', () => {
  const foreign = (outcome: Outcome): GatewayTransaction => ({
    ...gatewayTransaction(outcome),
    reference: 'CV9',
  })

  test('lists a payment that only the gateway has, with its amount', () => {
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

  test('ignores a payment for which the gateway received no money', () => {
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
