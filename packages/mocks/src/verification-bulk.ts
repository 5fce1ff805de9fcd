import { isCertificateNumber } from '@portal/contract/certificate-number'
import {
  type BulkResult,
  type BulkStatus,
  bulkStatuses,
  type bulkVerification as routes,
} from '@portal/contract/verification-bulk'
import { CURRENCY, exists, heldFor, initiation, major, openFor, rowsOf, start } from './payments-of.ts'
import type { HandlersOf } from './serve.ts'
import { expireOverdue } from './settle.ts'
import type { MockState, MockUser } from './state.ts'

const messages: Partial<Record<BulkStatus, string>> = {
  already_paid: 'Certificate already verified',
  not_found: 'Certificate not found in our database.',
  invalid: 'Please enter a valid certificate number.',
  pending: 'A payment for this certificate is under way. It is not charged again.',
}

function resultOf(state: MockState, user: MockUser, number: string): BulkResult {
  const held = heldFor(state, user, number)
  const open = openFor(state, user, number)
  const status: BulkStatus = !isCertificateNumber(number)
    ? 'invalid'
    : held
      ? 'already_paid'
      : open
        ? 'pending'
        : exists(state, number)
          ? 'payment_required'
          : 'not_found'
  const payment = held ?? open
  const message = messages[status]
  return {
    certificate_number: number,
    status,
    ...(message && { message }),
    ...(payment && { transaction_id: payment.transaction_id }),
    ...(held?.settled_at && { authentication_date: held.settled_at }),
  }
}

function count(given: number, results: readonly BulkResult[]) {
  const counts = Object.fromEntries(
    bulkStatuses.map(status => [status, results.filter(each => each.status === status).length]),
  ) as Record<BulkStatus, number>
  return { given, duplicates: given - results.length, total: results.length, ...counts }
}

const different = (numbers: readonly string[]) => [
  ...new Set(numbers.map(number => number.trim().toUpperCase())),
]

export const bulkVerification: HandlersOf<typeof routes> = {
  check({ body, user, state, now }) {
    expireOverdue(state, now)
    const results = different(body.certificate_numbers).map(number => resultOf(state, user, number))
    const summary = count(body.certificate_numbers.length, results)
    return {
      results,
      summary,
      amount_due: major(state.fee.minor * summary.payment_required),
      currency: CURRENCY,
    }
  },
  pay({ body, user, state, now }) {
    expireOverdue(state, now)
    const numbers = different(body.certificate_numbers)
    const before = numbers.map(number => resultOf(state, user, number))
    const due = before.filter(each => each.status === 'payment_required').map(each => each.certificate_number)
    const open = before.find(each => each.status === 'pending')?.transaction_id
    const given = body.certificate_numbers.length
    if (due.length === 0 && open === undefined) {
      const summary = count(given, before)
      return {
        status: summary.already_paid > 0 ? 'already_paid' : 'not_found',
        message:
          summary.already_paid > 0
            ? `${summary.already_paid} of ${summary.total} certificates are verified. Nothing is to be paid.`
            : 'None of these certificate numbers can be paid for.',
        payment_reference: null,
        amount_paid: null,
        results: before,
        summary,
      }
    }
    const [started] = due.length > 0 ? start(state, user, due, now) : []
    const rows = rowsOf(state, started?.transaction_id ?? open ?? '', now)
    const own = new Set(rows.map(each => each.certificate_number))
    const results = before.map(
      (each): BulkResult =>
        own.has(each.certificate_number)
          ? { certificate_number: each.certificate_number, status: 'payment_required' }
          : each,
    )
    return {
      ...initiation(state, rows),
      items: rows.map(({ certificate_number, amount_minor }) => ({
        certificate_number,
        amount: major(amount_minor),
      })),
      results,
      summary: count(given, results),
    }
  },
}
