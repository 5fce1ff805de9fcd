import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { disputes } from '../db/schema/disputes.ts'
import { refunds } from '../db/schema/money.ts'
import { payments } from '../db/schema/payments.ts'
import { isNotDeferred } from '../queues/deferral-store.ts'

/** Numbers of things that prevent the erasure of an account until they have ended. */
export interface Blockers {
  /** Payments that are open or under review. */
  openPayments: number
  /** Refunds that are due but not completed. */
  refundsDue: number
  /** Disputes that are not decided yet. */
  openDisputes: number
}

const openOrInReview = sql`${payments.status} in ('created', 'pending', 'unknown', 'processing', 'review')`

export async function countErasureBlockers(db: Reader, { userId }: { userId: string }): Promise<Blockers> {
  const isOfUser = eq(payments.userId, userId)
  const [open] = await db.select({ total: count() }).from(payments).where(and(isOfUser, openOrInReview))
  const [due] = await db
    .select({ total: count() })
    .from(payments)
    .innerJoin(refunds, eq(refunds.paymentId, payments.id))
    .where(and(isOfUser, ne(refunds.status, 'processed')))
  const [disputed] = await db
    .select({ total: count() })
    .from(payments)
    .innerJoin(disputes, eq(disputes.paymentId, payments.id))
    .where(and(isOfUser, inArray(disputes.state, ['open', 'contested'])))
  return {
    openPayments: open?.total ?? 0,
    refundsDue: due?.total ?? 0,
    openDisputes: disputed?.total ?? 0,
  }
}

/** True while a payment of the account is still requeried. Until then, the account is kept: late money needs a payer. */
export async function isStillRequeried(db: Reader, { userId }: { userId: string }): Promise<boolean> {
  const [row] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.userId, userId), isNotNull(payments.nextRequeryAt)))
    .limit(1)
  return row !== undefined
}

/** Sets when an account is to be erased; null cancels the erasure. */
export async function setErasureDue(
  db: Tx,
  { userId, dueAt }: { userId: string; dueAt: number | null },
): Promise<void> {
  await db.update(users).set({ erasureDueAt: dueAt }).where(eq(users.id, userId))
}

/**
 * Corrects due times that were written while the clock was ahead: limits them to the longest possible wait from now. Never
 * brings a correct time forward, because an erasure cannot be undone.
 */
export async function capErasureTimes(
  db: Tx,
  { now, graceMs }: { now: number; graceMs: number },
): Promise<void> {
  await db
    .update(users)
    .set({ erasureDueAt: now + graceMs })
    .where(and(isNotNull(users.erasureDueAt), gt(users.erasureDueAt, now + graceMs + MAX_CLOCK_SKEW_MS)))
}

/** True if an account's due time is further ahead than a correct one can be. */
export async function hasErasureTooFarAhead(
  db: Reader,
  { now, graceMs }: { now: number; graceMs: number },
): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isNotNull(users.erasureDueAt), gt(users.erasureDueAt, now + graceMs + MAX_CLOCK_SKEW_MS)))
    .limit(1)
  return row !== undefined
}

/** Lists accounts whose erasure is due and not deferred: those overdue longest first or, on request, the newest first. */
export async function listDueErasures(
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        isNotNull(users.erasureDueAt),
        lte(users.erasureDueAt, now),
        isNull(users.erasedAt),
        isNotDeferred('erasure', users.id, now),
      ),
    )
    .orderBy((newestFirst ? desc : asc)(users.erasureDueAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}
