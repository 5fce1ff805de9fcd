import type { Database, Tx } from '../db/database.ts'
import { executeLast } from '../db/deferred-writes.ts'
import { isUnpaid, type PaymentFact, type PaymentState, transition } from '../db/schema/payment-states.ts'
import { sha256Hex } from '../digest.ts'
import { notifyRefundNeedsAttention } from '../notifications/notify-money.ts'
import type { Requery } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { type DeliveryFacts, readDelivery } from './delivery.ts'
import { enterState, storeState } from './enter-state.ts'
import { recordGatewayFee } from './gateway-fees.ts'
import { recordLateReceipts } from './late-receipts.ts'
import { isReturningAll } from './money-store.ts'
import { queryGateway } from './query-gateway.ts'
import { wakeRefunds } from './refund-store.ts'
import {
  alertUnrequestedRefund,
  hasUnrecordedRefund,
  recordRepeatedReversal,
  recordReturnedReversal,
} from './reversals.ts'
import { interpretAnswer } from './rules.ts'
import { isStaleStart, nextRequery, REVIEW_INTERVAL_MS, REVIEW_UNTIL_MS } from './schedule.ts'
import {
  appendEvent,
  findPayment,
  findPaymentById,
  isForeignTransaction,
  isWorthRequerying,
  type Payment,
  type PaymentKey,
  recordRequery,
  type SyncSource,
  toRequeryColumns,
} from './store.ts'
import { retryOnConflict } from './version-conflict.ts'

export interface SyncResult<T = undefined> {
  /** The payment's current state. */
  payment: Payment
  /** The result of `query`, read in the same transaction. */
  queryResult: T | undefined
  /** False if the gateway gave no usable answer, so that the stored state remains. */
  isAnswered: boolean
  /** The gateway's answer. */
  answer?: Requery
}

/**
 * Requeries the gateway for a payment, and applies its answer. Webhooks, status checks, the scheduler and reconciliation all do
 * this. Safe to call any number of times, in parallel and in any order.
 * @returns undefined if there is no such payment
 * @throws Fault `DATABASE_UNAVAILABLE`; a failure of the gateway is not an error here
 */
export async function syncWithGateway(
  ports: Ports,
  database: Database,
  key: PaymentKey,
  source: SyncSource,
  actorId?: string,
): Promise<SyncResult | undefined> {
  const payment = await findPayment(database.read, key)
  return payment && (await syncPayment(ports, database, payment, source, actorId))
}

/**
 * Does the same as `syncWithGateway`, for a payment that has just been read.
 * @param query runs after the change, in the same transaction, and so needs no extra request to a database server
 */
export async function syncPayment<T = undefined>(
  ports: Ports,
  database: Database,
  seen: Payment,
  source: SyncSource,
  actorId?: string,
  query?: (tx: Tx) => Promise<T>,
): Promise<SyncResult<T>> {
  let payment = seen
  let queryResult: T | undefined
  if (payment.status === 'created') {
    if (isStaleStart(payment.createdAt, ports.clock.now())) {
      const update = { fact: 'unanswered', source, actorId } as const
      payment = await updatePayment(ports, database, payment.id, update, payment)
    }
  }
  const answer = await queryGateway(ports, payment)
  const updated = await updatePayment(
    ports,
    database,
    payment.id,
    { answer, source, actorId },
    payment,
    async tx => {
      queryResult = await query?.(tx)
    },
  )
  return { payment: updated, queryResult, isAnswered: answer !== undefined, ...(answer && { answer }) }
}

/** New information about a payment: an answer of the gateway (undefined if the call failed), or a fact about starting it. */
type Update = { source: SyncSource; actorId?: string | undefined } & (
  | { answer: Requery | undefined }
  | { fact: PaymentFact; changes?: Partial<Payment> }
)

/**
 * Applies an update. Retries on version conflicts, reading the state again each time.
 * @param lastRead the payment as it was last read, which saves reading it
 * @param query runs after the change, in the same transaction
 */
