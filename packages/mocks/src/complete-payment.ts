import { type ErrorCode, errorCatalogue } from '@portal/contract/errors'
import { toMajor } from '@portal/format/money'
import { bulkNotice, expiredNotice, failedNotice, outcomeNotices } from '@portal/format/notices'
import { CURRENCY } from './currency.ts'
import { newId, newLetterCode } from './ids.ts'
import { currentLetterContent } from './letter-status.ts'
import { notify } from './notify.ts'
import { completeTopup, expireTopups } from './organisation-topups.ts'
import { deletedCertificateRefund } from './refunds.ts'
import type { MockPayment, MockState } from './state.ts'

/** Outcomes of a payment that can be chosen on the mocked gateway's page. */
export const gatewayOutcomes = ['pay', 'decline', 'cancel'] as const
export type GatewayOutcome = (typeof gatewayOutcomes)[number]

const FAILURES: Record<Exclude<GatewayOutcome, 'pay'>, { code: ErrorCode; gateway_status: string }> = {
  decline: { code: 'CARD_DECLINED', gateway_status: 'FAILED' },
  cancel: { code: 'PAYMENT_CANCELLED', gateway_status: 'CANCELLED' },
}

/** Completes a payment or top-up if it is pending. Returns false if there is none with this transaction ID. */
export function completePayment(
  state: MockState,
  transactionId: string,
  outcome: GatewayOutcome,
  now: Date = new Date(),
): boolean {
  const rows = state.payments.filter(item => item.transaction_id === transactionId)
  const [payment] = rows
  if (!payment) return completeTopup(state, transactionId, outcome, now)
  if (payment.status !== 'pending') return true
  for (const row of rows) {
    row.ended_at = now.toISOString()
    if (outcome === 'pay') recordPaid(state, row)
    else Object.assign(row, { status: 'failed', ...FAILURES[outcome] })
  }
  const numbers = rows.map(row => row.certificate_number)
  if (outcome === 'decline') {
    const notice = failedNotice(numbers, errorCatalogue.CARD_DECLINED.message)
    notify(state, payment.user_id, notice, 'verify', now)
  } else if (outcome === 'pay') {
    markDeletedCertificatesRefundDue(state, rows, now)
    notify(state, payment.user_id, toNotice(rows, payment), 'history', now)
  }
  return true
}

function toNotice(rows: readonly MockPayment[], payment: MockPayment) {
  const foundCount = rows.filter(row => row.certificate !== null).length
  const dueCount = rows.filter(row => row.refund_status === 'refund_due').length
  const facts = {
    numbers: rows.map(row => row.certificate_number),
    reference: payment.payment_reference,
    receivedMinor: rows.reduce((sum, row) => sum + row.amount_minor, 0),
    excessMinor: 0,
    currency: CURRENCY,
  }
  if (foundCount > 0 && foundCount < rows.length) {
    return bulkNotice(
      { verified: foundCount, not_found: rows.length - foundCount - dueCount, refund_due: dueCount },
      facts,
    )
  }
  return outcomeNotices[foundCount > 0 ? 'verified' : dueCount > 0 ? 'refund_due' : 'not_found'](facts)
}

/**
 * Creates a refund for a payment whose certificates were deleted before it was completed, if the policy for unknown
 * certificates is `free`.
 */
function markDeletedCertificatesRefundDue(state: MockState, rows: readonly MockPayment[], now: Date) {
  const rowsWithoutCertificate = rows.filter(row => row.certificate === null)
  const [payment] = rowsWithoutCertificate
  if (!payment || state.settings.policies.unknown_certificates !== 'free') return
  for (const row of rowsWithoutCertificate) row.refund_status = 'refund_due'
  const amount = toMajor(rowsWithoutCertificate.reduce((sum, row) => sum + row.amount_minor, 0))
  const email = state.users.find(user => user.id === payment.user_id)?.email ?? ''
  state.refunds.unshift(deletedCertificateRefund(payment, { id: newId(), email, amount, now }))
}

/** Marks a payment as paid, with the result of its verification. */
function recordPaid(state: MockState, payment: MockPayment) {
  const certificate = state.certificates.find(item => item.certificate_number === payment.certificate_number)
  payment.status = 'paid'
  payment.gateway_status = 'APPROVED'
  payment.verification_status = certificate ? 'success' : 'not_found'
  payment.certificate = certificate ? { ...certificate } : null
  if (certificate) {
    payment.certificate_id = certificate.id
    payment.letter_texts = currentLetterContent(state, payment)
  }
  payment.letter_code = certificate ? newLetterCode() : null
}

/** Expires payments whose time limit has passed, as the API's scheduler does. */
export function expireOverdue(state: MockState, now: Date): void {
  expireTopups(state, now)
  const numbersByPayment = new Map<string, string[]>()
  for (const payment of state.payments) {
    if (payment.status !== 'pending' || payment.expires_at > now.toISOString()) continue
    Object.assign(payment, {
      status: 'failed',
      code: 'PAYMENT_TIMEOUT',
      gateway_status: 'EXPIRED',
      ended_at: payment.expires_at,
    })
    const numbers = numbersByPayment.get(payment.transaction_id) ?? []
    numbersByPayment.set(payment.transaction_id, [...numbers, payment.certificate_number])
  }
  for (const [id, numbers] of numbersByPayment) {
    const payment = state.payments.find(item => item.transaction_id === id)
    if (payment) notify(state, payment.user_id, expiredNotice(numbers), 'verify', now)
  }
}
