import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callWithRetries } from './call-with-retries.ts'
import { history, notifications, statistics, verificationStatus } from './endpoints.ts'
import type { FlowAction, FlowState } from './flow.ts'
import { alertOf, isNotFound, mayRetry } from './flow-alert.ts'
import type { OpenPayment } from './open-payment.ts'
import { forgetPayment } from './pending-payment.ts'
import { statusOf } from './result.ts'
import { useBackgroundChecks } from './use-background-checks.ts'
import { usePaymentWindow } from './use-payment-window.ts'

interface Options {
  state: FlowState
  dispatch: (action: FlowAction) => void
  userId: string | undefined
}

/** Returns the action to dispatch when a status check has failed. */
type OnFailure = (error: unknown) => FlowAction

/**
 * Tracks the flow's payment: manages its window, checks its status in the background and on request, and finally fetches the
 * letter.
 */
export function useStatus({ state, dispatch, userId }: Options) {
  const queryClient = useQueryClient()
  const activeRequest = useRef<AbortController | null>(null)
  /** The latest attempt that failed. It can still be paid until it expires, because its checkout may still be open. */
  const [failedAttempt, setFailedAttempt] = useState<OpenPayment | null>(null)

  const payment =
    state.step === 'waiting'
      ? state.payment
      : state.step === 'payment' && failedAttempt?.certificateNumber === state.number.trim()
        ? failedAttempt
        : undefined
  const transactionId = payment?.transactionId ?? null
  const popup = usePaymentWindow({
    isPending: transactionId !== null,
    transactionId,
    onPossibleChange: () => checkStatus(state.step !== 'waiting'),
  })
  const forget = (id: string) => {
    if (userId) forgetPayment(userId, id)
  }

  async function requestStatus(id: string, number: string, onFailure: OnFailure, quiet: boolean) {
    activeRequest.current?.abort()
    const controller = new AbortController()
    activeRequest.current = controller
    if (!quiet) dispatch({ type: 'busy', what: 'polling' })
    try {
      const response = await callWithRetries(
        // The status of a bulk payment is requested for one of its numbers.
        signal => call(verificationStatus, { params: { id }, query: { certificate_number: number }, signal }),
        controller.signal,
        mayRetry,
      )
      const reply = statusOf(response, id, number)
      const paymentWindow = popup.windowRef.current
      const windowOpen = paymentWindow !== null && !paymentWindow.isClosedByPayer()
      const isFailed = reply.status === 'failed' && !windowOpen && state.step !== 'payment'
      if (isFailed && state.step === 'waiting')
        setFailedAttempt(reply.resolution === null ? state.payment : null)
      if (reply.status === 'paid' || isFailed) {
        forget(id)
        popup.close()
        for (const route of [history, statistics, notifications])
          queryClient.invalidateQueries({ queryKey: queryKey(route) })
      }
      dispatch({ type: 'status', reply, quiet, windowOpen })
    } catch (error) {
      if (controller.signal.aborted) return
      if (isNotFound(error)) forget(id)
      dispatch(onFailure(error))
    } finally {
      if (activeRequest.current === controller) activeRequest.current = null
    }
  }

  function checkStatus(quiet: boolean) {
    if (!transactionId || (quiet && activeRequest.current)) return
    const onFailure: OnFailure = error =>
      isNotFound(error) && quiet ? { type: 'reset' } : { type: 'statusFailed', alert: alertOf(error), quiet }
    void requestStatus(transactionId, state.number.trim(), onFailure, quiet)
  }

  useBackgroundChecks(transactionId, () => {
    const isExpired = payment?.expiresAt && Date.parse(payment.expiresAt) < Date.now()
    if (state.step === 'payment' && isExpired) return
    // Staff need hours for a payment that is under review or due for a refund, so frequent checks would not help.
    const hasResolution = state.step === 'waiting' && state.last !== null && state.last.resolution !== null
    if (!hasResolution && document.visibilityState === 'visible') checkStatus(true)
  })

  useEffect(() => () => activeRequest.current?.abort(), [])

  return {
    popup,
    checkNow: () => checkStatus(false),
    fetchLetter: (id: string, number: string) =>
      requestStatus(
        id,
        number,
        () => ({
          type: 'letterFailed',
          alert: { tone: 'error', text: 'Failed to load verification template.' },
        }),
        false,
      ),
    reopen: (id: string, number: string) =>
      requestStatus(id, number, error => ({ type: 'checkFailed', alert: alertOf(error) }), true),
    /** Stops tracking the payment and removes it from storage, so that it is not offered again. */
    abandon: () => {
      activeRequest.current?.abort()
      if (transactionId) forget(transactionId)
      popup.close()
    },
  }
}

export type StatusActions = ReturnType<typeof useStatus>
