import { and, asc, desc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import { writeDeferred, writeDeferredOne } from '../db/deferred-writes.ts'
import { insertedRow } from '../db/inserted-row.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import type { fulfilments } from '../db/schema/money.ts'
import { isOpen, isUnpaid } from '../db/schema/payment-states.ts'
import { paymentEvents, paymentItems, payments } from '../db/schema/payments.ts'
import { isDue } from '../db/time-conditions.ts'
import { isNotDeferred, wakeErasure } from '../queues/deferral-store.ts'
import { computeItemResult } from './item-results.ts'
import { updateResultsOf, updateResultsOfRepeats } from './item-results-store.ts'
import { isWithoutGateway } from './rules.ts'
import { LEASE_MS, OPEN_FOR_MS, STARTED_AHEAD_INTERVAL_MS } from './schedule.ts'
import { VersionConflict } from './version-conflict.ts'

export type Payment = typeof payments.$inferSelect
export type PaymentItem = typeof paymentItems.$inferSelect
export type Fulfilment = typeof fulfilments.$inferSelect

/** Identifies a payment by one of its two public identifiers. */
export type PaymentKey = { transactionId: string } | { reference: string }

const byTransactionId = prepareOnce(db =>
  db
    .select()
    .from(payments)
    .where(eq(payments.transactionId, sql.placeholder('transactionId'))),
)
const byReference = prepareOnce(db =>
  db
    .select()
    .from(payments)
    .where(eq(payments.providerReference, sql.placeholder('reference'))),
)

export async function findPayment(db: Reader, key: PaymentKey): Promise<Payment | undefined> {
  return await ('reference' in key ? byReference(db).get(key) : byTransactionId(db).get(key))
}

const byId = prepareOnce(db =>
  db
    .select()
    .from(payments)
    .where(eq(payments.id, sql.placeholder('id'))),
)

export async function findPaymentById(db: Reader, { id }: { id: string }): Promise<Payment | undefined> {
  return await byId(db).get({ id })
}

const itemsQuery = prepareOnce(db =>
  db
    .select()
    .from(paymentItems)
    .where(eq(paymentItems.paymentId, sql.placeholder('paymentId')))
    .orderBy(paymentItems.id),
)

/** Returns the items of a payment, in the order of the request. */
export async function listPaymentItems(db: Reader, payment: { paymentId: string }): Promise<PaymentItem[]> {
  return await itemsQuery(db).all(payment)
}

/**
 * Stores a new attempt with its items, as open, and returns it.
 * @throws the driver's unique violation if the user has an open attempt for one of the numbers
 */
export async function insertAttempt(
  db: Tx,
  payment: Omit<typeof payments.$inferInsert, 'withoutGateway'>,
  certificates: readonly { certificateNumber: string; amountMinor: number }[],
): Promise<Payment> {
  const attempt = { ...payment, withoutGateway: isWithoutGateway(payment.provider) }
  await writeDeferred(db, db.insert(payments).values(attempt))
  // Sorted, so that the IDs of a payment's items are in the order of its numbers.
  const ids = certificates.map(() => crypto.randomUUID()).sort()
  const rows = certificates.map(({ certificateNumber, amountMinor }, index) => ({
    id: ids[index] ?? crypto.randomUUID(),
    paymentId: payment.id,
    userId: payment.userId,
    certificateNumber,
    amountMinor,
    createdAt: payment.createdAt,
    open: 1,
    ...computeItemResult({ status: payment.status, outcome: null, isRepeated: false }),
    resultAt: payment.createdAt,
  }))
  for (const chunk of chunks(rows)) await writeDeferred(db, db.insert(paymentItems).values(chunk))
  return insertedRow(payments, attempt)
}

export type Changes = Omit<
  SQLiteUpdateSetSource<typeof payments>,
  'id' | 'version' | 'providerReference' | 'status'
> &
  Partial<Pick<Payment, 'status'>>

/**
 * Changes a payment if it has not changed since it was read. If its new state is not open, also closes its items.
 * @throws VersionConflict if it has changed: roll back and retry
 */
export async function compareAndSet(db: Tx, seen: Payment, changes: Changes): Promise<void> {
  const change = db
    .update(payments)
    .set({ ...changes, version: seen.version + 1 })
    .where(and(eq(payments.id, seen.id), eq(payments.version, seen.version)))
  await writeDeferredOne(db, change, () => new VersionConflict())
  if (changes.status && changes.status !== seen.status) await updateItems(db, seen, changes.status)
  if (changes.status) await wakeErasure(db, seen.userId)
}

async function updateItems(db: Tx, seen: Payment, status: Payment['status']): Promise<void> {
  // `insertFulfilments` closes the items and sets their results, in the transaction that marks a payment as paid.
  if (status === 'paid' && isUnpaid(seen.status)) return
  const closed = isOpen(seen.status) && !isOpen(status) && { open: 0 }
  // Nothing is delivered for an unpaid payment, so most of its states have the same result.
  const resultWithoutDelivery = (state: Payment['status']) =>
    computeItemResult({ status: state, outcome: null, isRepeated: false })
  const hasSameResult =
    isUnpaid(seen.status) &&
    resultWithoutDelivery(seen.status).result === resultWithoutDelivery(status).result
  const result = isUnpaid(status) && !hasSameResult && resultWithoutDelivery(status)
  if (closed || result)
    await writeDeferred(
      db,
      db
        .update(paymentItems)
        .set({ ...closed, ...result })
        .where(eq(paymentItems.paymentId, seen.id)),
    )
  if (isUnpaid(status)) return
  await updateResultsOf(db, { paymentId: seen.id })
  if (status === 'reversed') await updateResultsOfRepeats(db, { paymentId: seen.id, userId: seen.userId })
}

/** Time and content of the gateway's answer, and when the next requery is due. */
export interface RequeryNote {
  at: number
  nextAt: number | null
  notFound: boolean
  gatewayStatus: string | undefined
}

/** Returns the columns that record an answer. */
export function toRequeryColumns({ at, nextAt, notFound, gatewayStatus }: RequeryNote) {
  const latest = at + OPEN_FOR_MS
  return {
    lastRequeryAt: at,
    nextRequeryAt: nextAt,
    leaseUntil: null,
    // An attempt that was started while the clock was ahead expires after the usual time from now.
    expiresAt: sql`iif(expires_at > ${latest + MAX_CLOCK_SKEW_MS}, ${latest}, expires_at)`,
    requeries: sql`requeries + 1`,
    ...(notFound && { notFoundAnswers: sql`not_found_answers + 1` }),
    ...(gatewayStatus !== undefined && { gatewayStatus }),
  }
}

/** Records an answer that changes no state. It needs no version check, because no decision depends on it. */
export async function recordRequery(db: Tx, { id, ...note }: RequeryNote & { id: string }): Promise<void> {
  await writeDeferred(db, db.update(payments).set(toRequeryColumns(note)).where(eq(payments.id, id)))
  if (note.nextAt === null) await wakeErasure(db, sql`(select user_id from ${payments} where id = ${id})`)
}

export interface PaymentEvent {
  paymentId: string
  /** The state that was reached, or another event, such as `failed_after_paid` or `foreign_transaction`. */
  type: string
  providerTxnId?: string | null | undefined
  fromStatus?: string
  toStatus?: string
  source: string
  actorId?: string | null | undefined
  amountMinor?: number | null | undefined
  code?: string | null | undefined
  rawHash?: string | null | undefined
  at: number
}

const insertEvents = (db: Tx, ...events: readonly PaymentEvent[]) =>
  db
    .insert(paymentEvents)
    .values([...events])
    .onConflictDoNothing()

/** Adds events to the history of a payment, in this order. The same event of the same gateway transaction is stored once. */
export async function appendEvent(db: Tx, ...events: readonly PaymentEvent[]): Promise<void> {
  await writeDeferred(db, insertEvents(db, ...events))
}

/** Adds an event like `appendEvent`. @returns false if it had already been stored */
export async function appendNewEvent(db: Tx, event: PaymentEvent): Promise<boolean> {
  const { rowsAffected } = await insertEvents(db, event)
  return rowsAffected === 1
}

const foreignQuery = prepareOnce(db =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        sql`${payments.provider} = (select provider from payments as own where own.id = ${sql.placeholder('id')})`,
        eq(payments.providerTxnId, sql.placeholder('providerTxnId')),
        sql`${payments.id} <> ${sql.placeholder('id')}`,
      ),
    ),
)

