import type { InitiationReply, StatusReply } from '@portal/contract/verification'
import { describe, expect, test } from 'vitest'
import { type FlowAction, type FlowState, flowReducer, initialState } from './flow.ts'
import { type OpenPayment, targetOf } from './open-payment.ts'
import { statusOf } from './result.ts'

const number = 'UG/2019/00123'
const transactionId = 'CVF0123456789ABCDEFGHJKM'

const initiated: InitiationReply = {
  status: 'payment_initiated',
  payment_url: 'https://gateway.example/entry',
  payment_data: { request_id: 'R1' },
  transaction_id: transactionId,
  payment_reference: 'R1',
  amount_paid: 5000,
  currency: 'NGN',
  expires_at: '2026-01-31T08:25:00.000Z',
}

const payment: OpenPayment = {
  transactionId,
  certificateNumber: number,
  paymentReference: 'R1',
  amount: 5000,
  currency: 'NGN',
  expiresAt: '2026-01-31T08:25:00.000Z',
  certificateKnown: true,
}

const certificate = {
  certificate_number: number,
  student_name: 'Adébáyọ̀ Ọláṣẹ́ńí',
  course: 'B.Sc. Physics',
  graduation_date: '2019-07-31',
  grade: 'First Class',
  department: 'Physics',
}

const makeStatus = (changes: Partial<StatusReply>): StatusReply => ({
  status: 'pending',
  verification_status: null,
  message: 'From the server.',
  resolution: null,
  transaction_id: transactionId,
  certificate_number: number,
  certificate: null,
  payment_reference: 'R1',
  amount_due: 5000,
  amount_paid: null,
  refund_due: 0,
  refunded: 0,
  refund_currency: 'NGN',
  currency: 'NGN',
  bpms_status: 'PENDING',
  initiated_at: '2026-01-31T08:00:00.000Z',
  expires_at: '2026-01-31T08:25:00.000Z',
  paid_at: null,
  authentication_date: null,
  verification_template: null,
  letter: null,
  items: [],
  ...changes,
})

const paid = makeStatus({
  status: 'paid',
  verification_status: 'success',
  resolution: 'verified',
  certificate,
  amount_paid: 5000,
  authentication_date: '2026-01-31T08:05:00.000Z',
})

const alreadyPaid = {
  status: 'already_paid',
  certificate: { certificate_number: number },
  authentication_date: '2026-01-01T00:00:00.000Z',
  transaction_id: transactionId,
} as const

const run = (actions: FlowAction[], from: FlowState = initialState()) => actions.reduce(flowReducer, from)
const typed: FlowAction = { type: 'typed', value: 'ug/2019/00123' }
const confirm = run([
  typed,
  { type: 'busy', what: 'checking' },
  {
    type: 'checked',
    reply: { status: 'payment_required', certificate: { certificate_number: number } },
  },
])
const atPayment = run([{ type: 'proceed' }], confirm)
const waiting = run(
  [
    { type: 'busy', what: 'starting' },
    { type: 'started', reply: initiated },
  ],
  atPayment,
)
const failure = { tone: 'error', text: 'Something failed.' } as const

describe('input', () => {
  test('no longer waits for the check of the previous number when the user types', () => {
    const state = run([typed, { type: 'busy', what: 'checking' }, { type: 'typed', value: 'ug/2019/001234' }])
    expect(state).toMatchObject({ number: 'UG/2019/001234', busy: null })
  })

  test('converts input to uppercase and clears the alert', { tags: ['SPEC-2.14'] }, () => {
    const state = run([{ type: 'checkFailed', alert: failure }, typed])
    expect(state).toMatchObject({ step: 'input', number, alert: null })
  })

  test('goes to confirm if payment is required', { tags: ['SPEC-2.13', 'SPEC-4.1'] }, () => {
    expect(confirm).toEqual({ step: 'confirm', number, certificateKnown: true, busy: null, alert: null })
  })

  test('does not claim that the certificate exists unless the server has confirmed it', () => {
    const state = run([typed, { type: 'checked', reply: { status: 'payment_required' } }])
    expect(state).toMatchObject({ step: 'confirm', certificateKnown: false })
  })

  test('shows the result with its date if the certificate is already paid for', {
    tags: ['SPEC-4.2'],
  }, () => {
    const state = run([typed, { type: 'checked', reply: alreadyPaid }])
    expect(state).toMatchObject({
      step: 'result',
      result: {
        type: 'success',
        message: 'Certificate already verified',
        authenticatedAt: '2026-01-01T00:00:00.000Z',
        verificationTemplate: null,
      },
    })
  })

  test('stays at input and shows the error of a failed check', () => {
    const state = run([typed, { type: 'busy', what: 'checking' }, { type: 'checkFailed', alert: failure }])
    expect(state).toEqual({ step: 'input', number, busy: null, alert: failure })
  })

  test('resumes a stored payment', () => {
    expect(run([{ type: 'resumed', payment }])).toMatchObject({
      step: 'waiting',
      number,
      payment,
      target: null,
      last: null,
    })
  })
})

