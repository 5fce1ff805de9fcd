import { upperCaseNumber } from '@portal/contract/certificate-number'
import type { CheckReply, InitiationReply } from '@portal/contract/verification'
import { TRY_IN_WINDOW } from '@portal/format/money-note'
import { type OpenPayment, openPaymentOf, type PaymentTarget, targetOf } from './open-payment.ts'
import { type FlowResult, type FlowStatus, notFoundAtStart, resultOfCheck, resultOfStatus } from './result.ts'

export interface FlowAlert {
  tone: 'error' | 'success' | 'info'
  text: string
  /** A further explanation, or the next step. */
  detail?: string
  /** Reference for support. */
  reference?: string
  /** The suggested certificate number. */
  suggestion?: string
}

/** What the flow is waiting for. `reopening` means that a result that was shown earlier on this page is being fetched again. */
export type Busy = 'checking' | 'starting' | 'polling' | 'reopening' | null

interface CommonState {
  /** The typed number in uppercase. */
  number: string
  busy: Busy
  alert: FlowAlert | null
}

/** The five steps (specification, section 4). */
export type FlowState = CommonState &
  (
    | { step: 'input' }
    | { step: 'confirm'; certificateKnown: boolean; suggestion?: string | undefined }
    | { step: 'payment'; certificateKnown: boolean }
    | {
        step: 'waiting'
        payment: OpenPayment
        /** Where the payment window goes; null for a resumed payment. */
        target: PaymentTarget | null
        /** The latest status; null before the first. */
        last: FlowStatus | null
      }
    | { step: 'result'; result: FlowResult }
  )

export type FlowAction =
  | { type: 'typed'; value: string }
  /** The user accepted the suggested number, which leads back to the input step. */
  | { type: 'suggested'; number: string }
  | { type: 'busy'; what: Exclude<Busy, null> }
  | { type: 'checked'; reply: CheckReply }
  | { type: 'checkFailed'; alert: FlowAlert }
  | { type: 'editNumber' }
  /** The user returned to the input step with the browser's Back button. */
  | { type: 'wentBack' }
  | { type: 'proceed' }
  | { type: 'popupBlocked' }
  | { type: 'started'; reply: InitiationReply }
  | { type: 'startFailed'; alert: FlowAlert }
  | { type: 'resumed'; payment: OpenPayment }
  /** The user continues a verification that was left before payment. */
  | { type: 'stepRestored'; number: string; step: 'input' | 'confirm' | 'payment'; certificateKnown: boolean }
  | { type: 'reopen'; number: string }
  /**
   * `windowOpen` means that the payment window is still open, so the payer can try another method in it. `quiet` marks a
   * background check, which does not bring back a dismissed alert.
   */
  | { type: 'status'; reply: FlowStatus; quiet?: boolean; windowOpen?: boolean }
  | { type: 'statusFailed'; alert: FlowAlert; quiet?: boolean }
  | { type: 'letterFailed'; alert: FlowAlert }
  | { type: 'dismissAlert' }
  | { type: 'reset' }

export const POPUP_BLOCKED = 'Popup blocked. Please allow popups and try again.'
const PAYMENT_NOT_DONE = 'Payment failed or was cancelled. Please try again.'
export const STILL_PENDING = 'Payment still pending. Please complete the payment.'

export const initialState = (number = ''): FlowState => ({
  step: 'input',
  number: upperCaseNumber(number),
  busy: null,
  alert: null,
})

const errorAlert = (text: string, detail?: string): FlowAlert => ({
  tone: 'error',
  text,
  ...(detail === undefined ? {} : { detail }),
})

/** Returns the reason for a failed payment. The message counts as a reason only if the reply has an error code. */
function failureDetail(reply: FlowStatus): string | undefined {
  if (reply.resolution === 'reversed') return 'The payment was reversed, so its letter is no longer valid.'
  return reply.code && reply.message
}

/** True if a payment can be started: at the payment step, again at the waiting step, or at the confirm step if the fee is 0. */
const mayStart = (
  state: FlowState,
): state is Extract<FlowState, { step: 'confirm' | 'payment' | 'waiting' }> =>
  state.step === 'confirm' || state.step === 'payment' || state.step === 'waiting'

/** True if the money was or will be refunded, so that the same certificate may be paid for again. */
export const mayPayAgain = (state: FlowState): boolean =>
  (state.step === 'waiting' && state.last?.resolution === 'refund_due') ||
  (state.step === 'result' && state.result.type === 'not_found' && state.result.refunded)

