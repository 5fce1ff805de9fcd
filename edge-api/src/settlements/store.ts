import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { payments } from '../db/schema/payments.ts'
import { settlementLines, settlementRuns, settlements } from '../db/schema/settlements.ts'
import type { Payment } from '../payments/store.ts'

export type SettlementRow = typeof settlements.$inferSelect
export type LineRow = typeof settlementLines.$inferSelect

export async function findSettlement(db: Reader, { id }: { id: string }): Promise<SettlementRow | undefined> {
  const [row] = await db.select().from(settlements).where(eq(settlements.id, id)).limit(1)
  return row
}

/** Stores a settlement, or finds the one that is already stored. @returns the settlement, and whether it is new */
export async function insertSettlement(
  db: Tx,
  row: typeof settlements.$inferInsert,
): Promise<{ settlement: SettlementRow; isNew: boolean }> {
  const { rowsAffected } = await db.insert(settlements).values(row).onConflictDoNothing()
  const [settlement] = await db
    .select()
    .from(settlements)
    .where(and(eq(settlements.provider, row.provider), eq(settlements.reference, row.reference)))
  if (!settlement) throw new Error('a settlement has disappeared')
  return { settlement, isNew: rowsAffected === 1 }
}

/** Adds the total stated by the gateway to a settlement that was stored without one, for example from a file. */
export async function addStatedTotal(
  db: Tx,
  { id, statedTotalMinor }: { id: string; statedTotalMinor: number },
) {
  await db
    .update(settlements)
    .set({ statedTotalMinor })
    .where(and(eq(settlements.id, id), isNull(settlements.statedTotalMinor)))
}

/** Stores a line, and adds it to the sums of its settlement. @returns the line's ID; undefined if it was already stored */
export async function insertLine(
  db: Tx,
  line: typeof settlementLines.$inferInsert,
): Promise<number | undefined> {
  const [stored] = await db
    .insert(settlementLines)
    .values(line)
    .onConflictDoNothing()
    .returning({ id: settlementLines.id })
  if (!stored) return undefined
  await db
    .update(settlements)
    .set({
      lines: sql`lines + 1`,
      amountMinor: sql`amount_minor + ${line.amountMinor}`,
      feeMinor: sql`fee_minor + ${line.feeMinor ?? 0}`,
      netMinor: sql`net_minor + ${line.netMinor}`,
    })
    .where(eq(settlements.id, line.settlementId))
  return stored.id
}

/** Returns the amounts that lines have settled and deducted for a payment so far, in minor units. Both are positive. */
export async function sumSettled(
  db: Reader,
  { paymentId }: { paymentId: string },
): Promise<{ settledMinor: number; deductedMinor: number }> {
  const [row] = await db
    .select({
      settledMinor: sql<number>`coalesce(sum(case when kind = 'payment' then amount_minor end), 0)`,
      deductedMinor: sql<number>`coalesce(-sum(case when kind <> 'payment' then amount_minor end), 0)`,
    })
    .from(settlementLines)
    .where(and(eq(settlementLines.paymentId, paymentId), isNotNull(settlementLines.paymentId)))
  return row ?? { settledMinor: 0, deductedMinor: 0 }
}

/** Lists payments that the gateway should have paid out by now, oldest first. */
export async function listUnsettled(
  db: Reader,
  { provider, from, before, limit }: { provider: string; from: number; before: number; limit: number },
): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(
      and(
        gte(payments.createdAt, from),
        lt(payments.createdAt, before),
        eq(payments.provider, provider),
        inArray(payments.status, ['paid', 'mismatched']),
        gt(payments.amountPaidMinor, 0),
        sql`not exists (select 1 from settlement_lines where payment_id = ${payments.id} and kind = 'payment')`,
        sql`not exists (select 1 from settlement_differences where payment_id = ${payments.id} and kind = 'not_settled')`,
      ),
    )
    .orderBy(asc(payments.createdAt))
    .limit(limit)
}

