import type {
  transactions as routes,
  TransactionEvent,
  TransactionRecord,
} from '@portal/contract/transactions'
import { Fault } from './fault.ts'
import { CURRENCY, major, ownPayments, statusOf, visibleRows } from './payments-of.ts'
import type { HandlersOf } from './serve.ts'
import { letterLinkOf } from './standing-letter.ts'
import type { MockPayment, MockState, MockUser } from './state.ts'

interface Filter {
  status?: string | undefined
  /** A transaction id or the beginning of one, or a payment reference. */
  name: string
  date_from?: string | undefined
  date_to?: string | undefined
}

const seen = (state: MockState, user: MockUser) =>
  user.role === 'user' ? ownPayments(state, user) : state.payments

/** One row a payment: of a bulk payment the first of its certificates. */
function payments(state: MockState, user: MockUser): [MockPayment, ...MockPayment[]][] {
  const byId = new Map<string, [MockPayment, ...MockPayment[]]>()
  for (const each of seen(state, user)) {
    const rows = byId.get(each.transaction_id)
    if (rows) rows.push(each)
    else byId.set(each.transaction_id, [each])
  }
  return [...byId.values()]
}

function recordOf(state: MockState, rows: [MockPayment, ...MockPayment[]]): TransactionRecord {
  const [payment] = rows
  const payer = state.users.find(user => user.id === payment.user_id)
  const amount = major(rows.reduce((sum, each) => sum + each.amount_minor, 0))
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
    updated_at: payment.settled_at ?? payment.initiated_at,
  }
}

/** The payments that a caller may see and a filter leaves, newest first. */
export function recordsOf(state: MockState, user: MockUser, filter: Filter): TransactionRecord[] {
  const { status, name, date_from: from, date_to: to } = filter
  return payments(state, user)
    .map(rows => recordOf(state, rows))
    .filter(each => !status || each.status === status || each.status_desc.toLowerCase() === status)
    .filter(each => each.transaction_id.startsWith(name) || each.payment_reference === name)
    .filter(each => !from || each.created_at.slice(0, 10) >= from)
    .filter(each => !to || each.created_at.slice(0, 10) <= to)
}

function storyOf(payment: MockPayment): TransactionEvent[] {
  const event = (id: number, from: string | null, to: string, source: string, at: string) => ({
    id,
    type: to,
    from_status: from,
    to_status: to,
    source,
    amount: to === 'paid' || from === null ? major(payment.amount_minor) : null,
    code: to === 'paid' ? '00' : null,
    at,
  })
  const story = [
    event(1, null, 'created', 'user', payment.initiated_at),
    event(2, 'created', 'pending', 'user', payment.initiated_at),
  ]
  if (payment.settled_at) story.push(event(3, 'pending', payment.status, 'webhook', payment.settled_at))
  return story.reverse()
}

/** The mocked gateway tells the mocks itself, so that asking it brings nothing new. */
const asked = (state: MockState, user: MockUser) => ({
  processed_count: payments(state, user).filter(([each]) => each.status === 'pending').length,
  updated_count: 0,
})

export const transactions: HandlersOf<typeof routes> = {
  certificate({ params, user, state }) {
    const number = state.certificates.find(each => each.id === params.id)?.certificate_number
    const payment = ownPayments(state, user).find(
      each => each.certificate_number === number && each.verification_status === 'success',
    )
    if (!payment?.certificate) throw new Fault('CERTIFICATE_NOT_FOUND')
    return {
      certificate: { ...payment.certificate, id: params.id },
      authentication_date: payment.settled_at ?? payment.initiated_at,
      transaction_id: payment.transaction_id,
      letter: letterLinkOf(state, payment),
    }
  },
  askGateway: ({ params, user, state, now }) => statusOf(state, visibleRows(state, user, params.id, now)),
  askAllPending: ({ user, state }) => asked(state, user),
  bulkCheck: ({ user, state }) => asked(state, user),
  search({ query, user, state }) {
    const matching = recordsOf(state, user, { ...query, name: query.transaction_id ?? '' })
    return { transactions: matching.slice(0, query.limit), count: matching.length }
  },
  logs({ params, user, state, now }) {
    const [payment] = visibleRows(state, user, params.id, now)
    return { transaction_id: payment.transaction_id, logs: storyOf(payment) }
  },
}
