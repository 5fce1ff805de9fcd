import type { Mismatch } from '@portal/contract/admin-reconciliation'
import { and, asc, count, desc, eq, gt, gte, inArray, isNull, lt, min, or, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import { atGateway, payments } from '../db/schema/payments.ts'
import { gatewayOrphans, reconciliations } from '../db/schema/reconciliation.ts'
import type { GatewayTransaction } from '../payment-gateway.ts'
import { isNotDeferred } from '../queues/deferral-store.ts'
import type { Payment } from './store.ts'

export type RunRow = typeof reconciliations.$inferSelect

const isStartedWithin = ({ from, before }: { from: number; before: number }) =>
  and(gte(payments.createdAt, from), lt(payments.createdAt, before), atGateway)

/** Lists the payments that were started in a period, oldest first, starting after the last one that was read. */
export async function listStarted(
  db: Reader,
  {
    from,
    before,
    after,
    limit,
  }: { from: number; before: number; after: { at: number; id: string } | undefined; limit: number },
): Promise<Payment[]> {
  const afterKey =
    after &&
    or(gt(payments.createdAt, after.at), and(eq(payments.createdAt, after.at), gt(payments.id, after.id)))
  return db
    .select()
    .from(payments)
    .where(and(isStartedWithin({ from, before }), afterKey))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(limit)
}

export async function countStarted(
  db: Reader,
  { from, before }: { from: number; before: number },
): Promise<number> {
  const [row] = await db.select({ total: count() }).from(payments).where(isStartedWithin({ from, before }))
  return row?.total ?? 0
}

/** Returns when the first payment that may exist at a gateway was started. */
export async function findFirstStart(db: Reader): Promise<number | undefined> {
  const [row] = await db
    .select({ at: min(payments.createdAt) })
    .from(payments)
    .where(atGateway)
  return row?.at ?? undefined
}

/** Returns those of the references that belong to our payments. */
export async function findKnownReferences(db: Reader, references: readonly string[]): Promise<Set<string>> {
  const knownReferences = new Set<string>()
  for (const chunk of chunks(references)) {
    const rows = await db
      .select({ reference: payments.providerReference })
      .from(payments)
      .where(inArray(payments.providerReference, chunk))
    for (const { reference } of rows) knownReferences.add(reference)
  }
  return knownReferences
}

/** Stores payments that exist only at a gateway. @returns how many of them are new */
export async function storeOrphans(
  db: Tx,
  {
    provider,
    transactions,
    at,
  }: { provider: string; transactions: readonly GatewayTransaction[]; at: number },
): Promise<number> {
  const rows = transactions.map(theirs => ({
    provider,
    reference: theirs.reference,
    providerTxnId: theirs.providerTxnId ?? null,
    outcome: theirs.outcome,
    amountMinor: theirs.amountPaid?.minor ?? null,
    currency: theirs.amountPaid?.currency ?? null,
    firstSeenAt: at,
  }))
  let newCount = 0
  for (const chunk of chunks(rows)) {
    const { rowsAffected } = await db.insert(gatewayOrphans).values(chunk).onConflictDoNothing()
    newCount += rowsAffected
  }
  return newCount
}

interface NewRun {
  id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  starter: { id: string; email: string; address: string } | null
  at: number
  leaseUntil: number
}

/**
 * Starts a reconciliation, and leases it to this process. If `starter` is null, it is the nightly one.
 * @returns false if the nightly reconciliation of that day has already been started
 */
export async function insertRun(db: Tx, { id, day, starter, at, leaseUntil }: NewRun): Promise<boolean> {
  const result = await db
    .insert(reconciliations)
    .values({
      id,
      day,
      nightly: starter === null,
      byUserId: starter?.id ?? null,
      byEmail: starter?.email ?? null,
      ipAddress: starter?.address ?? null,
      startedAt: at,
      leaseUntil,
      mismatches: [],
    })
    .onConflictDoNothing()
  return result.rowsAffected === 1
}

export async function findRun(db: Reader, { id }: { id: string }): Promise<RunRow | undefined> {
  const [row] = await db.select().from(reconciliations).where(eq(reconciliations.id, id)).limit(1)
  return row
}

/**
 * Stores the progress of a reconciliation, if it has not changed since it was read.
 * @returns false if another process has claimed it
 */
export async function changeRun(
  db: Tx,
  seen: Pick<RunRow, 'id' | 'leaseUntil' | 'processed' | 'cursorId'>,
  changes: Partial<RunRow>,
): Promise<boolean> {
  const result = await db
    .update(reconciliations)
    .set(changes)
    .where(
      and(
        eq(reconciliations.id, seen.id),
        eq(reconciliations.leaseUntil, seen.leaseUntil),
        isNull(reconciliations.finishedAt),
      ),
    )
  return result.rowsAffected === 1
}

/** Lists interrupted reconciliations, neither finished nor leased: the oldest first or, if `newestFirst`, the newest. */
export async function listInterrupted(
  db: Reader,
  { now, limit, newestFirst, leaseMs }: { now: number; limit: number; newestFirst: boolean; leaseMs: number },
) {
  return db
    .select()
    .from(reconciliations)
    .where(
      and(
        sql`finished_at is null`,
        or(
          lt(reconciliations.leaseUntil, now),
          gt(reconciliations.leaseUntil, now + leaseMs + MAX_CLOCK_SKEW_MS),
        ),
        isNotDeferred('reconciliation', reconciliations.id, now),
      ),
    )
    .orderBy((newestFirst ? desc : asc)(reconciliations.leaseUntil))
    .limit(limit)
}

/**
 * Removes the mark `nightly` from reconciliations that were started while the clock was ahead, so that the reconciliations of
 * their days are due again.
 */
export async function releaseFutureNightlyRuns(db: Tx, { now }: { now: number }): Promise<void> {
  await db
    .update(reconciliations)
    .set({ nightly: false })
    .where(and(sql`nightly`, gt(reconciliations.startedAt, now + MAX_CLOCK_SKEW_MS)))
}

/** True if a nightly reconciliation has a start time in the future. */
export async function hasFutureNightlyRun(db: Reader, { now }: { now: number }): Promise<boolean> {
  const [row] = await db
    .select({ id: reconciliations.id })
    .from(reconciliations)
    .where(and(gt(reconciliations.startedAt, now + MAX_CLOCK_SKEW_MS), sql`nightly`))
    .limit(1)
  return row !== undefined
}

/** Returns those of the days whose nightly reconciliation has been started. */
export async function findReconciledDays(db: Reader, days: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ day: reconciliations.day })
    .from(reconciliations)
    .where(and(inArray(reconciliations.day, [...days]), sql`nightly`))
  return new Set(rows.map(({ day }) => day))
}

/** Lists one page of the reconciliations, newest first, with the total. */
export async function listRuns(
  db: Reader,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ rows: RunRow[]; total: number }> {
  const rows = await db
    .select()
    .from(reconciliations)
    .orderBy(desc(reconciliations.startedAt), desc(reconciliations.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db.select({ total: count() }).from(reconciliations)
  return { rows, total: counted?.total ?? 0 }
}

/** Maximum number of mismatches that a reconciliation stores. All of them are counted. */
const MAX_MISMATCHES = 1000

/** Adds mismatches to those found so far. Each payment is listed once. */
export function addMismatches(
  { mismatches, mismatchCount }: Pick<RunRow, 'mismatches' | 'mismatchCount'>,
  newMismatches: readonly Mismatch[],
): Pick<RunRow, 'mismatches' | 'mismatchCount'> {
  const recordedReferences = new Set(mismatches.map(({ payment_reference }) => payment_reference))
  const unrecordedMismatches = newMismatches.filter(
    ({ payment_reference }) => !recordedReferences.has(payment_reference),
  )
  return {
    mismatches: [...mismatches, ...unrecordedMismatches].slice(0, MAX_MISMATCHES),
    mismatchCount: mismatchCount + unrecordedMismatches.length,
  }
}
