import type { ErrorCode } from '@portal/contract/errors'
import type {
  transactions as routes,
  StaffTransaction,
  TransactionEvent,
} from '@portal/contract/transactions'
import { toMajor } from '@portal/format/money'
import { CURRENCY } from './currency.ts'
import { Fault } from './fault.ts'
import { toLetterLink } from './letter-status.ts'
import { ownPayments, statusOf, taxLineOf, visibleRowsOrFail } from './payments.ts'
import type { HandlersOf } from './serve.ts'
import type { MockPayment, MockState, MockUser } from './state.ts'

interface Filter {
  status?: string | undefined
  /** A transaction ID or its prefix, or a payment reference. */
  idOrReference: string
  date_from?: string | undefined
  date_to?: string | undefined
}

const visiblePayments = (state: MockState, user: MockUser) =>
  user.role === 'user' ? ownPayments(state, user) : state.payments

/** Returns the payments that the caller may see, each as its rows: one for each certificate. */
function listPayments(state: MockState, user: MockUser): [MockPayment, ...MockPayment[]][] {
  const byId = new Map<string, [MockPayment, ...MockPayment[]]>()
  for (const item of visiblePayments(state, user)) {
    const rows = byId.get(item.transaction_id)
    if (rows) rows.push(item)
    else byId.set(item.transaction_id, [item])
  }
  return [...byId.values()]
}

function toTransaction(state: MockState, rows: [MockPayment, ...MockPayment[]]): StaffTransaction {
  const [payment] = rows
  const payer = state.users.find(user => user.id === payment.user_id)
  const amount = toMajor(rows.reduce((sum, item) => sum + item.amount_minor, 0))
  return {
    transaction_id: payment.transaction_id,
    transid: payment.transaction_id,
    payment_reference: payment.payment_reference,
    regnum: payment.certificate_number,
    items: rows.length,
    sname: payer?.lastname ?? '',
    fname: payer?.firstname ?? '',
    email: payer?.email ?? '',
    currency: CURRENCY,
    amount_due: amount,
    amount_paid: payment.status === 'paid' ? amount : null,
    status: payment.status,
    status_desc: payment.gateway_status,
    created_at: payment.initiated_at,
    updated_at: payment.ended_at ?? payment.initiated_at,
    ...taxLineOf(rows),
    ...(payment.gateway_fee_minor !== undefined && { gateway_fee: toMajor(payment.gateway_fee_minor) }),
  }
}

/** Returns the payments that the caller may see and that match the filter, newest first. */
export function listTransactions(state: MockState, user: MockUser, filter: Filter): StaffTransaction[] {
  const { status, idOrReference, date_from: from, date_to: to } = filter
  return listPayments(state, user)
    .map(rows => toTransaction(state, rows))
    .filter(item => !status || item.status === status || item.status_desc.toLowerCase() === status)
    .filter(item => item.transaction_id.startsWith(idOrReference) || item.payment_reference === idOrReference)
    .filter(item => !from || item.created_at.slice(0, 10) >= from)
    .filter(item => !to || item.created_at.slice(0, 10) <= to)
}

/** The gateway's own codes for failed payments. */
const gatewayCodes: Partial<Record<ErrorCode, string>> = {
  INSUFFICIENT_FUNDS: '51',
  INVALID_CARD: '14',
  CARD_DECLINED: '05',
  PAYMENT_FAILED: '91',
  PAYMENT_CANCELLED: 'Z6',
}

function finalType({ status, code }: MockPayment) {
  if (code === 'PAYMENT_CANCELLED') return 'cancelled'
  return code === 'PAYMENT_TIMEOUT' ? 'expired' : status
}

function eventsOf(payment: MockPayment): TransactionEvent[] {
  const { amount_minor, initiated_at, ended_at, code } = payment
  const event = (id: number, from: string | null, to: string, source: string, at: string) => ({
    id,
    type: to,
    from_status: from,
    to_status: to,
    source,
    amount: to === 'paid' || from === null ? toMajor(amount_minor) : null,
    code: null as string | null,
    at,
  })
  const created = event(1, null, 'created', 'user', initiated_at)
  // Free verifications never reach the gateway.
  if (amount_minor === 0) return [event(2, 'created', 'paid', 'user', initiated_at), created]
  const pending = event(2, 'created', 'pending', 'user', initiated_at)
  if (!ended_at) return [pending, created]
  const finalCode = payment.status === 'paid' ? '00' : ((code && gatewayCodes[code]) ?? null)
  const end = event(
    3,
    'pending',
    finalType(payment),
    code === 'PAYMENT_TIMEOUT' ? 'scheduler' : 'webhook',
    ended_at,
  )
  return [{ ...end, code: finalCode }, pending, created]
}

/**
 * Returns the result of requerying all pending payments. It never finds anything new, because the mocked gateway reports every
 * outcome.
 */
const bulkCheckReply = (state: MockState, user: MockUser) => ({
  processed_count: listPayments(state, user).filter(([payment]) => payment.status === 'pending').length,
  updated_count: 0,
})

export const transactions: HandlersOf<typeof routes> = {
  certificate({ params, user, state }) {
    const number = state.certificates.find(item => item.id === params.id)?.certificate_number
    const payment = ownPayments(state, user).find(
      item => item.certificate_number === number && item.verification_status === 'success',
    )
    if (!payment?.certificate) throw new Fault('CERTIFICATE_NOT_FOUND')
    return {
      certificate: { ...payment.certificate, id: params.id },
      authentication_date: payment.ended_at ?? payment.initiated_at,
      transaction_id: payment.transaction_id,
      letter: toLetterLink(state, payment),
    }
  },
  requery: ({ params, user, state }) => statusOf(state, visibleRowsOrFail(state, user, params.id)),
  requeryAllPending: ({ user, state }) => bulkCheckReply(state, user),
  bulkCheck: ({ user, state }) => bulkCheckReply(state, user),
  search({ query, user, state }) {
    const matching = listTransactions(state, user, { ...query, idOrReference: query.transaction_id ?? '' })
    return { transactions: matching.slice(0, query.limit), count: matching.length }
  },
  logs({ params, user, state }) {
    const [payment] = visibleRowsOrFail(state, user, params.id)
    return { transaction_id: payment.transaction_id, logs: eventsOf(payment) }
  },
}
