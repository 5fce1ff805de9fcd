import { isCertificateNumber } from '@portal/contract/certificate-number'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { errorCatalogue } from '@portal/contract/errors'
import type { BulkResult, BulkStatus, bulkVerification as routes } from '@portal/contract/verification-bulk'
import { counted } from '@portal/format/counted'
import { toMajor } from '@portal/format/money'
import { bulkMessages, type RequestedNumbers, readNumbers, summaryOf } from '@portal/rules/bulk'
import { verificationMessages } from '@portal/rules/messages'
import { CURRENCY } from './currency.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import {
  findOpenPayment,
  findVerifiedPayment,
  hidesUnknownNumbers,
  initiationReply,
  isUnprintable,
  mayExist,
  rowsOrFail,
  startPayment,
  suggestNumber,
} from './payments.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState, MockUser } from './state.ts'

function resultOf(state: MockState, user: MockUser, number: string): BulkResult {
  const verified = findVerifiedPayment(state, user, number)
  const pending = findOpenPayment(state, user, number)
  const unprintable = !verified && !pending && isUnprintable(state, number)
  const status: BulkStatus =
    unprintable || !isCertificateNumber(number)
      ? 'invalid'
      : verified
        ? 'already_paid'
        : pending
          ? 'pending'
          : mayExist(state, number)
            ? 'payment_required'
            : 'not_found'
  const payment = verified ?? pending
  const message = unprintable
    ? errorCatalogue.LETTER_NOT_PRINTABLE.message
    : number === ''
      ? 'Please enter a certificate number.'
      : status === 'invalid'
        ? 'Please enter a valid certificate number.'
        : bulkMessages[status]
  const needsSuggestion =
    status === 'payment_required'
      ? hidesUnknownNumbers(state)
      : !unprintable && ['invalid', 'not_found'].includes(status)
  return {
    certificate_number: number,
    status,
    ...(message && { message }),
    ...(needsSuggestion && {
      suggestion: status === 'not_found' ? suggestNumber(state, number) : suggestCertificateNumber(number),
    }),
    ...(payment && { transaction_id: payment.transaction_id }),
    ...(verified?.ended_at && { authentication_date: verified.ended_at }),
  }
}

/** Returns the reply if nothing has to be paid: each number is already verified, free, or cannot be verified. */
function nothingToPay(requested: RequestedNumbers, results: BulkResult[]) {
  const summary = summaryOf(requested, results)
  const { already_paid: verified, total } = summary
  return {
    status: verified > 0 ? ('already_paid' as const) : ('not_found' as const),
    message:
      verified > 0
        ? `${verified} of ${counted(total, 'certificate')} ${total === 1 ? 'is' : 'are'} verified. Nothing is due.`
        : verificationMessages.nonePayable,
    payment_reference: null,
    amount_paid: null,
    results,
    summary,
  }
}

export const bulkVerification: HandlersOf<typeof routes> = {
  check({ body, user, state }) {
    const requested = readNumbers(body.certificate_numbers)
    const results = requested.distinct.map(number => resultOf(state, user, number))
    const summary = summaryOf(requested, results)
    return {
      results,
      summary,
      amount_due: toMajor(state.fee.minor * summary.payment_required),
      currency: CURRENCY,
    }
  },
  pay(call) {
    const { body, user, state, now } = call
    requireValidKey(call)
    const requested = readNumbers(body.certificate_numbers)
    const numbers = requested.distinct
    const request = `bulk ${numbers.join(' ')}`
    const startedId = findIdByIdempotencyKey(call, request)
    const checks = numbers.map(number => resultOf(state, user, number))
    const payableNumbers = checks
      .filter(item => item.status === 'payment_required')
      .map(item => item.certificate_number)
    const pendingIds = checks.filter(item => item.status === 'pending').map(item => item.transaction_id)
    // The payment that was started with this key is returned even if it has ended; starting another would charge twice.
    const reusedId = pendingIds.includes(startedId) || payableNumbers.length > 0 ? startedId : undefined
    const [newPayment] =
      reusedId === undefined && payableNumbers.length > 0
        ? startPayment(state, user, payableNumbers, now)
        : []
    const id = reusedId ?? newPayment?.transaction_id ?? pendingIds[0]
    if (id === undefined) return nothingToPay(requested, checks)
    if (newPayment?.status === 'paid') {
      const updatedResults = numbers.map(number => resultOf(state, user, number))
      return { ...nothingToPay(requested, updatedResults), transaction_id: id }
    }
    storeIdempotencyKey(call, request, id)
    const rows = rowsOrFail(state, id)
    const paidNumbers = new Set(rows.map(row => row.certificate_number))
    const results = checks.map(
      (item): BulkResult =>
        paidNumbers.has(item.certificate_number)
          ? { certificate_number: item.certificate_number, status: 'payment_required' }
          : item,
    )
    return {
      ...initiationReply(state, rows),
      items: rows.map(({ certificate_number, amount_minor }) => ({
        certificate_number,
        amount: toMajor(amount_minor),
      })),
      results,
      summary: summaryOf(requested, results),
    }
  },
}
