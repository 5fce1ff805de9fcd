import { normaliseCertificateNumber } from '@portal/contract/certificate-number'
import { useLocation } from '@portal/router'
import { useSession } from '@portal/session/store'
import { useReducer, useState } from 'react'
import { chooseInitialState } from './choose-initial-state.ts'
import { type FlowAction, type FlowState, flowReducer } from './flow.ts'
import { useStepHistory } from './history-entry.ts'
import { continueHere } from './payment-window.ts'
import { clearPersistedNumber, persistNumber } from './persisted-number.ts'
import { useUnfinishedStep } from './unfinished-step.ts'
import { useRequests } from './use-requests.ts'
import { useStatus } from './use-status.ts'

export interface VerifyFlow {
  state: FlowState
  dispatch: (action: FlowAction) => void
  /** True once the user has moved from one step to another; after that, each step takes the focus. */
  moved: boolean
  /** Submits the number. A visitor without a session is asked to log in first. */
  submitNumber: () => void
  /** Opens the payment window. Must be called directly in a click handler. */
  openGateway: () => void
  /** True if the user can pay in this tab, because the payment window was blocked or is not supported. */
  canPayInThisTab: boolean
  /** Opens the gateway in this tab. After the payment, the gateway sends the user back here. */
  continueHere: () => void
  /** At the confirm step, completes a verification that is free of charge; opens no payment window. */
  verifyFree: () => void
  checkNow: () => void
  /** The number whose result this page showed before a reload or navigation; null if there is none. */
  earlierNumber: string | null
  /** Shows the result for `earlierNumber` again. */
  reopen: () => void
  /** Stops offering the result for `earlierNumber`. */
  dismissEarlierResult: () => void
  /** The number of a verification that the user left before payment; undefined if there is none. */
  unfinishedNumber: string | undefined
  /** Continues the unfinished verification. */
  continueAttempt: () => void
  dismissUnfinished: () => void
  /** Returns to the input step with an empty field, and closes the payment window. */
  startOver: () => void
  /** Fetches the letter again after it has been replaced. */
  refreshLetter: () => void
  /** Returns to the input step with the same number, after a payment that was refunded or is due for a refund. */
  payAgain: () => void
  /** Returns to the input step with the suggested number. */
  takeSuggestion: (number: string) => void
}

/** Connects the flow to API calls, the payment window and storage. `onNeedLogin` is called with the typed number. */
export function useVerifyFlow(onNeedLogin?: (number: string) => void): VerifyFlow {
  const userId = useSession(session => (session.token ? session.user?.id : undefined))
  const locationState: unknown = useLocation().state
  const [state, dispatch] = useReducer(flowReducer, { userId, locationState }, chooseInitialState)
  const { storedResult, dropResult } = useStepHistory(userId, state, dispatch)
  const unfinished = useUnfinishedStep(userId, state)
  const status = useStatus({ state, dispatch, userId })
  const { check, startPayment } = useRequests({ state, dispatch, userId, status })

  const [firstStep] = useState(state.step)
  const [moved, setMoved] = useState(false)
  if (!moved && state.step !== firstStep) setMoved(true)

  function leave(action: FlowAction) {
    status.abandon()
    clearPersistedNumber()
    dropResult()
    dispatch(action)
  }

  return {
    state,
    dispatch,
    moved,
    submitNumber: () => {
      const number = normaliseCertificateNumber(state.number)
      dispatch({ type: 'typed', value: number })
      if (userId) void check(number)
      else {
        persistNumber(number, true)
        onNeedLogin?.(number)
      }
    },
    openGateway: () => {
      if (state.step !== 'payment' && state.step !== 'waiting') return
      const paymentWindow = status.popup.open()
      if (paymentWindow) void startPayment(isCertificateKnown(state), paymentWindow)
      else dispatch({ type: 'popupBlocked' })
    },
    canPayInThisTab: status.popup.isBlocked,
    continueHere: () => {
      if (state.step === 'waiting' && state.target)
        return continueHere(window, state.target, state.payment.transactionId)
      if (state.step === 'payment' || state.step === 'waiting')
        void startPayment(isCertificateKnown(state), null, true)
    },
    verifyFree: () => {
      if (state.step === 'confirm') void startPayment(state.certificateKnown, null)
    },
    checkNow: status.checkNow,
    earlierNumber: state.step === 'input' && storedResult ? storedResult.number : null,
    reopen: () => {
      if (!storedResult) return
      dispatch({ type: 'reopen', number: storedResult.number })
      void status.reopen(storedResult.transactionId, storedResult.number)
    },
    dismissEarlierResult: dropResult,
    unfinishedNumber: unfinished.offered?.number,
    continueAttempt: () => {
      if (unfinished.offered) dispatch({ type: 'stepRestored', ...unfinished.offered })
    },
    dismissUnfinished: unfinished.discard,
    refreshLetter: () => {
      if (state.step === 'result' && state.result.transactionId)
        void status.fetchLetter(state.result.transactionId, state.number.trim())
    },
    startOver: () => leave({ type: 'reset' }),
    payAgain: () => leave({ type: 'editNumber' }),
    takeSuggestion: number => leave({ type: 'suggested', number }),
  }
}

/** True if the certificate was found before the payment. */
const isCertificateKnown = (state: Extract<FlowState, { step: 'payment' | 'waiting' }>) =>
  state.step === 'payment' ? state.certificateKnown : state.payment.certificateKnown