/**
 * True if the gateway's transaction already belongs to another payment. It is then a replay, and brings no money for this
 * payment.
 */
export async function isForeignTransaction(
  db: Reader,
  transaction: { id: string; providerTxnId: string },
): Promise<boolean> {
  return (await foreignQuery(db).get(transaction)) !== undefined
}

const DAY = 86_400_000
/** How far ahead a due time can be, in milliseconds: more than the schedule's longest delay, which is a day with jitter. */
const MAX_AHEAD_MS = 2 * DAY

const isAvailable = (now: number) =>
  and(
    or(
      isDue(payments.nextRequeryAt, now, MAX_AHEAD_MS),
      // Payments that were started while the clock was ahead, and not requeried since the clock was corrected.
      and(
        gt(payments.createdAt, now + MAX_CLOCK_SKEW_MS),
        gt(payments.nextRequeryAt, now + STARTED_AHEAD_INTERVAL_MS + MAX_CLOCK_SKEW_MS),
      ),
    ),
    or(
      isNull(payments.leaseUntil),
      lt(payments.leaseUntil, now),
      gt(payments.leaseUntil, now + LEASE_MS + MAX_CLOCK_SKEW_MS),
    ),
  )

/**
 * Lists payments whose requery is due and that are not leased: those overdue longest first or, if `newestFirst` is true, last.
 */
export async function listDuePayments(
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<Pick<Payment, 'id' | 'transactionId' | 'provider'>[]> {
  return db
    .select({ id: payments.id, transactionId: payments.transactionId, provider: payments.provider })
    .from(payments)
    .where(
      and(
        isNotNull(payments.nextRequeryAt),
        isAvailable(now),
        isNotDeferred('requery', payments.transactionId, now),
      ),
    )
    .orderBy((newestFirst ? desc : asc)(payments.nextRequeryAt))
    .limit(limit)
}

/** Leases a due payment to one run. @returns false if another run has leased it */
export async function leaseDuePayment(
  db: Tx,
  { id, now, until }: { id: string; now: number; until: number },
): Promise<boolean> {
  const result = await db
    .update(payments)
    .set({ leaseUntil: until })
    .where(and(eq(payments.id, id), isAvailable(now)))
  return result.rowsAffected === 1
}

/** True while requerying a payment can still be useful. */
export const isWorthRequerying = (payment: Payment): boolean =>
  isUnpaid(payment.status) || payment.status === 'mismatched'

/** The cause of a sync. It is only recorded, and does not affect the result, which depends on the gateway's answer. */
export type SyncSource = 'user' | 'webhook' | 'return' | 'scheduler' | 'reconcile'
