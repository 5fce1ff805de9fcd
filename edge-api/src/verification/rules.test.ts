import { describe, expect, test } from 'vitest'
import {
  type Changes,
  certificate,
  delivered,
  due,
  makeItemView,
  missed,
  paid,
} from '../../test/payment-views.ts'
import { type PaymentState, paymentStates } from '../db/schema/payment-states.ts'
import { endedWithoutResult, gatewayStatusText, statusOfItem, statusOfPayment } from './rules.ts'

describe('a payment for one certificate is shown', () => {
  const failed = (code: string, message: string) => ({
    status: 'failed',
    verification_status: null,
    resolution: null,
    code,
    message,
  })
  const pending = (message: string, resolution: string | null = null) => ({
    status: 'pending',
    verification_status: null,
    message,
    resolution,
  })
  const open = pending('Payment still pending. Please complete the payment.')
  const declined = 'Payment failed. Please try again or use a different payment method.'
  const cancelled = 'Payment was cancelled. You can try again when ready.'
  const notFound = 'Payment completed but certificate not found in database'

  test.each<[string, Changes, object]>([
    ['created', { payment: { status: 'created' } }, open],
    ['pending', { payment: { status: 'pending' } }, open],
    ['unanswered', { payment: { status: 'unknown' } }, open],
    [
      'being processed',
      { payment: { status: 'processing' } },
      pending('Your payment is being processed. This usually takes a few minutes.'),
    ],
    [
      'under review',
      { payment: { status: 'review' } },
      pending(
        'The payment gateway has not confirmed your payment. It is under review; please contact support.',
        'review',
      ),
    ],
    [
      'mismatched, with a refund due',
      { payment: { status: 'mismatched', resolution: 'refund_due' } },
      pending(
        'Your payment does not match the amount due. It will be refunded; you can start again.',
        'refund_due',
      ),
    ],
    [
      'mismatched without money',
      { payment: { status: 'mismatched', resolution: 'review' } },
      pending(
        'Your payment does not match the amount due. Please contact support with your transaction ID.',
        'review',
      ),
    ],
    ['failed', { payment: { status: 'failed' } }, failed('PAYMENT_FAILED', declined)],
    [
      'failed, with a decline code of the bank',
      { payment: { status: 'failed', declineCode: 'INSUFFICIENT_FUNDS' } },
      failed('INSUFFICIENT_FUNDS', 'Insufficient funds. Please check your account balance.'),
    ],
    [
      'failed, with an unknown decline code',
      { payment: { status: 'failed', declineCode: 'Z9' } },
      failed('PAYMENT_FAILED', declined),
    ],
    ['cancelled', { payment: { status: 'cancelled' } }, failed('PAYMENT_CANCELLED', cancelled)],
    [
      'expired',
      { payment: { status: 'expired', declineCode: 'CARD_DECLINED' } },
      failed('PAYMENT_TIMEOUT', 'Payment timed out. Please try again.'),
    ],
    [
      'reversed',
      { ...delivered, payment: { ...paid, status: 'reversed', resolution: 'reversed' } },
      {
        ...failed(
          'PAYMENT_FAILED',
          'The payment was reversed, so its verification and letter are no longer valid.',
        ),
        resolution: 'reversed',
      },
    ],
    [
      'verified',
      delivered,
      {
        status: 'paid',
        verification_status: 'success',
        resolution: 'verified',
        message: 'Certificate verified successfully.',
      },
    ],
    [
      'paid a second time',
      { ...due, certificate },
      {
        status: 'paid',
        verification_status: 'success',
        resolution: 'refund_due',
        message: 'Certificate already verified. This second payment will be refunded.',
      },
    ],
    [
      'paid for a certificate that was not found',
      missed,
      { status: 'paid', verification_status: 'not_found', resolution: 'not_found', message: notFound },
    ],
    [
      'paid for a certificate that was deleted',
      due,
      {
        status: 'paid',
        verification_status: 'not_found',
        resolution: 'refund_due',
        message: `${notFound}. Your payment will be refunded.`,
      },
    ],
    [
      'refunded',
      { ...due, payment: { ...paid, status: 'refunded', resolution: 'refunded' } },
      {
        status: 'paid',
        verification_status: 'not_found',
        resolution: 'refunded',
        message: 'Your payment was refunded.',
      },
    ],
    [
      'refunded in part, with its certificate delivered',
      { ...delivered, payment: { ...paid, status: 'refunded', resolution: 'refunded' } },
      {
        status: 'paid',
        verification_status: 'success',
        resolution: 'verified',
        message: 'Certificate verified successfully.',
      },
    ],
    [
      'refunded before anything was delivered',
      { payment: { ...paid, status: 'refunded', resolution: 'refunded' } },
      {
        status: 'paid',
        verification_status: 'not_found',
        resolution: 'refunded',
        message: 'Your payment was refunded.',
      },
    ],
    [
      'paid, by its own resolution while nothing is delivered',
      { payment: { ...paid, resolution: 'refund_due' } },
      {
        status: 'paid',
        verification_status: 'not_found',
        resolution: 'refund_due',
        message: `${notFound}. Your payment will be refunded.`,
      },
    ],
  ])('%s', (_, changes, expected) => {
    expect(statusOfItem(makeItemView(changes))).toEqual(expected)
  })

  test.each(paymentStates)('in state %s with the same status as the payment by itself', status => {
    expect(statusOfPayment({ status })).toBe(statusOfItem(makeItemView({ payment: { status } })).status)
  })
})

describe('gatewayStatusText', () => {
  const textFor = (status: PaymentState, gatewayStatus: string | null = null) =>
    gatewayStatusText({ status, gatewayStatus })

  test('returns the gateway’s status if there is one', () => {
    expect(textFor('paid', 'APPROVED')).toBe('APPROVED')
    expect(textFor('pending', '09')).toBe('09')
  })

  test('returns the portal’s status otherwise', () => {
    expect(textFor('paid')).toBe('PAID')
    for (const status of ['created', 'pending', 'unknown', 'processing'] as const)
      expect(textFor(status)).toBe('PENDING')
    expect(textFor('failed')).toBe('FAILED')
    expect(textFor('review', '')).toBe('REVIEW')
  })
})

test.each<[string, Changes, boolean]>([
  ['a pending payment', { payment: { status: 'pending' } }, false],
  ['a payment under review', { payment: { status: 'review' } }, false],
  ['a declined payment', { payment: { status: 'failed' } }, true],
  ['a wrong amount that is refunded', { payment: { status: 'mismatched', resolution: 'refund_due' } }, true],
  ['a refund that is due', due, true],
  ['a reversed payment', { ...delivered, payment: { ...paid, status: 'reversed' } }, true],
  ['a paid result of "not found"', missed, false],
  ['a verified certificate', delivered, false],
])('decides whether %s ended without a result', (_, changes, ended) => {
  expect(endedWithoutResult(statusOfItem(makeItemView(changes)))).toBe(ended)
})
