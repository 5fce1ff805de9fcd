import { isCertificateNumber, normaliseCertificateNumber } from '@portal/contract/certificate-number'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { errorCatalogue } from '@portal/contract/errors'
import {
  type BulkResult,
  type BulkStatus,
  bulkStatuses,
  type bulkVerification as routes,
} from '@portal/contract/verification-bulk'
import { byKey } from '@portal/format/by-key'
import { toMajor } from '@portal/format/money'
import { CURRENCY } from './currency.ts'
import { begunWith, keepKey, requireKeepable } from './idempotency.ts'
import {
  exists,
  heldFor,
  initiation,
  isSecret,
  isUnprintable,
  meantBy,
  openFor,
  rowsOf,
  start,
} from './payments-of.ts'
import type { HandlersOf } from './serve.ts'
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
  const unprintable = !held && !open && isUnprintable(state, number)
  const status: BulkStatus =
    unprintable || !isCertificateNumber(number)
      ? 'invalid'
      : held
        ? 'already_paid'
        : open
          ? 'pending'
          : exists(state, number)
            ? 'payment_required'
            : 'not_found'
  const payment = held ?? open
  const message = unprintable
    ? errorCatalogue.LETTER_NOT_PRINTABLE.message
    : number === ''
      ? 'Please enter a certificate number.'
      : messages[status]
  const unknown =
    status === 'payment_required'
      ? isSecret(state)
      : !unprintable && ['invalid', 'not_found'].includes(status)
  return {
    certificate_number: number,
    status,
    ...(message && { message }),
    ...(unknown && {
      suggestion: status === 'not_found' ? meantBy(state, number) : suggestCertificateNumber(number),
    }),
    ...(payment && { transaction_id: payment.transaction_id }),
    ...(held?.settled_at && { authentication_date: held.settled_at }),
  }
}

function count(given: number, results: readonly BulkResult[]) {
  const counts = byKey(bulkStatuses, status => results.filter(each => each.status === status).length)
  return { given, duplicates: given - results.length, total: results.length, ...counts }
}

const different = (numbers: readonly string[]) => [...new Set(numbers.map(normaliseCertificateNumber))]

/** All is verified already, or cannot be, or cost nothing. */
function nothingToPay(given: number, results: BulkResult[]) {
  const summary = count(given, results)
  const { already_paid: verified, total } = summary
  return {
    status: verified > 0 ? ('already_paid' as const) : ('not_found' as const),
    message:
      verified > 0
        ? `${verified} of ${total} certificates are verified. Nothing is to be paid.`
        : 'None of these certificate numbers can be paid for.',
    payment_reference: null,
    amount_paid: null,
    results,
    summary,
  }
}

export const bulkVerification: HandlersOf<typeof routes> = {
  check({ body, user, state }) {
    const results = different(body.certificate_numbers).map(number => resultOf(state, user, number))
    const summary = count(body.certificate_numbers.length, results)
    return {
      results,
      summary,
      amount_due: toMajor(state.fee.minor * summary.payment_required),
      currency: CURRENCY,
    }
  },
  pay(call) {
    const { body, user, state, now } = call
    requireKeepable(call)
    const given = body.certificate_numbers.length
    const numbers = different(body.certificate_numbers)
    const request = `bulk ${numbers.join(' ')}`
    const begun = begunWith(call, request)
    const before = numbers.map(number => resultOf(state, user, number))
    const due = before.filter(each => each.status === 'payment_required').map(each => each.certificate_number)
    const open = before.filter(each => each.status === 'pending').map(each => each.transaction_id)
    // A key's own attempt comes first; once that has ended, it is shown again rather than charged again.
    const known = open.includes(begun) || due.length > 0 ? begun : undefined
    const [fresh] = known === undefined && due.length > 0 ? start(state, user, due, now) : []
    const id = known ?? fresh?.transaction_id ?? open[0]
    if (id === undefined) return nothingToPay(given, before)
    if (fresh?.status === 'paid') {
      const after = numbers.map(number => resultOf(state, user, number))
      return { ...nothingToPay(given, after), transaction_id: id }
    }
    keepKey(call, request, id)
    const rows = rowsOf(state, id)
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
        amount: toMajor(amount_minor),
      })),
      results,
      summary: count(given, results),
    }
  },
}
