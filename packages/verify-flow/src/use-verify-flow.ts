import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import { normaliseCertificateNumber } from '@portal/contract/certificate-number'
import { useLocation } from '@portal/router'
import { useSession } from '@portal/session/store'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { alertOf, isNotFound, mayRetry } from './alert-of.ts'
import {
  checkCertificate,
  history,
  notifications,
  processPayment,
  statistics,
  verificationStatus,
} from './endpoints.ts'
import { firstState } from './first-state.ts'
import { type FlowAction, type FlowState, flow } from './flow.ts'
import { useStepHistory } from './history-entry.ts'
import { type OpenPayment, openPaymentOf, targetOf } from './open-payment.ts'
import {
  continueHere,
  isInAppBrowser,
  openPaymentWindow,
  type PaymentWindow,
  watchPaymentWindow,
} from './payment-window.ts'
import { forgetPayment, savePayment } from './pending-payment.ts'
import { clearPersistedNumber, persistNumber } from './persisted-number.ts'
import { statusOf } from './result.ts'
import { callWithRetries } from './status-poll.ts'
import { useUnfinishedStep } from './unfinished-step.ts'
import { useBackgroundChecks } from './use-background-checks.ts'

export interface VerifyFlow {
  state: FlowState
  dispatch: (action: FlowAction) => void
  /** The user moved between steps: the next one takes the focus. */
  moved: boolean
  /** Submits the number; a visitor without a session is asked to log in first. */
  submitNumber: () => void
  /** Opens the payment window; call it directly in a click handler. */
  openGateway: () => void
  /** The window was blocked or is not supported: payment can continue in this tab. */
  offersThisTab: boolean
  /** Sends this tab to the gateway, which leads back here. */
  continueHere: () => void
  /** Without a fee, continues from confirm without a window. */
  verifyFree: () => void
  checkNow: () => void
  /** The number whose result was on this page before a reload or navigation; null for none. */
  left: string | null
  /** Shows that result again. */
  reopen: () => void
  /** Dismisses the offer. */
  dropLeft: () => void
  /** The number of a verification left before its payment; undefined for none. */
  unfinished: string | undefined
  /** Continues it. */
  continueAttempt: () => void
  dropUnfinished: () => void
  /** Returns to an empty field and closes the payment window. */
  startOver: () => void
  /** Fetches the letter again after it was replaced. */
  refreshLetter: () => void
  /** Returns to the input step with the same number, after a payment without a result. */
  payAgain: () => void
  /** Returns to the input step with the suggested number. */
  takeSuggestion: (number: string) => void
}