function onStatus(
  state: FlowState,
  { reply, quiet = false, windowOpen = false }: Extract<FlowAction, { type: 'status' }>,
): FlowState {
  if (state.step === 'input' && state.busy === 'reopening') {
    // The payment has since lost its result, e.g. because it was reversed, as the history shows. The user can try the number
    // again.
    if (reply.status !== 'paid') return initialState(state.number)
    return { step: 'result', number: state.number, busy: null, alert: null, result: resultOfStatus(reply) }
  }
  // A late response is ignored, unless the current step still expects one.
  if (state.step === 'result') {
    const isSamePayment =
      state.result.type === 'success' && state.result.transactionId === reply.transaction_id
    if (!isSamePayment || reply.status !== 'paid') return state
    return { ...state, busy: null, result: resultOfStatus(reply, state.result.message) }
  }
  // An attempt that had failed was then paid in a checkout that was still open.
  const isPaidLate =
    state.step === 'payment' && reply.status === 'paid' && reply.certificate_number === state.number.trim()
  const isCurrent = state.step === 'waiting' && state.payment.transactionId === reply.transaction_id
  if (!isPaidLate && !isCurrent) return state

  const { number } = state
  if (reply.status === 'paid') {
    return { step: 'result', number, busy: null, alert: null, result: resultOfStatus(reply) }
  }
  if (!isCurrent) return state
  if (reply.status === 'failed') {
    const detail = failureDetail(reply)
    if (windowOpen && reply.resolution === null) {
      const failure = errorAlert(PAYMENT_NOT_DONE, detail ? `${detail} ${TRY_IN_WINDOW}` : TRY_IN_WINDOW)
      // A background check must not bring back an alert that the user has dismissed.
      const alert = quiet && state.last?.status === 'failed' ? state.alert : failure
      return { ...state, last: reply, busy: null, alert }
    }
    return {
      step: 'payment',
      number,
      certificateKnown: state.payment.certificateKnown,
      busy: null,
      alert: errorAlert(PAYMENT_NOT_DONE, detail),
    }
  }
  // If the payment is under review or a refund is due, the step itself explains what happens next, so do not ask for payment.
  const isResolved = reply.resolution !== null
  const alert = quiet || isResolved ? state.alert : ({ tone: 'info', text: STILL_PENDING } as const)
  return { ...state, last: reply, busy: null, alert }
}

/**
 * State machine of a verification, as a pure reducer. API calls, the payment window and storage dispatch actions to it. Only
 * the server's status decides whether a payment was made.
 */
export function flowReducer(state: FlowState, action: FlowAction): FlowState {
  switch (action.type) {
    case 'typed':
      // Stop being busy: a response that is still to come is about the previous number.
      return state.step === 'input'
        ? { ...state, number: upperCaseNumber(action.value), busy: null, alert: null }
        : state

    case 'suggested':
      return state.step === 'input' || state.step === 'confirm' || state.step === 'result'
        ? initialState(action.number)
        : state

    case 'busy':
      return { ...state, busy: action.what, alert: null }

    case 'checked': {
      if (state.step !== 'input') return state
      const { number } = state
      if (action.reply.status === 'already_paid') {
        return { step: 'result', number, busy: null, alert: null, result: resultOfCheck(action.reply) }
      }
      const { certificate, suggestion } = action.reply
      return {
        step: 'confirm',
        number,
        certificateKnown: certificate !== undefined,
        suggestion,
        busy: null,
        alert: null,
      }
    }

    case 'stepRestored': {
      const { number, step, certificateKnown } = action
      if (state.step === 'result') return state
      return step === 'input'
        ? initialState(number)
        : { step, number, certificateKnown, busy: null, alert: null }
    }

    case 'reopen':
      return state.step === 'input' ? { ...initialState(action.number), busy: 'reopening' } : state

    case 'checkFailed':
      return state.step === 'input' ? { ...state, busy: null, alert: action.alert } : state

    case 'editNumber':
      return state.step === 'confirm' || state.step === 'payment' || mayPayAgain(state)
        ? initialState(state.number)
        : state

    case 'wentBack':
      return initialState(state.number)

    case 'proceed':
      return state.step === 'confirm' ? { ...state, step: 'payment', alert: null } : state

    case 'popupBlocked':
      return state.step === 'payment' || state.step === 'waiting'
        ? { ...state, busy: null, alert: errorAlert(POPUP_BLOCKED) }
        : state

    case 'started': {
      if (!mayStart(state)) return state
      const { number } = state
      const certificateKnown =
        state.step === 'waiting' ? state.payment.certificateKnown : state.certificateKnown
      const { reply } = action
      if (reply.status === 'payment_initiated') {
        const payment = openPaymentOf(reply, number, certificateKnown)
        const target = targetOf(reply)
        return { step: 'waiting', number, busy: null, alert: null, payment, target, last: null }
      }
      const result = reply.status === 'not_found' ? notFoundAtStart(reply, number) : resultOfCheck(reply)
      return { step: 'result', number, busy: null, alert: null, result }
    }

    case 'startFailed':
      return mayStart(state) ? { ...state, busy: null, alert: action.alert } : state

    case 'resumed':
      return state.step !== 'result'
        ? {
            step: 'waiting',
            number: action.payment.certificateNumber,
            busy: null,
            alert: null,
            payment: action.payment,
            target: null,
            last: null,
          }
        : state

    case 'status':
      return onStatus(state, action)

    case 'statusFailed':
      if (state.step !== 'waiting') return state
      return { ...state, busy: null, alert: action.quiet ? state.alert : action.alert }

    case 'letterFailed':
      return state.step === 'result' ? { ...state, busy: null, alert: action.alert } : state

    case 'dismissAlert':
      return { ...state, alert: null }

    case 'reset':
      return initialState()
  }
}