describe('confirm and payment', () => {
  test('Edit Number returns to the input step and keeps the number', { tags: ['SPEC-4.3'] }, () => {
    expect(run([{ type: 'editNumber' }], confirm)).toEqual(initialState(number))
  })

  test('Proceed to Payment leads to the payment step', () => {
    expect(atPayment).toMatchObject({ step: 'payment', number, busy: null })
  })

  test('stays at payment with a message when the popup is blocked', { tags: ['SPEC-4.11'] }, () => {
    const state = run([{ type: 'popupBlocked' }], atPayment)
    expect(state).toMatchObject({
      step: 'payment',
      alert: { text: 'Popup blocked. Please allow popups and try again.' },
    })
  })

  test('waits once a payment has been started, with the URL and the fields for the payment window', {
    tags: ['SPEC-4.4'],
  }, () => {
    expect(waiting).toMatchObject({
      step: 'waiting',
      payment,
      target: { url: 'https://gateway.example/entry', data: { request_id: 'R1' } },
    })
  })

  test('shows the result if the number is not found when a payment is started', {
    tags: ['SPEC-3.7'],
  }, () => {
    const reply = {
      status: 'not_found',
      message: 'Certificate not found.',
      payment_reference: null,
      amount_paid: null,
    } as const
    expect(run([{ type: 'started', reply }], atPayment)).toMatchObject({
      step: 'result',
      result: { type: 'not_found', message: 'Certificate not found.', amountPaid: null, note: null },
    })
  })

  test('shows the result if the certificate was already paid for when a payment is started', () => {
    const state = run([{ type: 'started', reply: alreadyPaid }], atPayment)
    expect(state).toMatchObject({ step: 'result', result: { message: 'Certificate already verified' } })
  })

  test('goes straight from confirm to the result if there is no fee, and stays at confirm on failure', () => {
    const state = run(
      [
        { type: 'busy', what: 'starting' },
        { type: 'started', reply: alreadyPaid },
      ],
      confirm,
    )
    expect(state).toMatchObject({ step: 'result', result: { type: 'success' } })
    expect(run([{ type: 'startFailed', alert: failure }], confirm)).toMatchObject({
      step: 'confirm',
      alert: failure,
    })
  })

  test('stays at payment with the error if a payment cannot be started', { tags: ['SPEC-4.5'] }, () => {
    const state = run(
      [
        { type: 'busy', what: 'starting' },
        { type: 'startFailed', alert: failure },
      ],
      atPayment,
    )
    expect(state).toMatchObject({ step: 'payment', busy: null, alert: failure })
  })
})

