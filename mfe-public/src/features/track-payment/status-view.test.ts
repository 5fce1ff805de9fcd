import { describe, expect, it } from 'vitest'
import { buildStatusView, type TrackedStatus } from './status-view.ts'

const certificate = {
  student_name: 'Adaeze Okonkwo',
  course: 'Computer Science',
  graduation_date: '2019-07-12',
  grade: 'Second Class Honours (Upper Division)',
}

function makeReply(change: Partial<TrackedStatus>): TrackedStatus {
  return {
    status: 'pending',
    payment_reference: 'CVP000000000001',
    amount_paid: 5000,
    currency: 'NGN',
    certificate_number: 'UG/2019/00123',
    bpms_status: 'PENDING',
    verification_status: null,
    message: '',
    resolution: null,
    refund_due: 0,
    refunded: 0,
    refund_currency: 'NGN',
    certificate: null,
    items: [],
    ...change,
  }
}

describe('buildStatusView', () => {
  it('shows the certificate if it was paid for and found', { tags: ['SPEC-4.23'] }, () => {
    const view = buildStatusView(makeReply({ status: 'paid', verification_status: 'success', certificate }))
    expect(view).toMatchObject({
      display: { label: 'Payment Successful', tone: 'success', icon: 'tick' },
      certificate,
    })
    expect(view.warning).toBeUndefined()
  })

  it('shows no certificate if the response contains none', () => {
    expect(
      buildStatusView(makeReply({ status: 'paid', verification_status: 'success' })).certificate,
    ).toBeUndefined()
  })

  it('shows no certificate unless the payment is paid and the verification succeeded', () => {
    expect(buildStatusView(makeReply({ status: 'pending', certificate })).certificate).toBeUndefined()
    expect(
      buildStatusView(makeReply({ status: 'paid', verification_status: 'not_found', certificate }))
        .certificate,
    ).toBeUndefined()
  })

  it('warns if a payment was received but the certificate was not found', { tags: ['SPEC-4.23'] }, () => {
    const view = buildStatusView(makeReply({ status: 'paid', verification_status: 'not_found' }))
    expect(view.display.label).toBe('Payment Successful')
    expect(view.warning).toMatch(/payment was successful.*certificate was not found.*contact support/i)
  })

  it('shows the reason for a failure, or a default text if the server sends none', {
    tags: ['SPEC-4.23'],
  }, () => {
    expect(buildStatusView(makeReply({ status: 'failed', message: 'Card was declined.' })).message).toBe(
      'Card was declined.',
    )
    expect(buildStatusView(makeReply({ status: 'failed' }))).toMatchObject({
      display: { label: 'Payment Failed', tone: 'danger' },
      message: 'Your payment could not be processed. You can try again or contact support.',
    })
  })

  it('explains that a pending payment takes a few minutes', { tags: ['SPEC-4.23'] }, () => {
    expect(buildStatusView(makeReply({}))).toMatchObject({
      display: { label: 'Payment Pending', tone: 'warning' },
      message: 'Your payment is being processed. This usually takes a few minutes.',
    })
  })

  it('adds a note for payments under review, refunded or reversed', () => {
    const titles = [
      makeReply({ resolution: 'review' }),
      makeReply({ resolution: 'refund_due', refund_due: 4999.99 }),
      makeReply({ resolution: 'refund_due', refund_due: 5000, refund_currency: 'USD' }),
      makeReply({ status: 'paid', verification_status: 'success', resolution: 'verified', refund_due: 0.01 }),
      makeReply({ status: 'paid', verification_status: 'not_found', resolution: 'refunded', refunded: 5000 }),
      makeReply({ status: 'failed', resolution: 'reversed' }),
      makeReply({}),
    ].map(item => buildStatusView(item).note?.title)
    expect(titles).toEqual([
      'Payment under review',
      'Refund due: ₦4,999.99',
      'Refund due: $5,000.00',
      'Refund due: ₦0.01',
      'Refunded: ₦5,000.00',
      'Payment reversed',
      undefined,
    ])
  })

  it('shows no warning about a missing certificate after a refund', () => {
    const view = buildStatusView(
      makeReply({ status: 'paid', verification_status: 'not_found', resolution: 'refunded', refunded: 5000 }),
    )
    expect(view.warning).toBeUndefined()
  })

  it('labels any unknown status as unknown', { tags: ['SPEC-4.23'] }, () => {
    expect(buildStatusView(makeReply({ status: 'refunding' })).display.label).toBe('Unknown Status')
  })
})
