import type { transactions } from '@portal/contract/transactions'
import { Fault } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { toLetterLink } from '../letters/rules.ts'
import { listLettersOfItems } from '../letters/store.ts'
import { periodOf } from '../logs/rules.ts'
import { forEachConcurrently } from '../payments/concurrency.ts'
import { isAtGateway } from '../payments/rules.ts'
import { isWorthRequerying, type Payment } from '../payments/store.ts'
import { iso, majorOrNull } from '../wire.ts'
import { canChange, readStatusReply, requeryIfDue, requireOwnPayment } from './status-check.ts'
import { letterCertificate } from './store.ts'
import { toTransactionRecord } from './transaction-record.ts'
import {
  countTransactions,
  findDeliveredCertificate,
  listEvents,
  listTransactions,
  listWaiting,
} from './transactions-store.ts'

type Domain = typeof transactions

/**
 * Maximum number of payments that one call requeries, and the time after which it starts no further requery, in milliseconds.
 */
const MAX_REQUERIES = 50
const TIME_LIMIT_MS = 12_000

const isStaff = (role: string) => role !== 'user'

async function certificate({ params, user, db, ports }: Call<Domain['certificate']>) {
  const found = await findDeliveredCertificate(db.read, { userId: user.id, certificateId: params.id })
  if (!found) throw new Fault('CERTIFICATE_NOT_FOUND')
  const { fulfilment, payment } = found
  const itemIds = [fulfilment.paymentItemId]
  const letter = (await listLettersOfItems(db.read, { itemIds })).get(fulfilment.paymentItemId)
  return {
    certificate: { id: params.id, ...letterCertificate(fulfilment, letter) },
    authentication_date: iso(fulfilment.at),
    transaction_id: payment.transactionId,
    letter: letter ? toLetterLink(letter, ports.environment.PUBLIC_URL) : null,
  }
}

/**
 * True if staff can have a payment requeried. This includes failed payments, for which late money may be found. Demo payments
 * have no gateway.
 */
const canRequery = (payment: Payment, now: number) =>
  isAtGateway(payment) &&
  (canChange(payment, now) || (payment.status !== 'created' && isWorthRequerying(payment)))

async function requery(call: Call<Domain['requery']>) {
  const payment = await requireOwnPayment(call)
  if (!canRequery(payment, call.ports.clock.now())) return readStatusReply(call, payment)
  const check = await requeryIfDue(call, payment, 'user', call.user.id)
  if (check.isRequeried && !check.isAnswered) throw new Fault('REQUERY_FAILED', { retryAfter: 5 })
  return readStatusReply(call, check.payment)
}

/** Requeries pending payments, several at a time, until the limit or the time is used up. */
async function requeryWaiting(
  call: Pick<Call, 'db' | 'ports'>,
  { userId, actorId }: { userId: string | undefined; actorId: string },
) {
  const { db, ports } = call
  const waitingPayments = await listWaiting(db.read, { userId, limit: MAX_REQUERIES })
  const source = userId === undefined ? 'reconcile' : 'user'
  const counts = { processed_count: 0, updated_count: 0 }
  await forEachConcurrently(
    waitingPayments,
    async next => {
      if (!canChange(next, ports.clock.now())) return
      try {
        const { payment, isRequeried } = await requeryIfDue(call, next, source, actorId)
        if (!isRequeried) return
        counts.processed_count += 1
        if (payment.status !== next.status) counts.updated_count += 1
      } catch (error) {
        // A payment that cannot be synced now must not delay the others. The scheduler retries it.
        const cause = error instanceof Error ? error.name : 'unknown'
        ports.log({ level: 'warn', event: 'status_check_failed', cause })
      }
    },
    AbortSignal.timeout(TIME_LIMIT_MS),
  )
  return counts
}

async function search({ query, user, db }: Call<Domain['search']>) {
  const filter = {
    userId: isStaff(user.role) ? undefined : user.id,
    status: query.status,
    search: query.transaction_id ?? '',
    ...periodOf(query),
  }
  const rows = await listTransactions(db.read, { ...filter, limit: query.limit })
  return { transactions: rows.map(toTransactionRecord), count: await countTransactions(db.read, filter) }
}

async function logs(call: Call<Domain['logs']>) {
  const payment: Payment = await requireOwnPayment(call)
  const events = await listEvents(call.db.read, { paymentId: payment.id })
  return {
    transaction_id: payment.transactionId,
    logs: events.map(event => ({
      id: event.id,
      type: event.type,
      from_status: event.fromStatus,
      to_status: event.toStatus,
      source: event.source,
      amount: majorOrNull(event.amountMinor),
      code: event.code,
      at: iso(event.at),
    })),
  }
}

export const transactionHandlers: HandlersOf<Domain> = {
  certificate,
  requery,
  requeryAllPending: call =>
    requeryWaiting(call, {
      userId: isStaff(call.user.role) ? undefined : call.user.id,
      actorId: call.user.id,
    }),
  search,
  logs,
  bulkCheck: call => requeryWaiting(call, { userId: undefined, actorId: call.user.id }),
}
