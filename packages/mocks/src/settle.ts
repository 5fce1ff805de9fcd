import { type ErrorCode, errorCatalogue } from '@portal/contract/errors'
import { expiredNotice, failedNotice, outcomeNotices } from '@portal/format/notices'
import { newLetterCode } from './ids.ts'
import { notify } from './notifications-told.ts'
import type { MockPayment, MockState } from './state.ts'

/** What the mocked gateway's page can end a payment with. */
export const gatewayOutcomes = ['pay', 'decline', 'cancel'] as const
export type GatewayOutcome = (typeof gatewayOutcomes)[number]

const FAILURES: Record<Exclude<GatewayOutcome, 'pay'>, { code: ErrorCode; gateway_status: string }> = {
  decline: { code: 'CARD_DECLINED', gateway_status: 'FAILED' },
  cancel: { code: 'PAYMENT_CANCELLED', gateway_status: 'CANCELLED' },
}

/** Ends a pending payment; one that is already settled stays as it is. False when there is no such payment. */
export function settle(
  state: MockState,
  transactionId: string,
  outcome: GatewayOutcome,
  now: Date = new Date(),
): boolean {
  const payment = state.payments.find(each => each.transaction_id === transactionId)
  if (!payment) return false
  if (payment.status !== 'pending') return true
  payment.settled_at = now.toISOString()
  if (outcome === 'pay') deliver(state, payment, now)
  else Object.assign(payment, { status: 'failed', ...FAILURES[outcome] })
  if (outcome === 'decline') {
    const notice = failedNotice([payment.certificate_number], errorCatalogue.CARD_DECLINED.message)
    notify(state, payment.user_id, notice, 'verify', now)
  }
  return true
}

function deliver(state: MockState, payment: MockPayment, now: Date) {
  const certificate = state.certificates.find(each => each.certificate_number === payment.certificate_number)
  payment.status = 'paid'
  payment.gateway_status = 'APPROVED'
  payment.verification_status = certificate ? 'success' : 'not_found'
  payment.certificate = certificate ? { ...certificate } : null
  payment.letter_code = certificate ? newLetterCode() : null
  const notice = outcomeNotices[certificate ? 'verified' : 'not_found']({
    numbers: [payment.certificate_number],
    reference: payment.payment_reference,
    receivedMinor: payment.amount_minor,
    excessMinor: 0,
    currency: 'NGN',
  })
  notify(state, payment.user_id, notice, 'history', now)
}

/** Payments past their time fail, as the API's own clockwork would make them. */
export function expireOverdue(state: MockState, now: Date): void {
  for (const payment of state.payments) {
    if (payment.status === 'pending' && payment.expires_at <= now.toISOString()) {
      Object.assign(payment, {
        status: 'failed',
        code: 'PAYMENT_TIMEOUT',
        gateway_status: 'EXPIRED',
        settled_at: payment.expires_at,
      })
      notify(state, payment.user_id, expiredNotice([payment.certificate_number]), 'verify', now)
    }
  }
}
