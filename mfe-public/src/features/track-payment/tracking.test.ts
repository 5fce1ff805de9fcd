import type { PublicStatusReply } from '@portal/contract/verification'
import { describe, expect, it } from 'vitest'
import { initialState, type TrackingEvent, type TrackingState, trackingReducer } from './tracking.ts'

const makeReply = (change: Partial<PublicStatusReply> = {}): PublicStatusReply => ({
  status: 'pending',
  payment_reference: 'CVP000000000001',
  amount_paid: 5000,
  currency: 'NGN',
  certificate_number: 'UG/2019/00123',
  bpms_status: 'PENDING',
  verification_status: null,
  message: 'Waiting.',
  resolution: null,
  refund_due: 0,
  refunded: 0,
  refund_currency: 'NGN',
  certificate: null,
  items: [],
  ...change,
})

const stateAfter = (...events: TrackingEvent[]) => events.reduce<TrackingState>(trackingReducer, initialState)
const id = 'CVF0123456789ABCDEFGHJKM'
const submitted = { type: 'submitted', id } as const
const answered = { type: 'answered', id, reply: makeReply() } as const
const refused = { type: 'refused', id, text: 'No.' } as const

describe('tracking', () => {
  it('reports that an ID is required', { tags: ['SPEC-5.10'] }, () => {
    expect(stateAfter({ type: 'submitted', id: '' })).toEqual({
      step: 'input',
      error: 'Please enter a transaction ID.',
    })
  })

  it('goes from the input through loading to the result', { tags: ['SPEC-2.45'] }, () => {
    expect(stateAfter(submitted)).toEqual({ step: 'loading', id })
    expect(stateAfter(submitted, answered)).toMatchObject({ step: 'result', id, notice: undefined })
  })

  it('returns to the input with the error if a request fails, and shows it until the ID is edited', {
    tags: ['SPEC-4.22'],
  }, () => {
    expect(stateAfter(submitted, refused)).toEqual({ step: 'input', error: 'No.' })
    expect(stateAfter(submitted, refused, { type: 'edited' })).toEqual(initialState)
  })

  it('refreshes while the result is shown, and reports the refresh', { tags: ['SPEC-8.11'] }, () => {
    expect(stateAfter(submitted, answered, { type: 'refreshStarted' })).toMatchObject({
      step: 'result',
      refreshing: true,
    })
    const paid = { ...answered, reply: makeReply({ status: 'paid' }) }
    expect(stateAfter(submitted, answered, { type: 'refreshStarted' }, paid)).toMatchObject({
      step: 'result',
      refreshing: false,
      reply: { status: 'paid' },
      notice: { tone: 'success', text: 'Payment status refreshed successfully.' },
    })
  })

  it('keeps the result if a refresh fails, and shows the reason', { tags: ['SPEC-4.22'] }, () => {
    expect(stateAfter(submitted, answered, { type: 'refreshStarted' }, refused)).toMatchObject({
      step: 'result',
      refreshing: false,
      reply: { status: 'pending' },
      notice: { tone: 'danger', text: 'No.' },
    })
  })

  it('ignores responses that arrive after a restart or for another ID', () => {
    expect(stateAfter(submitted, { type: 'restarted' }, answered)).toEqual(initialState)
    expect(stateAfter(submitted, { ...answered, id: 'CVFOTHER' })).toEqual({ step: 'loading', id })
    expect(stateAfter(submitted, answered, { type: 'restarted' })).toEqual(initialState)
  })
})
