import type { DifferenceKind, DifferenceState } from '@portal/contract/admin-settlements'
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { payments } from '../db/schema/payments.ts'
import { settlementDifferences, settlements } from '../db/schema/settlements.ts'

export type DifferenceRow = typeof settlementDifferences.$inferSelect

export const isOpen = sql`resolved_at is null and explained_at is null`
const conditions: Record<DifferenceState, SQL> = {
  open: isOpen,
  explained: sql`explained_at is not null`,
  resolved: sql`resolved_at is not null and explained_at is null`,
}

/** Stores a difference. @returns false if it was already stored */
export async function insertDifference(
  db: Tx,
  row: Omit<typeof settlementDifferences.$inferInsert, 'id'>,
): Promise<boolean> {
  const { rowsAffected } = await db
    .insert(settlementDifferences)
    .values({ id: crypto.randomUUID(), ...row })
    .onConflictDoNothing()
  return rowsAffected === 1
}

export async function resolveDifference(db: Tx, { key, at }: { key: string; at: number }): Promise<void> {
  await db
    .update(settlementDifferences)
    .set({ resolvedAt: at })
    .where(and(eq(settlementDifferences.key, key), isNull(settlementDifferences.resolvedAt)))
}

/** Lists open payment differences that may have been resolved since, so that they can be checked again. */
export async function listDifferencesToRecheck(
  db: Reader,
  { limit }: { limit: number },
): Promise<DifferenceRow[]> {
  return db
    .select()
    .from(settlementDifferences)
    .where(
      and(
        isOpen,
        isNotNull(settlementDifferences.paymentId),
        inArray(settlementDifferences.kind, ['amount_differs', 'deduction', 'not_settled']),
      ),
    )
    .orderBy(asc(settlementDifferences.foundAt), asc(settlementDifferences.id))
    .limit(limit)
}

export interface DifferenceFilter {
  state: DifferenceState | undefined
  kind: DifferenceKind | undefined
  /** A payment reference or transaction ID, or the reference of a settlement; empty for all. */
  search: string
  settlementId?: string | undefined
}

export const matchesFilter = ({ state, kind, search, settlementId }: DifferenceFilter) =>
  and(
    state && conditions[state],
    kind && eq(settlementDifferences.kind, kind),
    settlementId === undefined ? undefined : eq(settlementDifferences.settlementId, settlementId),
    search === ''
      ? undefined
      : or(
          eq(settlementDifferences.reference, search),
          eq(payments.transactionId, search),
          eq(settlements.reference, search),
        ),
  )

export interface DifferenceView {
  difference: DifferenceRow
  transactionId: string | null
  settlementReference: string | null
}

export const selectDifferences = (db: Reader) =>
  db
    .select({
      difference: settlementDifferences,
      transactionId: payments.transactionId,
      settlementReference: settlements.reference,
    })
    .from(settlementDifferences)
    .leftJoin(payments, eq(payments.id, settlementDifferences.paymentId))
    .leftJoin(settlements, eq(settlements.id, settlementDifferences.settlementId))

/** Returns one page of the matching differences, newest first. */
export async function listDifferences(
  db: Reader,
  filter: DifferenceFilter & { limit: number; offset: number },
): Promise<DifferenceView[]> {
  return selectDifferences(db)
    .where(matchesFilter(filter))
    .orderBy(desc(settlementDifferences.foundAt), desc(settlementDifferences.id))
    .limit(filter.limit)
    .offset(filter.offset)
}

export async function countDifferences(db: Reader, filter: DifferenceFilter): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(settlementDifferences)
    .leftJoin(payments, eq(payments.id, settlementDifferences.paymentId))
    .leftJoin(settlements, eq(settlements.id, settlementDifferences.settlementId))
    .where(matchesFilter(filter))
  return row?.total ?? 0
}

export async function findDifference(
  db: Reader,
  { id }: { id: string },
): Promise<DifferenceView | undefined> {
  const [row] = await selectDifferences(db).where(eq(settlementDifferences.id, id)).limit(1)
  return row
}

export async function explainDifference(
  db: Tx,
  { id, note, authorEmail, at }: { id: string; note: string; authorEmail: string; at: number },
): Promise<void> {
  await db
    .update(settlementDifferences)
    .set({ explainedAt: at, explainedBy: authorEmail, note })
    .where(eq(settlementDifferences.id, id))
}
