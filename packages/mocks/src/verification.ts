import { errorCatalogue } from '@portal/contract/errors'
import { paginate } from '@portal/contract/shapes'
import type { verification as routes } from '@portal/contract/verification'
import { Fault } from './fault.ts'
import {
  CURRENCY,
  exists,
  heldFor,
  initiation,
  isSecret,
  major,
  openFor,
  ownPayments,
  resolutionOf,
  rowsOf,
  standingOf,
  start,
  statusOf,
  visibleRows,
} from './payments-of.ts'
import type { HandlersOf } from './serve.ts'
import { expireOverdue } from './settle.ts'
import { heldLetterOf } from './standing-letter.ts'
import type { MockPayment, MockState, MockUser } from './state.ts'

function alreadyPaid(state: MockState, user: MockUser, number: string) {
  const payment = heldFor(state, user, number)
  if (!payment) return undefined
  return {
    status: 'already_paid' as const,
    certificate: { ...payment.certificate, certificate_number: number },
    authentication_date: payment.settled_at ?? payment.initiated_at,
    transaction_id: payment.transaction_id,
  }
}

const count = (payments: readonly MockPayment[], status: MockPayment['verification_status']) =>
  payments.filter(each => each.status === 'paid' && each.verification_status === status).length

/** How a payment stands, and nothing of what it is for. */
const withoutCertificates = ([first, ...more]: readonly [MockPayment, ...MockPayment[]]): [
  MockPayment,
  ...MockPayment[],
] => [{ ...first, certificate: null }, ...more.map(each => ({ ...each, certificate: null }))]

export const verification: HandlersOf<typeof routes> = {
  checkCertificate({ body, user, state }) {
    const paid = alreadyPaid(state, user, body.certificate_number)
    if (paid) return paid
    if (isSecret(state)) return { status: 'payment_required' }
    if (!exists(state, body.certificate_number)) throw new Fault('CERTIFICATE_NOT_FOUND')
    return {
      status: 'payment_required',
      certificate: { certificate_number: body.certificate_number },
    }
  },
  processPayment({ body, user, state, now }) {
    const number = body.certificate_number
    const paid = alreadyPaid(state, user, number)
    if (paid) return paid
    if (!exists(state, number)) {
      const { message } = errorCatalogue.CERTIFICATE_NOT_FOUND
      return { status: 'not_found', message, payment_reference: null, amount_paid: null }
    }
    expireOverdue(state, now)
    const [fresh] = openFor(state, user, number) ? [] : start(state, user, [number], now)
    const id = (fresh ?? openFor(state, user, number))?.transaction_id ?? ''
    return initiation(state, rowsOf(state, id, now))
  },
  checkStatus: ({ params, query, user, state, now }) =>
    statusOf(state, visibleRows(state, user, params.id, now), query.certificate_number),
  paymentStatus: ({ params, user, state, now }) => statusOf(state, visibleRows(state, user, params.id, now)),
  publicPaymentStatus({ params, state, now }) {
    const paid = rowsOf(state, params.id, now)
    const rows = state.settings.policies.public_tracking === 'full' ? paid : withoutCertificates(paid)
    return {
      ...standingOf(rows),
      resolution: resolutionOf(rows[0]),
      refund_due: 0,
      refunded: 0,
      refund_currency: CURRENCY,
      items: rows.map(({ certificate_number, verification_status, certificate }) => ({
        certificate_number,
        verification_status,
        certificate,
      })),
    }
  },
  history({ query, user, state, now }) {
    expireOverdue(state, now)
    const own = ownPayments(state, user)
    const from = (query.page - 1) * query.per_page
    return {
      history: own.slice(from, from + query.per_page).map(payment => ({
        id: `${payment.transaction_id}:${payment.certificate_number}`,
        certificate_number: payment.certificate_number,
        authenticated_at: payment.settled_at ?? payment.initiated_at,
        authentication_result:
          payment.status === 'pending' ? 'pending' : payment.certificate ? 'success' : 'failed',
        payment_status: payment.status,
        ...(payment.code && { code: payment.code }),
        resolution: resolutionOf(payment),
        amount_paid: payment.status === 'paid' ? major(payment.amount_minor) : null,
        currency: CURRENCY,
        payment_reference: payment.payment_reference,
        bpms_transaction_id: payment.transaction_id,
        payment_items: own.filter(each => each.transaction_id === payment.transaction_id).length,
        certificate_details: payment.certificate,
        letter: heldLetterOf(state, payment),
      })),
      pagination: paginate(query.page, query.per_page, own.length),
      counters: {
        total: own.length,
        successful: count(own, 'success'),
        not_found: count(own, 'not_found'),
      },
    }
  },
  statistics({ user, state }) {
    const paid = ownPayments(state, user).filter(each => each.status === 'paid')
    const successful = count(paid, 'success')
    const spent = paid.reduce((sum, each) => sum + each.amount_minor, 0)
    return {
      statistics: {
        total_verifications: paid.length,
        successful_verifications: successful,
        failed_verifications: paid.length - successful,
        success_rate: paid.length ? Math.round((successful / paid.length) * 1000) / 10 : 0,
        total_amount_spent: major(spent),
      },
      currency: CURRENCY,
    }
  },
  settings: ({ state }) => ({
    verification_fee: major(state.fee.minor),
    currency: CURRENCY,
    institution: state.settings.institution,
  }),
}