/** Connects the flow to calls, the payment window and storage. `onNeedLogin` gets the number typed. */
export function useVerifyFlow(onNeedLogin?: (number: string) => void): VerifyFlow {
  const userId = useSession(session => (session.token ? session.user?.id : undefined))
  const location: unknown = useLocation().state
  const [state, dispatch] = useReducer(flow, { userId, location }, firstState)
  const { kept, drop } = useStepHistory(userId, state, dispatch)
  const unfinished = useUnfinishedStep(userId, state)
  const latest = useRef(state)
  latest.current = state
  const queries = useQueryClient()
  const popup = useRef<PaymentWindow | null>(null)
  // Counts windows, so that the effect below follows each new one.
  const [windows, setWindows] = useState(0)
  const asking = useRef<AbortController | null>(null)

  const [firstStep] = useState(state.step)
  const [moved, setMoved] = useState(false)
  if (!moved && state.step !== firstStep) setMoved(true)

  const [isBlocked, setBlocked] = useState(() => isInAppBrowser(navigator.userAgent))

  /** The latest failed attempt: until it expires, its checkout may still be open and be paid. */
  const [failed, setFailed] = useState<OpenPayment | null>(null)

  const payment =
    state.step === 'waiting'
      ? state.payment
      : state.step === 'payment' && failed?.certificateNumber === state.number.trim()
        ? failed
        : undefined
  const transactionId = payment?.transactionId ?? null
  const forget = (id: string) => {
    if (userId) forgetPayment(userId, id)
  }

  const closePopup = () => {
    popup.current?.close()
    popup.current = null
  }

  async function ask(id: string, number: string, onFailure: (error: unknown) => FlowAction, quiet: boolean) {
    asking.current?.abort()
    const controller = new AbortController()
    asking.current = controller
    if (!quiet) dispatch({ type: 'busy', what: 'polling' })
    try {
      const answer = await callWithRetries(
        // A bulk payment has one response per number.
        signal => call(verificationStatus, { params: { id }, query: { certificate_number: number }, signal }),
        controller.signal,
        mayRetry,
      )
      const reply = statusOf(answer, id, number)
      const windowOpen = popup.current !== null && !popup.current.isLeft()
      const isFailed = reply.status === 'failed' && !windowOpen && state.step !== 'payment'
      if (isFailed && state.step === 'waiting') setFailed(reply.resolution === null ? state.payment : null)
      if (reply.status === 'paid' || isFailed) {
        forget(id)
        closePopup()
        for (const route of [history, statistics, notifications])
          queries.invalidateQueries({ queryKey: queryKey(route) })
      }
      dispatch({ type: 'status', reply, quiet, windowOpen })
    } catch (error) {
      if (controller.signal.aborted) return
      if (isNotFound(error)) forget(id)
      dispatch(onFailure(error))
    } finally {
      if (asking.current === controller) asking.current = null
    }
  }

  const checkStatus = (quiet: boolean) => {
    if (!transactionId || (quiet && asking.current)) return
    void ask(
      transactionId,
      state.number.trim(),
      error =>
        isNotFound(error) && quiet
          ? { type: 'reset' }
          : { type: 'statusFailed', alert: alertOf(error), quiet },
      quiet,
    )
  }

  const fetchLetter = (id: string, number: string) =>
    ask(
      id,
      number,
      () => ({
        type: 'letterFailed',
        alert: { tone: 'error', text: 'Failed to load verification template.' },
      }),
      false,
    )

  async function check(number: string) {
    dispatch({ type: 'busy', what: 'checking' })
    // Ignore a response about a number that is no longer in the field.
    const typedOn = () => latest.current.number !== number || latest.current.busy !== 'checking'
    try {
      const reply = await call(checkCertificate, { body: { certificate_number: number } })
      if (typedOn()) return
      clearPersistedNumber()
      dispatch({ type: 'checked', reply })
      if (reply.status === 'already_paid' && reply.transaction_id)
        await fetchLetter(reply.transaction_id, number)
    } catch (error) {
      if (!typedOn()) dispatch({ type: 'checkFailed', alert: alertOf(error) })
    }
  }

  async function startPayment(
    number: string,
    certificateKnown: boolean,
    opened: PaymentWindow | null,
    inThisTab = false,
  ) {
    dispatch({ type: 'busy', what: 'starting' })
    try {
      const reply = await call(processPayment, { body: { certificate_number: number } })
      if (reply.status === 'payment_initiated') {
        if (userId) savePayment(userId, openPaymentOf(reply, number, certificateKnown))
        if (opened && !opened.isClosed()) opened.send(targetOf(reply))
      } else {
        closePopup()
      }
      dispatch({ type: 'started', reply })
      if (inThisTab && reply.status === 'payment_initiated')
        continueHere(window, targetOf(reply), reply.transaction_id)
      if (reply.status === 'already_paid' && reply.transaction_id)
        await fetchLetter(reply.transaction_id, number)
    } catch (error) {
      closePopup()
      dispatch({ type: 'startFailed', alert: alertOf(error) })
    }
  }

  function leave(action: FlowAction) {
    asking.current?.abort()
    if (transactionId) forget(transactionId)
    closePopup()
    clearPersistedNumber()
    drop()
    dispatch(action)
  }

  const onHint = useEffectEvent(() => checkStatus(state.step !== 'waiting'))
  const onBackground = () => {
    const isPast = payment?.expiresAt && Date.parse(payment.expiresAt) < Date.now()
    if (state.step === 'payment' && isPast) return
    // Under review or refund due: staff resolve it in hours rather than seconds.
    const settled = state.step === 'waiting' && state.last !== null && state.last.resolution !== null
    if (!settled && document.visibilityState === 'visible') checkStatus(true)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: restart for each new window (`windows`)
  useEffect(() => {
    if (!transactionId) return
    return watchPaymentWindow(window, popup.current, { hint: onHint, closed: onHint }, transactionId)
  }, [transactionId, windows])

  useBackgroundChecks(transactionId, onBackground)

  useEffect(() => () => asking.current?.abort(), [])

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
      const opened = openPaymentWindow(window)
      if (!opened) {
        setBlocked(true)
        return dispatch({ type: 'popupBlocked' })
      }
      popup.current = opened
      setWindows(count => count + 1)
      const known = state.step === 'payment' ? state.known : state.payment.certificateKnown
      void startPayment(state.number.trim(), known, opened)
    },
    offersThisTab: isBlocked,
    continueHere: () => {
      if (state.step === 'waiting' && state.target)
        return continueHere(window, state.target, state.payment.transactionId)
      if (state.step !== 'payment' && state.step !== 'waiting') return
      const known = state.step === 'payment' ? state.known : state.payment.certificateKnown
      void startPayment(state.number.trim(), known, null, true)
    },
    verifyFree: () => {
      if (state.step === 'confirm') void startPayment(state.number.trim(), state.known, null)
    },
    checkNow: () => checkStatus(false),
    left: state.step === 'input' && kept ? kept.number : null,
    reopen: () => {
      if (!kept) return
      dispatch({ type: 'reopen', number: kept.number })
      void ask(
        kept.transactionId,
        kept.number,
        error => ({ type: 'checkFailed', alert: alertOf(error) }),
        true,
      )
    },
    dropLeft: drop,
    unfinished: unfinished.offered?.number,
    continueAttempt: () => {
      if (unfinished.offered) dispatch({ type: 'takenUp', ...unfinished.offered })
    },
    dropUnfinished: unfinished.discard,
    refreshLetter: () => {
      if (state.step === 'result' && state.result.transactionId)
        void fetchLetter(state.result.transactionId, state.number.trim())
    },
    startOver: () => leave({ type: 'reset' }),
    payAgain: () => leave({ type: 'editNumber' }),
    takeSuggestion: number => leave({ type: 'suggested', number }),
  }
}
