import { describe, expect, test } from 'vitest'
import {
  type Changes,
  certificate,
  delivered,
  due,
  letter,
  link,
  makeItemView,
  makePaymentView,
  missed,
  PAID_AT,
  paid,
  SITE_URL,
  STARTED_AT,
  summary,
  template,
} from '../../test/payment-views.ts'
import { paymentStates } from '../db/schema/payment-states.ts'
import { toHistoryRecord, toPublicReply, toStatusReply } from './replies.ts'
import { getPaidAmount, type ListedPaymentItem, statusOfItem } from './rules.ts'

describe('the payer sees', () => {
  test('the certificate and the letter once they are delivered', () => {
    expect(toStatusReply(makePaymentView(delivered), SITE_URL)).toEqual({
      status: 'paid',
      verification_status: 'success',
      message: 'Certificate verified successfully.',
      resolution: 'verified',
      transaction_id: 'CVF1',
      certificate_number: 'UG/2020/001',
      certificate,
      payment_reference: 'CV1',
      amount_due: 5000,
      amount_paid: 5000,
      refund_due: 0,
      refunded: 0,
      refund_currency: 'NGN',
      currency: 'NGN',
      bpms_status: 'APPROVED',
      initiated_at: '2026-01-15T12:00:00.000Z',
      expires_at: null,
      paid_at: '2026-01-15T12:01:00.000Z',
      authentication_date: '2026-01-15T12:01:00.000Z',
      verification_template: template,
      letter: link,
      items: [
        {
          certificate_number: 'UG/2020/001',
          certificate_id: 'letter-certificate',
          amount: 5000,
          status: 'paid',
          verification_status: 'success',
          message: 'Certificate verified successfully.',
          resolution: 'verified',
          certificate,
          letter: link,
        },
      ],
    })
  })

  test.each(paymentStates.filter(status => !['paid', 'refunded'].includes(status)))(
    'only the number of the certificate while the payment is %s, whatever the register contains',
    status => {
      const reply = toStatusReply(makePaymentView({ ...delivered, payment: { status } }), SITE_URL)
      expect(reply).toMatchObject({
        certificate_number: 'UG/2020/001',
        certificate: null,
        letter: null,
        verification_template: null,
        items: [{ certificate_id: null, certificate: null, letter: null }],
      })
      const known = toPublicReply(makePaymentView({ ...delivered, payment: { status } }), 'full')
      expect(known).toMatchObject({ certificate: null, items: [{ certificate: null }] })
      for (const response of [reply, known])
        expect(JSON.stringify(response)).not.toMatch(/Ada|Physics|First Class|CODE/)
    },
  )

  test('the deadline while the payment is open, and no times in the future', () => {
    expect(toStatusReply(makePaymentView({}), SITE_URL)).toMatchObject({
      amount_paid: null,
      expires_at: '2026-01-15T12:30:00.000Z',
      paid_at: null,
      authentication_date: null,
      bpms_status: 'PENDING',
    })
  })

  test('the delivered certificate even if no letter was issued', () => {
    const reply = toStatusReply(makePaymentView({ ...delivered, letter: null }), SITE_URL)
    expect(reply).toMatchObject({ certificate, letter: null, verification_template: null })
    expect(reply.items[0]).toMatchObject({ certificate_id: 'delivered-certificate', letter: null })
    const shownAgain = toStatusReply(
      makePaymentView({ ...delivered, letter: null, fulfilment: null }),
      SITE_URL,
    )
    expect(shownAgain.items[0]?.certificate_id).toBeNull()
  })

  test('refunds in the currency that was received', () => {
    const seen = makePaymentView(due)
    const refunds = { outstandingMinor: 150, refundedMinor: 250, currency: 'USD' }
    const expected = { refund_due: 1.5, refunded: 2.5, refund_currency: 'USD', currency: 'NGN' }
    expect(toStatusReply({ ...seen, refunds }, SITE_URL)).toMatchObject(expected)
    expect(toPublicReply({ ...seen, refunds }, 'full')).toMatchObject(expected)
    expect(toPublicReply(seen, 'full').refund_currency).toBe('NGN')
  })
})

