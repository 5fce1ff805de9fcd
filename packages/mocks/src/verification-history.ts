import type { HistoryRecord, verification } from '@portal/contract/verification'
import type { HistoryOutcome, HistorySort } from '@portal/contract/verification-history'
import { toMajor } from '@portal/format/money'
import { CURRENCY } from './currency.ts'
import { holderLetterOf } from './letter-status.ts'
import { paginateRows } from './paginate-rows.ts'
import { findOpenPayment, findVerifiedPayment, ownPayments, resolutionOf } from './payments.ts'
import type { Handler } from './serve.ts'
import type { MockPayment } from './state.ts'
import { contains } from './text-search.ts'

const outcomeOf = ({ payment_status, authentication_result }: HistoryRecord): HistoryOutcome =>
  payment_status === 'pending'
    ? 'pending'
    : authentication_result === 'success'
      ? 'success'
      : payment_status === 'paid'
        ? 'not_found'
        : 'not_paid'

/** True if the search term matches the certificate or the payment of a history entry. */
function matchesSearch(record: HistoryRecord, search: string): boolean {
  const { certificate_number: number, certificate_details: details } = record
  const id = search.trim().toUpperCase().replaceAll('-', '')
  const words = search.trim().split(/\s+/)
  const certificate = details && [number, details.student_name, details.course].join('\n')
  return (
    contains(number, search) ||
    (certificate !== null && words.every(word => contains(certificate, word))) ||
    [record.payment_reference, record.bpms_transaction_id].includes(id)
  )
}

/** Sorts by time or by number; newest first by default. */
function sortRecords(records: readonly HistoryRecord[], sort: HistorySort): readonly HistoryRecord[] {
  if (sort === '-created_at') return records
  if (sort === 'created_at') return records.toReversed()
  const ascending = records.toSorted((a, b) => (a.certificate_number < b.certificate_number ? -1 : 1))
  return sort.startsWith('-') ? ascending.toReversed() : ascending
}

const count = (payments: readonly MockPayment[], status: MockPayment['verification_status']) =>
  payments.filter(payment => payment.status === 'paid' && payment.verification_status === status).length

export const verificationHistory: Handler<typeof verification.history> = ({ query, user, state }) => {
  const payments = ownPayments(state, user)
  const records = payments.map(
    (payment): HistoryRecord => ({
      id: `${payment.transaction_id}:${payment.certificate_number}`,
      certificate_number: payment.certificate_number,
      authenticated_at: payment.ended_at ?? payment.initiated_at,
      authentication_result:
        payment.status === 'pending' ? 'pending' : payment.certificate ? 'success' : 'failed',
      payment_status: payment.status,
      ...(payment.code && { code: payment.code }),
      resolution: resolutionOf(payment),
      amount_paid: payment.status === 'paid' ? toMajor(payment.amount_minor) : null,
      currency: CURRENCY,
      payment_reference: payment.payment_reference,
      bpms_transaction_id: payment.transaction_id,
      can_try_again:
        (payment.status === 'failed' || payment.refund_status !== undefined) &&
        !findVerifiedPayment(state, user, payment.certificate_number) &&
        !findOpenPayment(state, user, payment.certificate_number),
      payment_items: payments.filter(item => item.transaction_id === payment.transaction_id).length,
      certificate_details: payment.certificate,
      letter: holderLetterOf(state, payment),
    }),
  )
  const { search, outcome, date_from: from, date_to: to } = query
  const matching = records.filter(
    record =>
      (search === '' || matchesSearch(record, search)) &&
      (outcome === undefined || outcomeOf(record) === outcome) &&
      (from === undefined || record.authenticated_at.slice(0, 10) >= from) &&
      (to === undefined || record.authenticated_at.slice(0, 10) <= to),
  )
  const { rows: history, pagination } = paginateRows(
    sortRecords(matching, query.sort ?? '-created_at'),
    query,
  )
  return {
    history,
    pagination,
    counters: {
      total: payments.length,
      successful: count(payments, 'success'),
      not_found: count(payments, 'not_found'),
    },
  }
}
