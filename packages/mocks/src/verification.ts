import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { errorCatalogue } from '@portal/contract/errors'
import type { verification as routes } from '@portal/contract/verification'
import { toMajor } from '@portal/format/money'
import { percentOf } from '@portal/format/numbers'
import { CURRENCY } from './currency.ts'
import { Fault } from './fault.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import {
  earnedMinor,
  findOpenPayment,
  findVerifiedPayment,
  hidesUnknownNumbers,
  initiationReply,
  isUnprintable,
  mayExist,
  ownPayments,
  resolutionOf,
  rowsOrFail,
  startPayment,
  statusFieldsOf,
  statusOf,
  suggestNumber,
  taxWithin,
  visibleRowsOrFail,
} from './payments.ts'
import type { HandlersOf } from './serve.ts'
import { taxOf } from './settings-state.ts'
import type { MockPayment } from './state.ts'
import { verificationHistory } from './verification-history.ts'

const alreadyPaidReply = (payment: MockPayment, number: string) => ({
  status: 'already_paid' as const,
  certificate: { ...payment.certificate, certificate_number: number },
  authentication_date: payment.ended_at ?? payment.initiated_at,
  transaction_id: payment.transaction_id,
})

const count = (payments: readonly MockPayment[], status: MockPayment['verification_status']) =>
  payments.filter(payment => payment.status === 'paid' && payment.verification_status === status).length

/** Returns the rows of a payment without their certificates. */
const withoutCertificates = ([first, ...more]: readonly [MockPayment, ...MockPayment[]]): [
  MockPayment,
  ...MockPayment[],
] => [{ ...first, certificate: null }, ...more.map(item => ({ ...item, certificate: null }))]

export const verification: HandlersOf<typeof routes> = {
  checkCertificate({ body, user, state }) {
    const verified = findVerifiedPayment(state, user, body.certificate_number)
    if (verified) return alreadyPaidReply(verified, body.certificate_number)
    const number = body.certificate_number
    if (!mayExist(state, number))
      throw new Fault('CERTIFICATE_NOT_FOUND', undefined, undefined, suggestNumber(state, number))
    if (isUnprintable(state, body.certificate_number)) throw new Fault('LETTER_NOT_PRINTABLE')
    if (hidesUnknownNumbers(state))
      return { status: 'payment_required', suggestion: suggestCertificateNumber(number) }
    return {
      status: 'payment_required',
      certificate: { certificate_number: body.certificate_number },
    }
  },
  processPayment(call) {
    const { body, user, state, now } = call
    requireValidKey(call)
    const number = body.certificate_number
    const verified = findVerifiedPayment(state, user, number)
    const pending = findOpenPayment(state, user, number)
    if (!verified && !pending && !mayExist(state, number)) {
      const { message } = errorCatalogue.CERTIFICATE_NOT_FOUND
      const suggestion = suggestNumber(state, number)
      return { status: 'not_found', message, payment_reference: null, amount_paid: null, suggestion }
    }
    const startedId = findIdByIdempotencyKey(call, number)
    if (!verified && !pending && startedId === undefined && isUnprintable(state, number))
      throw new Fault('LETTER_NOT_PRINTABLE')
    if (verified) return alreadyPaidReply(verified, number)
    // The payment that was started with this key is returned even if it has ended; starting another would charge twice.
    const id =
      startedId ??
      pending?.transaction_id ??
      startPayment(state, user, [number], now)[0]?.transaction_id ??
      ''
    storeIdempotencyKey(call, number, id)
    const freePayment = findVerifiedPayment(state, user, number)
    return freePayment ? alreadyPaidReply(freePayment, number) : initiationReply(state, rowsOrFail(state, id))
  },
  checkStatus: ({ params, query, user, state }) =>
    statusOf(state, visibleRowsOrFail(state, user, params.id), query.certificate_number),
  paymentStatus: ({ params, user, state }) => statusOf(state, visibleRowsOrFail(state, user, params.id)),
  publicPaymentStatus({ params, state }) {
    const allRows = rowsOrFail(state, params.id)
    const rows = state.settings.policies.public_tracking === 'full' ? allRows : withoutCertificates(allRows)
    return {
      ...statusFieldsOf(rows),
      resolution: resolutionOf(rows[0]),
      items: rows.map(({ certificate_number, verification_status, certificate }) => ({
        certificate_number,
        verification_status,
        certificate,
      })),
    }
  },
  history: verificationHistory,
  statistics({ user, state }) {
    const paid = ownPayments(state, user).filter(item => item.status === 'paid')
    const successful = count(paid, 'success')
    return {
      statistics: {
        total_verifications: paid.length,
        successful_verifications: successful,
        failed_verifications: paid.length - successful,
        success_rate: percentOf(successful, paid.length),
        total_amount_spent: toMajor(earnedMinor(paid)),
      },
      currency: CURRENCY,
    }
  },
  settings: ({ state }) => ({
    verification_fee: toMajor(state.fee.minor),
    currency: CURRENCY,
    ...taxWithin(state.fee.minor, taxOf(state.settings)),
    institution: state.settings.institution,
    payment_methods: ['card'],
    test_payments: true,
  }),
}
