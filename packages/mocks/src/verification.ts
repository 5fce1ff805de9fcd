import { errorCatalogue } from '@portal/contract/errors'
import type { ReplyIn } from '@portal/contract/route'
import { paginate } from '@portal/contract/shapes'
import type { verification as routes, StatusReply } from '@portal/contract/verification'
import { demoInstitution } from '@portal/fixtures/institution'
import { Fault } from './fault.ts'
import { newReference, newTransactionId } from './ids.ts'
import type { HandlersOf } from './serve.ts'
import { expireOverdue } from './settle.ts'
import { letterLinkOf, templateOf } from './standing-letter.ts'
import type { MockPayment, MockState, MockUser } from './state.ts'

const OPEN_FOR = 25 * 60_000
const CURRENCY = 'NGN'
const major = (minor: number) => minor / 100
/** The page of the mocked gateway, served beside the app (see `public/`). */
export const GATEWAY_PAGE = '/mock-gateway.html'

function messageOf(payment: MockPayment): string {
  if (payment.status === 'pending') return 'Payment still pending. Please complete the payment.'
  if (payment.status === 'failed') return errorCatalogue[payment.code ?? 'PAYMENT_FAILED'].message
  return payment.verification_status === 'success'
    ? 'Certificate verified successfully.'
    : 'Payment completed but certificate not found in database'
}

/** What status checks share, public or not. */
function standingOf(payment: MockPayment) {
  return {
    status: payment.status,
    verification_status: payment.verification_status,
    message: messageOf(payment),
    ...(payment.code && { code: payment.code }),
    certificate_number: payment.certificate_number,
    certificate: payment.certificate,
    payment_reference: payment.payment_reference,
    amount_paid: payment.status === 'paid' ? major(payment.amount_minor) : null,
    currency: CURRENCY,
    bpms_status: payment.gateway_status,
  }
}

function statusOf(state: MockState, payment: MockPayment): StatusReply {
  return {
    ...standingOf(payment),
    resolution:
      payment.status === 'paid' && payment.certificate
        ? 'verified'
        : payment.verification_status === 'not_found'
          ? 'not_found'
          : null,
    transaction_id: payment.transaction_id,
    initiated_at: payment.initiated_at,
    expires_at: payment.status === 'pending' ? payment.expires_at : null,
    authentication_date: payment.status === 'paid' ? payment.settled_at : null,
    verification_template: templateOf(state, payment),
    letter: letterLinkOf(state, payment),
  }
}

function paymentOrFail(state: MockState, id: string, now: Date): MockPayment {
  expireOverdue(state, now)
  const payment = state.payments.find(each => each.transaction_id === id)
  if (!payment) throw new Fault('TRANSACTION_NOT_FOUND')
  return payment
}

/** Another person's payment answers as one that does not exist. */
function visiblePayment(state: MockState, user: MockUser, id: string, now: Date): MockPayment {
  const payment = paymentOrFail(state, id, now)
  if (user.role === 'user' && payment.user_id !== user.id) throw new Fault('TRANSACTION_NOT_FOUND')
  return payment
}

const ownPayments = (state: MockState, user: MockUser) =>
  state.payments.filter(each => each.user_id === user.id)

function alreadyPaid(state: MockState, user: MockUser, number: string) {
  const payment = ownPayments(state, user).find(
    each => each.certificate_number === number && each.verification_status === 'success',
  )
  if (!payment) return undefined
  return {
    status: 'already_paid' as const,
    certificate: { ...payment.certificate, certificate_number: number },
    authentication_date: payment.settled_at ?? payment.initiated_at,
    transaction_id: payment.transaction_id,
  }
}

const exists = (state: MockState, number: string) =>
  state.certificates.some(each => each.certificate_number === number)

function initiated(payment: MockPayment): ReplyIn<typeof routes.processPayment> {
  const query = new URLSearchParams({
    transaction_id: payment.transaction_id,
    reference: payment.payment_reference,
    amount: major(payment.amount_minor).toFixed(2),
  })
  return {
    status: 'payment_initiated',
    payment_url: `${GATEWAY_PAGE}?${query}`,
    payment_data: {},
    transaction_id: payment.transaction_id,
    payment_reference: payment.payment_reference,
    amount_paid: major(payment.amount_minor),
    currency: CURRENCY,
    expires_at: payment.expires_at,
  }
}

function start(state: MockState, user: MockUser, certificate_number: string, now: Date): MockPayment {
  const payment: MockPayment = {
    transaction_id: newTransactionId(),
    payment_reference: newReference(),
    user_id: user.id,
    certificate_number,
    status: 'pending',
    verification_status: null,
    code: null,
    gateway_status: 'PENDING',
    amount_minor: state.fee.minor,
    initiated_at: now.toISOString(),
    expires_at: new Date(now.getTime() + OPEN_FOR).toISOString(),
    settled_at: null,
    certificate: null,
    letter_code: null,
  }
  state.payments.unshift(payment)
  return payment
}

const count = (payments: readonly MockPayment[], status: MockPayment['verification_status']) =>
  payments.filter(each => each.status === 'paid' && each.verification_status === status).length

export const verification: HandlersOf<typeof routes> = {
  checkCertificate({ body, user, state }) {
    const paid = alreadyPaid(state, user, body.certificate_number)
    if (paid) return paid
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
    const open = ownPayments(state, user).find(
      each => each.certificate_number === number && each.status === 'pending',
    )
    return initiated(open ?? start(state, user, number, now))
  },
  checkStatus: ({ params, user, state, now }) => statusOf(state, visiblePayment(state, user, params.id, now)),
  paymentStatus: ({ params, user, state, now }) =>
    statusOf(state, visiblePayment(state, user, params.id, now)),
  publicPaymentStatus: ({ params, state, now }) => standingOf(paymentOrFail(state, params.id, now)),
  history({ query, user, state, now }) {
    expireOverdue(state, now)
    const own = ownPayments(state, user)
    const from = (query.page - 1) * query.per_page
    return {
      history: own.slice(from, from + query.per_page).map(payment => ({
        id: payment.transaction_id,
        certificate_number: payment.certificate_number,
        authenticated_at: payment.settled_at ?? payment.initiated_at,
        authentication_result:
          payment.status === 'pending' ? 'pending' : payment.certificate ? 'success' : 'failed',
        payment_status: payment.status,
        amount_paid: payment.status === 'paid' ? major(payment.amount_minor) : null,
        currency: CURRENCY,
        payment_reference: payment.payment_reference,
        bpms_transaction_id: payment.transaction_id,
        certificate_details: payment.certificate,
        letter: letterLinkOf(state, payment),
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
        currency: CURRENCY,
      },
    }
  },
  settings: ({ state }) => ({
    verification_fee: major(state.fee.minor),
    currency: CURRENCY,
    institution: demoInstitution,
  }),
}