describe('waiting', () => {
  test('shows the result of a paid verification', { tags: ['SPEC-3.7', 'SPEC-4.6'] }, () => {
    expect(run([{ type: 'status', reply: paid }], waiting)).toMatchObject({
      step: 'result',
      result: { type: 'success', message: 'From the server.', certificate, amountPaid: 5000 },
    })
  })

  test.each([
    ['not_found', {}, undefined],
    ['refund_due', { refund_due: 5000 }, 'Refund due: ₦5,000.00'],
  ] as const)('shows a paid verification that was not found (%s)', (resolution, money, title) => {
    const reply = makeStatus({
      status: 'paid',
      verification_status: 'not_found',
      resolution,
      amount_paid: 5000,
      ...money,
    })
    const state = run([{ type: 'status', reply }], waiting)
    expect(state).toMatchObject({
      step: 'result',
      result: {
        type: 'not_found',
        refunded: false,
        message: 'Payment completed but certificate not found in database',
        paymentReference: 'R1',
        amountPaid: 5000,
      },
    })
    expect(state.step === 'result' && state.result.note?.title).toBe(title)
  })

  test('reveals nothing about the certificate after a refund, and allows another payment', () => {
    const reply = makeStatus({
      status: 'paid',
      verification_status: 'not_found',
      resolution: 'refunded',
      refunded: 4999.99,
    })
    const refunded = run([{ type: 'status', reply }], waiting)
    expect(refunded).toMatchObject({
      result: {
        type: 'not_found',
        refunded: true,
        message: 'From the server.',
        note: { title: 'Refunded: ₦4,999.99' },
      },
    })
    expect(run([{ type: 'editNumber' }], refunded)).toEqual(initialState(number))
  })

  test('shows the certificate and the refund due after an overpayment', () => {
    const state = run([{ type: 'status', reply: { ...paid, refund_due: 0.01 } }], waiting)
    expect(state).toMatchObject({ result: { type: 'success', note: { title: 'Refund due: ₦0.01' } } })
  })

  test('allows a new payment while a refund is due, but not while the payment is under review', () => {
    const afterResolution = (resolution: 'refund_due' | 'review') =>
      run([{ type: 'status', reply: makeStatus({ resolution }) }, { type: 'editNumber' }], waiting)
    expect(afterResolution('refund_due')).toEqual(initialState(number))
    expect(afterResolution('review').step).toBe('waiting')
  })

  test('returns to payment with the reason for a failure', () => {
    const message = 'Insufficient funds. Please check your account balance.'
    const reply = makeStatus({ status: 'failed', code: 'INSUFFICIENT_FUNDS', message })
    expect(run([{ type: 'status', reply }], waiting)).toEqual({
      step: 'payment',
      number,
      certificateKnown: true,
      busy: null,
      alert: {
        tone: 'error',
        text: 'Payment failed or was cancelled. Please try again.',
        detail: message,
      },
    })
  })

  test('shows a default text for a failure without a reason, and explains a reversal', () => {
    expect(run([{ type: 'status', reply: makeStatus({ status: 'failed' }) }], waiting).alert).toEqual({
      tone: 'error',
      text: 'Payment failed or was cancelled. Please try again.',
    })
    const reversed = makeStatus({ status: 'failed', resolution: 'reversed' })
    expect(run([{ type: 'status', reply: reversed }], waiting).alert?.detail).toContain('reversed')
  })

  test('reports that the payment is pending only if the user has checked the status', () => {
    const reply = makeStatus({})
    expect(run([{ type: 'status', reply }], waiting)).toMatchObject({
      step: 'waiting',
      last: reply,
      alert: { tone: 'info', text: 'Payment still pending. Please complete the payment.' },
    })
    expect(run([{ type: 'status', reply, quiet: true }], waiting).alert).toBeNull()
  })

  test.each(['review', 'refund_due'] as const)(
    'does not ask the user to complete a payment in the state %s',
    resolution => {
      const reply = makeStatus({ resolution })
      expect(run([{ type: 'status', reply }], waiting)).toMatchObject({
        step: 'waiting',
        last: reply,
        alert: null,
      })
    },
  )

  test('keeps waiting after a failed check, without an alert if it ran in the background', () => {
    expect(run([{ type: 'statusFailed', alert: failure }], waiting)).toMatchObject({
      step: 'waiting',
      alert: failure,
    })
    expect(run([{ type: 'statusFailed', alert: failure, quiet: true }], waiting).alert).toBeNull()
  })

  test('ignores a response about another payment', () => {
    const reply = { ...paid, transaction_id: 'CVFOTHER' }
    expect(run([{ type: 'status', reply }], waiting)).toBe(waiting)
  })

  test('shows the result of a status that has only the specification’s fields', () => {
    const specifiedReply = {
      status: 'paid',
      verification_status: 'success',
      message: 'From the server.',
      certificate,
      payment_reference: 'R1',
      amount_paid: 5000,
      currency: 'NGN',
      verification_template: null,
    } as const
    const reply = statusOf(specifiedReply, transactionId, number)
    expect(run([{ type: 'status', reply }], waiting)).toMatchObject({
      step: 'result',
      result: { type: 'success', certificate, transactionId, letter: null, note: null },
    })
  })

  test('uses the payment attempt that the server returns when the window is opened again', () => {
    const state = run([{ type: 'started', reply: { ...initiated, transaction_id: 'CVFNEW' } }], waiting)
    expect(state).toMatchObject({
      step: 'waiting',
      payment: { transactionId: 'CVFNEW', certificateKnown: true },
    })
  })
})

describe('result', () => {
  const result = run([{ type: 'status', reply: paid }], waiting)

  test('keeps the message of an earlier verification when its letter arrives', () => {
    const earlierResult = run([typed, { type: 'checked', reply: alreadyPaid }])
    const state = run([{ type: 'status', reply: paid }], earlierResult)
    expect(state).toMatchObject({ result: { message: 'Certificate already verified', certificate } })
  })

  test('Verify Another Certificate resets everything', { tags: ['SPEC-2.20'] }, () => {
    expect(run([{ type: 'reset' }], result)).toEqual(initialState())
  })

  test('ignores responses and actions of earlier steps', () => {
    for (const action of [
      { type: 'started', reply: initiated },
      { type: 'statusFailed', alert: failure },
      { type: 'popupBlocked' },
      { type: 'proceed' },
      { type: 'editNumber' },
      typed,
    ] satisfies FlowAction[]) {
      expect(run([action], result)).toBe(result)
    }
  })
})