/** Returns when the first settlement of each gateway was paid out. */
export async function findFirstSettlements(db: Reader): Promise<{ provider: string; at: number }[]> {
  return db
    .select({ provider: settlements.provider, at: sql<number>`min(${settlements.settledAt})` })
    .from(settlements)
    .groupBy(settlements.provider)
}

export interface SettlementFilter {
  provider: string | undefined
  /** Milliseconds, inclusive. */
  from: number | undefined
  /** Milliseconds, exclusive. */
  before: number | undefined
}

const matchesFilter = ({ provider, from, before }: SettlementFilter) =>
  and(
    provider === undefined ? undefined : eq(settlements.provider, provider),
    from === undefined ? undefined : gte(settlements.settledAt, from),
    before === undefined ? undefined : lt(settlements.settledAt, before),
  )

/** Lists the matching settlements, newest first, with the number of open differences of each. */
export async function listSettlements(
  db: Reader,
  { limit, offset, ...filter }: SettlementFilter & { limit: number; offset: number },
): Promise<{ settlement: SettlementRow; open: number }[]> {
  return db
    .select({
      settlement: settlements,
      // The outer table name is written out: without a join, drizzle omits it, and `id` would then refer to the difference.
      open: sql<number>`(select count(*) from settlement_differences
        where settlement_id = settlements.id and resolved_at is null and explained_at is null)`,
    })
    .from(settlements)
    .where(matchesFilter(filter))
    .orderBy(desc(settlements.settledAt), desc(settlements.id))
    .limit(limit)
    .offset(offset)
}

export async function countSettlements(db: Reader, filter: SettlementFilter): Promise<number> {
  const [row] = await db.select({ total: count() }).from(settlements).where(matchesFilter(filter))
  return row?.total ?? 0
}

/** Lists the lines of a settlement, in the order of its report. */
export async function listLines(
  db: Reader,
  { settlementId, limit, offset }: { settlementId: string; limit: number; offset: number },
): Promise<{ line: LineRow; transactionId: string | null }[]> {
  return db
    .select({ line: settlementLines, transactionId: payments.transactionId })
    .from(settlementLines)
    .leftJoin(payments, eq(payments.id, settlementLines.paymentId))
    .where(eq(settlementLines.settlementId, settlementId))
    .orderBy(asc(settlementLines.id))
    .limit(limit)
    .offset(offset)
}

/** True unless this day's work for the provider has been done, or another process has leased it. */
export async function isRunDue(
  db: Reader,
  { day, provider, now }: { day: string; provider: string; now: number },
): Promise<boolean> {
  const [row] = await db
    .select()
    .from(settlementRuns)
    .where(and(eq(settlementRuns.day, day), eq(settlementRuns.provider, provider)))
  return !row || (row.finishedAt === null && row.leaseUntil < now)
}

/**
 * Leases a day's work for one provider. If the process is interrupted, the lease expires.
 * @returns false if the work has been done, or another process has the lease
 */
export async function claimRun(
  db: Tx,
  { day, provider, now, leaseUntil }: { day: string; provider: string; now: number; leaseUntil: number },
): Promise<boolean> {
  const inserted = await db.insert(settlementRuns).values({ day, provider, leaseUntil }).onConflictDoNothing()
  if (inserted.rowsAffected === 1) return true
  const claimed = await db
    .update(settlementRuns)
    .set({ leaseUntil })
    .where(
      and(
        eq(settlementRuns.day, day),
        eq(settlementRuns.provider, provider),
        isNull(settlementRuns.finishedAt),
        lt(settlementRuns.leaseUntil, now),
      ),
    )
  return claimed.rowsAffected === 1
}

/** Records that a day's work for one provider is done or, after a failure, when it is retried. */
export async function endRun(
  db: Tx,
  {
    day,
    provider,
    ...end
  }: { day: string; provider: string } & ({ finishedAt: number } | { leaseUntil: number }),
): Promise<void> {
  await db
    .update(settlementRuns)
    .set(end)
    .where(and(eq(settlementRuns.day, day), eq(settlementRuns.provider, provider)))
}