export async function updatePayment(
  ports: Ports,
  database: Database,
  id: string,
  update: Update,
  lastRead?: Payment,
  query?: (tx: Tx) => Promise<void>,
): Promise<Payment> {
  const rawHash = 'answer' in update && update.answer ? sha256Hex(update.answer.raw) : null
  let tries = 0
  const after = await retryOnConflict(() => {
    const isFirst = tries++ === 0
    return database.write(async tx => {
      const current = isFirst && 'fact' in update ? reuseLastRead(update.fact, lastRead) : undefined
      await readAndApply(ports, tx, id, update, { rawHash, lastRead, current })
      return await executeLast(tx, () => Promise.all([findPaymentById(tx, { id }), query?.(tx)]))
    })
  })
  return after[0] ?? throwMissing()
}

/**
 * Returns the payment as it was last read, if the fact changes its state. It need not be read again: if it has changed since,
 * writing it causes a version conflict.
 */
const reuseLastRead = (fact: PaymentFact, lastRead: Payment | undefined) =>
  lastRead && transition(lastRead.status, fact) ? lastRead : undefined

/** True if an answer will probably mark a payment as paid. */
const isDelivering = (update: Update, { status, purpose }: Payment) =>
  'answer' in update &&
  update.answer?.outcome === 'succeeded' &&
  isUnpaid(status) &&
  purpose === 'verification'

const throwMissing = (): never => {
  throw new Error('a payment has disappeared')
}

/** Reads what the update depends on, and applies the update. @param current the payment, if it need not be read */
async function readAndApply(
  ports: Ports,
  db: Tx,
  id: string,
  update: Update,
  {
    rawHash,
    lastRead,
    current,
  }: { rawHash: string | null; lastRead: Payment | undefined; current: Payment | undefined },
): Promise<void> {
  const [seen = throwMissing(), isForeign, facts] = await Promise.all([
    current ?? findPaymentById(db, { id }),
    belongsToOtherPayment(db, id, update),
    // Safe before the payment is read again, because its owner, start time and items never change.
    lastRead && isDelivering(update, lastRead) ? readDelivery(db, lastRead) : undefined,
  ])
  await applyUpdate(ports, db, { seen, isForeign, facts }, update, rawHash)
  if ('answer' in update)
    await recordGatewayFee(db, { paymentId: id, answer: update.answer, at: ports.clock.now() })
}

/** True if the money in an answer belongs to another payment. */
async function belongsToOtherPayment(db: Tx, id: string, update: Update): Promise<boolean> {
  if (!('answer' in update) || update.answer?.outcome !== 'succeeded') return false
  const { providerTxnId } = update.answer
  return providerTxnId !== undefined && (await isForeignTransaction(db, { id, providerTxnId }))
}