describe('reopening a result', () => {
  const reopening = run([{ type: 'reopen', number }])

  test('restores the result', () => {
    const originalResult = run([{ type: 'status', reply: paid }], waiting)
    expect(run([{ type: 'status', reply: paid, quiet: true }], reopening)).toEqual(originalResult)
  })

  test.each(['failed', 'pending'] as const)(
    'returns to input with the number if its payment is now %s',
    currentStatus => {
      const reply = makeStatus({ status: currentStatus })
      expect(run([{ type: 'status', reply, quiet: true }], reopening)).toEqual(initialState(number))
    },
  )

  test('keeps the number and shows the error if the result cannot be fetched', () => {
    const state = run([{ type: 'checkFailed', alert: failure }], reopening)
    expect(state).toEqual({ ...initialState(number), alert: failure })
  })

  test('ignores the response once the number has been edited', () => {
    const state = run([{ type: 'status', reply: paid }], initialState(number))
    expect(state).toEqual(initialState(number))
  })
})

test('returns a target without form fields if the payment has none', () => {
  expect(targetOf(initiated)).toEqual({ url: initiated.payment_url, data: initiated.payment_data })
  const withoutFields = { ...initiated, payment_data: null } as unknown as typeof initiated
  expect(targetOf(withoutFields)).toEqual({ url: initiated.payment_url, data: {} })
})

test('shows the result without a letter if its template is incomplete', () => {
  const waiting: FlowState = {
    step: 'waiting',
    number,
    busy: null,
    alert: null,
    payment,
    target: null,
    last: null,
  }
  const verification_template = { subject: 'VERIFICATION' } as unknown as StatusReply['verification_template']
  const paid = { status: 'paid', verification_status: 'success', certificate, verification_template } as const
  expect(flowReducer(waiting, { type: 'status', reply: makeStatus(paid) })).toMatchObject({
    step: 'result',
    result: { type: 'success', certificate, verificationTemplate: null },
  })
})

test('lets the user dismiss an alert', { tags: ['SPEC-2.13'] }, () => {
  expect(run([{ type: 'popupBlocked' }, { type: 'dismissAlert' }], atPayment).alert).toBeNull()
})

describe('a failure while the payment window is open', () => {
  const failed = makeStatus({ status: 'failed', code: 'INSUFFICIENT_FUNDS', message: 'Insufficient funds.' })
  const makeStatusAction = (reply: StatusReply, windowOpen: boolean): FlowAction => ({
    type: 'status',
    reply: statusOf(reply, transactionId, number),
    quiet: true,
    windowOpen,
  })

  test('is shown, and the result still appears if the attempt is then paid', () => {
    const alerted = run([makeStatusAction(failed, true)], waiting)
    expect(alerted).toMatchObject({
      step: 'waiting',
      alert: {
        tone: 'error',
        text: 'Payment failed or was cancelled. Please try again.',
        detail: expect.stringMatching(/^Insufficient funds\. .*still open/),
      },
    })
    expect(run([makeStatusAction(failed, true), makeStatusAction(paid, true)], alerted).step).toBe('result')
  })

  test('stays dismissed until the user checks the status, although background checks repeat it', () => {
    const dismissed = run([makeStatusAction(failed, true), { type: 'dismissAlert' }], waiting)
    expect(run([makeStatusAction(failed, true)], dismissed).alert).toBeNull()
    const manualCheck: FlowAction = { ...makeStatusAction(failed, true), quiet: false } as FlowAction
    expect(run([manualCheck], dismissed).alert).toMatchObject({ tone: 'error' })
  })

  test('leads back to payment once the window is closed, but a late payment still leads to the result', () => {
    const ended = run([makeStatusAction(failed, true), makeStatusAction(failed, false)], waiting)
    expect(ended).toMatchObject({ step: 'payment', alert: { tone: 'error' } })
    expect(run([makeStatusAction(failed, false)], ended)).toBe(ended)
    expect(run([makeStatusAction(paid, false)], ended).step).toBe('result')
  })

  test('leads back to payment immediately if the payment was reversed', () => {
    const reversed = makeStatus({ status: 'failed', resolution: 'reversed' })
    const ended = run([makeStatusAction(reversed, true)], waiting)
    expect(ended).toMatchObject({ step: 'payment' })
  })
})
