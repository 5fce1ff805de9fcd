import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import { organisationBatchItems, organisationHolds } from '../db/schema/organisation-money.ts'
import { holdAmount, releaseAmount } from './balance-store.ts'

/*
 * Holds. Each reserves the fee for one item of a batch, and ends exactly once: the amount is either captured (charged) or
 * released.
 */

/**
 * Holds the fee for each of these items, or for none.
 * @returns false, without changes, if the balance does not cover all of them
 */
export async function holdForItems(
  db: Tx,
  {
    organisationId,
    itemSeqs,
    feeMinor,
    at,
  }: { organisationId: string; itemSeqs: readonly number[]; feeMinor: number; at: number },
): Promise<boolean> {
  if (feeMinor === 0 || itemSeqs.length === 0) return true
  if (!(await holdAmount(db, { organisationId, amountMinor: feeMinor * itemSeqs.length }))) return false
  const rows = itemSeqs.map(batchItemSeq => ({
    id: crypto.randomUUID(),
    organisationId,
    batchItemSeq,
    amountMinor: feeMinor,
    state: 'held' as const,
    createdAt: at,
  }))
  for (const chunk of chunks(rows)) await db.insert(organisationHolds).values(chunk)
  return true
}

/**
 * Marks the hold of an item as captured. The caller takes the amount from the balance.
 * @returns false if the item has no hold
 */
export async function captureHold(
  db: Tx,
  { batchItemSeq, at }: { batchItemSeq: number; at: number },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(organisationHolds)
    .set({ state: 'captured', endedAt: at })
    .where(and(eq(organisationHolds.batchItemSeq, batchItemSeq), eq(organisationHolds.state, 'held')))
  return rowsAffected === 1
}

/** Releases the holds that these items still have. */
export async function releaseItems(
  db: Tx,
  { organisationId, itemSeqs, at }: { organisationId: string; itemSeqs: readonly number[]; at: number },
): Promise<void> {
  for (const chunk of chunks(itemSeqs)) {
    const released = await db
      .update(organisationHolds)
      .set({ state: 'released', endedAt: at })
      .where(and(inArray(organisationHolds.batchItemSeq, chunk), eq(organisationHolds.state, 'held')))
      .returning({ minor: organisationHolds.amountMinor })
    const amountMinor = released.reduce((sum, { minor }) => sum + minor, 0)
    await releaseAmount(db, { organisationId, amountMinor })
  }
}

/** Lists holds that were created before a given time. */
export async function listOldHolds(
  db: Reader,
  { before, limit }: { before: number; limit: number },
): Promise<{ id: string; organisationId: string; batchItemSeq: number | null }[]> {
  return await db
    .select({
      id: organisationHolds.id,
      organisationId: organisationHolds.organisationId,
      batchItemSeq: organisationHolds.batchItemSeq,
    })
    .from(organisationHolds)
    .where(and(sql`state = 'held'`, lt(organisationHolds.createdAt, before)))
    .orderBy(organisationHolds.createdAt)
    .limit(limit)
}

/** Returns the ID of the batch to which an item belongs. */
export async function findBatchOfItem(db: Reader, { seq }: { seq: number }): Promise<string | undefined> {
  const [row] = await db
    .select({ batchId: organisationBatchItems.batchId })
    .from(organisationBatchItems)
    .where(eq(organisationBatchItems.seq, seq))
  return row?.batchId
}
