import { call } from '@portal/api/call'
import { useRef } from 'react'
import { checkCertificate, processPayment } from './endpoints.ts'
import type { FlowAction, FlowState } from './flow.ts'
import { alertOf } from './flow-alert.ts'
import { openPaymentOf, targetOf } from './open-payment.ts'
import { continueHere, type PaymentWindow } from './payment-window.ts'
import { savePayment } from './pending-payment.ts'
import { clearPersistedNumber } from './persisted-number.ts'
import type { StatusActions } from './use-status.ts'

interface Options {
  state: FlowState
  dispatch: (action: FlowAction) => void
  userId: string | undefined
  status: StatusActions
}

/** Returns the requests that come before a payment exists: checking the number, and starting the payment. */
export function useRequests({ state, dispatch, userId, status }: Options) {
  const latest = useRef(state)
  latest.current = state

  async function check(number: string) {
    dispatch({ type: 'busy', what: 'checking' })
    // True if the response is about a number that is no longer in the field.
    const isOutdated = () => latest.current.number !== number || latest.current.busy !== 'checking'
    try {
      const reply = await call(checkCertificate, { body: { certificate_number: number } })
      if (isOutdated()) return
      clearPersistedNumber()
      dispatch({ type: 'checked', reply })
      if (reply.status === 'already_paid' && reply.transaction_id)
        await status.fetchLetter(reply.transaction_id, number)
    } catch (error) {
      if (!isOutdated()) dispatch({ type: 'checkFailed', alert: alertOf(error) })
    }
  }

  async function startPayment(
    certificateKnown: boolean,
    paymentWindow: PaymentWindow | null,
    inThisTab = false,
  ) {
    const number = state.number.trim()
    dispatch({ type: 'busy', what: 'starting' })
    try {
      const reply = await call(processPayment, { body: { certificate_number: number } })
      if (reply.status === 'payment_initiated') {
        if (userId) savePayment(userId, openPaymentOf(reply, number, certificateKnown))
        if (paymentWindow && !paymentWindow.isClosed()) paymentWindow.send(targetOf(reply))
      } else {
        status.popup.close()
      }
      dispatch({ type: 'started', reply })
      if (inThisTab && reply.status === 'payment_initiated')
        continueHere(window, targetOf(reply), reply.transaction_id)
      if (reply.status === 'already_paid' && reply.transaction_id)
        await status.fetchLetter(reply.transaction_id, number)
    } catch (error) {
      status.popup.close()
      dispatch({ type: 'startFailed', alert: alertOf(error) })
    }
  }

  return { check, startPayment }
}