async function applyUpdate(
  ports: Ports,
  db: Tx,
  { seen, isForeign, facts }: { seen: Payment; isForeign: boolean; facts: DeliveryFacts | undefined },
  update: Update,
  rawHash: string | null,
): Promise<void> {
  const at = ports.clock.now()
  if ('fact' in update) {
    const to = transition(seen.status, update.fact)
    if (!to) return
    const nextAt = to === 'failed' ? null : (nextRequery(seen.createdAt, at, Math.random()) ?? null)
    await storeState(db, seen, to, { ...update.changes, nextRequeryAt: nextAt }, at)
    const { source, actorId } = update
    const states = { fromStatus: seen.status, toStatus: to }
    await appendEvent(db, { paymentId: seen.id, type: to, ...states, source, actorId, at })
    return
  }

  const { source, actorId } = update
  const providerTxnId = update.answer?.providerTxnId ?? null
  // Money that belongs to another payment proves nothing about this one.
  const answer =
    isForeign && update.answer ? { ...update.answer, outcome: 'unknown' as const } : update.answer
  const event = {
    paymentId: seen.id,
    providerTxnId,
    source,
    actorId,
    amountMinor: answer?.amountPaid?.minor ?? null,
    code: answer?.code ?? null,
    rawHash,
    at,
  }
  const notFound = answer?.outcome === 'not_found'
  const requeryNoteOf = (state: PaymentState) => ({
    at,
    nextAt: computeNextRequery({ ...seen, status: state }, at),
    notFound,
    gatewayStatus: answer?.status,
  })
  if (isForeign) {
    ports.log({ level: 'error', event: 'foreign_transaction', payment: seen.id })
    await appendEvent(db, { ...event, type: 'foreign_transaction' })
  }

  const expected = {
    reference: seen.providerReference,
    amount: { minor: seen.amountMinor, currency: 'NGN' as const },
    mode: seen.mode,
    expiresAt: seen.expiresAt,
    state: seen.status,
    notFoundAnswers: seen.notFoundAnswers + (notFound ? 1 : 0),
  }
  const reportedFact = answer && interpretAnswer(answer, expected, at)
  // A refund requested by the portal is recorded when the refund is confirmed. The payment is requeried afterwards, in case the
  // gateway reversed more.
  const isOwnRefund = reportedFact === 'reversed' && (await isReturningAll(db, { paymentId: seen.id }))
  const isUnrecordedRefund =
    reportedFact === 'reversed' && (await hasUnrecordedRefund(db, { paymentId: seen.id, answer }))
  if (isUnrecordedRefund) await wakeRefunds(db, { paymentId: seen.id, now: at })
  const newFact = isOwnRefund || isUnrecordedRefund ? undefined : reportedFact
  const fact = newFact && transition(seen.status, newFact) ? newFact : exhaustedFact(seen, at)
  const to = fact && transition(seen.status, fact)
  if (!to) {
    await recordRequery(db, { id: seen.id, ...requeryNoteOf(seen.status) })
    if (newFact && LATE_FAILURES.has(newFact)) await recordLateFailure(ports, db, seen, event)
    if (newFact === 'reversed') await recordRepeatedReversal(ports, db, seen, event)
    if (newFact === 'money_matches' || newFact === 'money_differs') {
      const updated = await recordReturnedReversal(ports, db, { seen, answer, event })
      await recordLateReceipts(ports, db, { seen: updated, answer, event })
      await alertUnrequestedRefund(ports, db, { seen: updated, answer, event })
    }
    return
  }
  await enterState(ports, db, seen, to, answer, at, {
    extraChanges: toRequeryColumns(requeryNoteOf(to)),
    facts,
  })
  if (to === 'paid' || to === 'mismatched') await alertUnrequestedRefund(ports, db, { seen, answer, event })
  await appendEvent(db, { ...event, type: to, fromStatus: seen.status, toStatus: to })
  if (to === 'expired' && answer?.outcome === 'unknown') {
    const refund = { amountMinor: seen.amountMinor, currency: seen.currency }
    await notifyRefundNeedsAttention(db, { payment: seen, refund, note: UNCLEAR, at })
  }
  ports.log({
    level: to === 'mismatched' || to === 'reversed' || to === 'review' ? 'error' : 'info',
    event: 'payment',
    // The internal ID, because with a transaction ID others could look up the payment.
    payment: seen.id,
    from: seen.status,
    to,
    source,
  })
}

const UNCLEAR =
  'The payment expired while the gateway was returning an undocumented code. Check at the gateway whether money was received.'

const exhaustedFact = (seen: Payment, at: number): PaymentFact | undefined =>
  nextRequery(seen.createdAt, at, 0.5) === undefined ? 'exhausted' : undefined

const LATE_FAILURES = new Set<PaymentFact>(['declined', 'cancelled', 'closed_late'])

/**
 * Records that the gateway reported a failure after the payment had been paid, so that staff can check it. Nothing else
 * changes.
 */
async function recordLateFailure(
  ports: Ports,
  db: Tx,
  seen: Payment,
  event: Omit<Parameters<typeof appendEvent>[1], 'type'>,
): Promise<void> {
  if (isUnpaid(seen.status)) return
  ports.log({ level: 'error', event: 'failed_after_paid', payment: seen.id })
  await appendEvent(db, { ...event, type: 'failed_after_paid' })
}

/**
 * Returns when the next requery is due: at the latest right after the payment expires, so that the expiry is not delayed until
 * the schedule's next step.
 */
function computeNextRequery(seen: Payment, at: number): number | null {
  if (!isWorthRequerying(seen)) return null
  const step = nextRequery(seen.createdAt, at, Math.random())
  if (step === undefined) {
    const continues = seen.status === 'review' && at - seen.createdAt < REVIEW_UNTIL_MS
    return continues ? at + REVIEW_INTERVAL_MS : null
  }
  return seen.expiresAt > at ? Math.min(step, seen.expiresAt + 1000) : step
}