describe('a payment for several certificates', () => {
  const halfAmount = { amountMinor: 250_000 }
  const first = { ...delivered, item: halfAmount }
  const second = { ...missed, payment: paid, item: { ...halfAmount, certificateNumber: 'UG/2020/002' } }
  const third = { ...due, payment: paid, item: { ...halfAmount, certificateNumber: 'UG/2020/003' } }

  test('has a summary that states the outcome of each certificate', () => {
    const reply = toStatusReply(makePaymentView(first, second, third), SITE_URL)
    expect(reply).toMatchObject({
      status: 'paid',
      verification_status: 'success',
      message: '1 of 3 certificates verified. 1 not found in database. Your payment for 1 will be refunded.',
      resolution: 'verified',
      certificate_number: 'UG/2020/001',
      certificate: null,
      letter: null,
      verification_template: null,
      authentication_date: '2026-01-15T12:01:00.000Z',
    })
    expect(reply.items.map(item => [item.certificate_number, item.resolution, item.amount])).toEqual([
      ['UG/2020/001', 'verified', 2500],
      ['UG/2020/002', 'not_found', 2500],
      ['UG/2020/003', 'refund_due', 2500],
    ])
  })

  test('has a summary without results that no certificate has', () => {
    expect(toStatusReply(makePaymentView(first, first), SITE_URL).message).toBe(
      '2 of 2 certificates verified.',
    )
    expect(toStatusReply(makePaymentView(second, second), SITE_URL)).toMatchObject({
      verification_status: 'not_found',
      message: '0 of 2 certificates verified. 2 not found in database.',
    })
  })

  test('has one status until it is paid', () => {
    const open = { payment: { status: 'failed' } } as const
    expect(toStatusReply(makePaymentView(open, open), SITE_URL)).toMatchObject({
      status: 'failed',
      code: 'PAYMENT_FAILED',
      verification_status: null,
      authentication_date: null,
    })
  })

  test('can be read for one of the certificates, with that certificate’s own status', () => {
    const seen = makePaymentView(second, first)
    expect(toStatusReply(seen, SITE_URL, 'UG/2020/001')).toMatchObject({
      verification_status: 'success',
      certificate_number: 'UG/2020/001',
      certificate,
      letter: link,
      verification_template: template,
    })
    expect(toStatusReply(seen, SITE_URL, 'UG/2020/002')).toMatchObject({
      verification_status: 'not_found',
      certificate_number: 'UG/2020/002',
      certificate: null,
      letter: null,
    })
  })

  test('has no status for certificates that are not part of it', () => {
    expect(() => toStatusReply(makePaymentView(first, second), SITE_URL, 'UG/2020/009')).toThrow(
      'Certificate not found in our database.',
    )
    expect(() => toStatusReply(makePaymentView(first), SITE_URL, 'UG/2020/009')).toThrow()
  })
})

describe('anyone with the transaction ID sees', () => {
  test('a summary of delivered items, and only the amounts of the payment', () => {
    expect(toPublicReply(makePaymentView(delivered), 'full')).toEqual({
      status: 'paid',
      verification_status: 'success',
      message: 'Certificate verified successfully.',
      resolution: 'verified',
      refund_due: 0,
      refunded: 0,
      refund_currency: 'NGN',
      payment_reference: 'CV1',
      amount_paid: 5000,
      currency: 'NGN',
      certificate_number: 'UG/2020/001',
      bpms_status: 'APPROVED',
      certificate: summary,
      items: [{ certificate_number: 'UG/2020/001', verification_status: 'success', certificate: summary }],
    })
  })

  test('nothing about the certificate under the policy "status"', () => {
    const reply = toPublicReply(makePaymentView(delivered, delivered), 'status')
    expect(reply).toMatchObject({ verification_status: 'success', certificate: null })
    expect(reply.items.map(item => item.certificate)).toEqual([null, null])
    expect(toPublicReply(makePaymentView(delivered), 'status').certificate).toBeNull()
  })

  test('the number of each of several certificates', () => {
    const other = { ...missed, payment: paid, item: { certificateNumber: 'UG/2020/002' } }
    const reply = toPublicReply(makePaymentView(delivered, other), 'full')
    expect(reply).toMatchObject({
      message: '1 of 2 certificates verified. 1 not found in database.',
      certificate: null,
      items: [
        { certificate_number: 'UG/2020/001', certificate: summary },
        { certificate_number: 'UG/2020/002', verification_status: 'not_found', certificate: null },
      ],
    })
  })

  test('the code of a failure, and no code otherwise', () => {
    expect(toPublicReply(makePaymentView({ payment: { status: 'cancelled' } }), 'full').code).toBe(
      'PAYMENT_CANCELLED',
    )
    expect(toPublicReply(makePaymentView({}), 'full')).not.toHaveProperty('code')
  })
})

