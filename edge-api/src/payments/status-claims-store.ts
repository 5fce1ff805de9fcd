import { and, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { CellReader } from '../db/cell-reader.ts'
import type { Database, Tx } from '../db/database.ts'
import { last } from '../db/deferred.ts'
import { fileOf } from '../db/prepared.ts'
import { payments } from '../db/schema/payments.ts'
import { findPayment, type Payment } from './store.ts'

interface Claim {
  transactionId: string
  now: number
  /** Minimum time between two requeries of a payment, in milliseconds. */
  gap: number
}

// The same rule for a value, and in SQL below. A time in the future, after the clock was set back, must not block a requery.
const isRecent = (at: number | null | undefined, { now, gap }: Claim) =>
  at != null && at > now - gap && at <= now
const isNotRecent = ({ now, gap }: Claim) =>
  or(isNull(payments.lastRequeryAt), lte(payments.lastRequeryAt, now - gap), gt(payments.lastRequeryAt, now))

/**
 * Reserves a requery in the database: at most one per payment and `gap`, however many processes there are.
 * @returns the payment, or undefined if another caller has reserved it
 */
export async function claimStatusCheck(db: Tx, claim: Claim): Promise<Payment | undefined> {
  const [claimed] = await db
    .update(payments)
    .set({ lastRequeryAt: claim.now })
    .where(and(eq(payments.transactionId, claim.transactionId), isNotRecent(claim)))
    .returning()
  return claimed
}

/** When this process reserved requeries, by transaction ID, oldest first. */
const reserved = new WeakMap<CellReader, Map<string, number>>()

/**
 * Reserves a requery for a status check: at most one per payment and `gap`. A database file is used by only one process
 * (decision 005), so for a file the reservation is kept in memory, and only the gateway's answer is written.
 * @returns the payment, or undefined if another caller has reserved it
 */
export async function reserveStatusCheck(db: Database, claim: Claim): Promise<Payment | undefined> {
  const { transactionId, now } = claim
  const file = fileOf(db.read)
  if (!file) return await db.write(tx => last(tx, () => claimStatusCheck(tx, claim)))
  const payment = await findPayment(db.read, { transactionId })
  const claims = reserved.get(file) ?? new Map<string, number>()
  reserved.set(file, claims)
  for (const [id, at] of claims) {
    if (isRecent(at, claim)) break
    claims.delete(id)
  }
  if (!payment || isRecent(payment.lastRequeryAt, claim) || isRecent(claims.get(transactionId), claim))
    return undefined
  claims.delete(transactionId)
  claims.set(transactionId, now)
  return payment
}
