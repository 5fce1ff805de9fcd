import { and, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { CellReader } from '../db/cell-reader.ts'
import type { Database, Tx } from '../db/database.ts'
import { executeLast } from '../db/deferred-writes.ts'
import { fileOf } from '../db/prepared-queries.ts'
import { payments } from '../db/schema/payments.ts'
import { findPayment, type Payment } from './store.ts'

interface Reservation {
  transactionId: string
  now: number
  /** Minimum time between two requeries of a payment, in milliseconds. */
  gap: number
}

// One rule, for a value and in SQL. A time in the future, after the clock was set back, must not block a requery.
const isRecent = (at: number | null | undefined, { now, gap }: Reservation) =>
  at != null && at > now - gap && at <= now
const isNotRecent = ({ now, gap }: Reservation) =>
  or(isNull(payments.lastRequeryAt), lte(payments.lastRequeryAt, now - gap), gt(payments.lastRequeryAt, now))

/**
 * Reserves a requery in the database: at most one per payment and `gap`, however many processes there are.
 * @returns the payment, or undefined if another caller has reserved it
 */
export async function reserveInDatabase(db: Tx, reservation: Reservation): Promise<Payment | undefined> {
  const [row] = await db
    .update(payments)
    .set({ lastRequeryAt: reservation.now })
    .where(and(eq(payments.transactionId, reservation.transactionId), isNotRecent(reservation)))
    .returning()
  return row
}

/** When this process reserved requeries, by transaction ID, oldest first. */
const reservationsByFile = new WeakMap<CellReader, Map<string, number>>()

/**
 * Reserves a requery for a status check: at most one per payment and `gap`. A database file is used by only one process
 * (decision 005), so for a file the reservation is kept in memory, and only the gateway's answer is written.
 * @returns the payment, or undefined if another caller has reserved it
 */
export async function reserveStatusCheck(
  db: Database,
  reservation: Reservation,
): Promise<Payment | undefined> {
  const { transactionId, now } = reservation
  const file = fileOf(db.read)
  if (!file) return await db.write(tx => executeLast(tx, () => reserveInDatabase(tx, reservation)))
  const payment = await findPayment(db.read, { transactionId })
  const reservations = reservationsByFile.get(file) ?? new Map<string, number>()
  reservationsByFile.set(file, reservations)
  for (const [id, at] of reservations) {
    if (isRecent(at, reservation)) break
    reservations.delete(id)
  }
  if (
    !payment ||
    isRecent(payment.lastRequeryAt, reservation) ||
    isRecent(reservations.get(transactionId), reservation)
  )
    return undefined
  reservations.delete(transactionId)
  reservations.set(transactionId, now)
  return payment
}