test('a payment has the result “not found” if that part was kept and the rest refunded', () => {
  const part = (outcome: 'not_found' | 'refund_due') =>
    makeItemView({
      payment: { ...paid, amountMinor: 1_000_000, amountPaidMinor: 1_000_000, resolution: 'refund_due' },
      fulfilment: { outcome, certificateId: null, at: PAID_AT },
      isRefunded: outcome === 'refund_due',
    })
  const views = [part('not_found'), part('refund_due')] as const
  const refunds = { outstandingMinor: 0, refundedMinor: 500_000, currency: 'NGN' }
  expect(toPublicReply({ views, refunds }, 'full')).toMatchObject({
    message: '0 of 2 certificates verified. 1 not found in database. Your payment for 1 was refunded.',
    resolution: 'not_found',
  })
})

test('a payment for one certificate has a refund due until all of it is refunded, including an overpayment', () => {
  const seen = makeItemView({
    payment: { ...paid, amountPaidMinor: 600_000, resolution: 'refund_due' },
    fulfilment: { outcome: 'refund_due', certificateId: null, at: PAID_AT },
    isRefunded: true,
  })
  expect(statusOfItem(seen).resolution).toBe('refund_due')
})

test('a certificate of a bulk payment shows its part of the amount, and a single one shows the whole amount received', () => {
  const item = { certificateNumber: 'UG/2020/001', amountMinor: 500_000 }
  expect(getPaidAmount({ amountMinor: 500_000, amountPaidMinor: 500_001 }, item)).toBe(500_001)
  expect(getPaidAmount({ amountMinor: 1_000_000, amountPaidMinor: 1_000_000 }, item)).toBe(500_000)
  expect(getPaidAmount({ amountMinor: 1_000_000, amountPaidMinor: 1_000_100 }, item)).toBe(500_000)
  expect(getPaidAmount({ amountMinor: 1_000_000, amountPaidMinor: 999_900 }, item)).toBeNull()
  expect(getPaidAmount({ amountMinor: 500_000, amountPaidMinor: 499_900 }, item)).toBe(499_900)
  expect(getPaidAmount({ amountMinor: 1_000_000, amountPaidMinor: null }, item)).toBeNull()
  expect(getPaidAmount({ amountMinor: 500_000, amountPaidMinor: null }, item)).toBeNull()
})

describe('a row of the history', () => {
  const row = (changes: Changes, held: Partial<Record<string, unknown>> = {}): ListedPaymentItem => {
    const { item, letter: letterData, ...rest } = makeItemView(changes)
    // A page of the history also reads how often a letter was checked.
    return {
      ...rest,
      item: { ...item, id: 'i1', createdAt: STARTED_AT } as ListedPaymentItem['item'],
      letter:
        letterData &&
        ({
          ...letterData,
          letter: { ...letterData.letter, ...held },
        } as unknown as ListedPaymentItem['letter']),
      itemCount: 1,
    }
  }

  test('shows what was delivered, when, for how much, and how often its letter was checked', () => {
    expect(toHistoryRecord(row(delivered, { checks: 3, lastCheckedAt: PAID_AT }), SITE_URL)).toEqual({
      id: 'i1',
      certificate_number: 'UG/2020/001',
      authenticated_at: '2026-01-15T12:01:00.000Z',
      authentication_result: 'success',
      payment_status: 'paid',
      resolution: 'verified',
      amount_paid: 5000,
      currency: 'NGN',
      payment_reference: 'CV1',
      bpms_transaction_id: 'CVF1',
      payment_items: 1,
      certificate_details: summary,
      letter: { ...link, checks: 3, last_checked_at: '2026-01-15T12:01:00.000Z' },
    })
  })

  test.each<[Changes, string, string]>([
    [{}, 'pending', '2026-01-15T12:00:00.000Z'],
    [{ payment: { status: 'failed' } }, 'failed', '2026-01-15T12:00:00.000Z'],
    [missed, 'failed', '2026-01-15T12:01:00.000Z'],
  ])('does not show a certificate for a payment without a delivery: %#', (changes, result, at) => {
    expect(toHistoryRecord(row({ certificate: null, letter, ...changes }), SITE_URL)).toMatchObject({
      authentication_result: result,
      authenticated_at: at,
      certificate_details: null,
      letter: null,
    })
  })

  test('shows why a payment failed', () => {
    expect(toHistoryRecord(row({ payment: { status: 'expired' } }), SITE_URL).code).toBe('PAYMENT_TIMEOUT')
    expect(toHistoryRecord(row({}), SITE_URL)).not.toHaveProperty('code')
  })

  test('shows neither certificate nor letter of a reversed payment', () => {
    const reversed = { ...delivered, payment: { ...paid, status: 'reversed' as const } }
    expect(toHistoryRecord(row(reversed), SITE_URL)).toMatchObject({
      certificate_details: null,
      letter: null,
    })
  })
})
