import { and, asc, count, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { letters } from '../db/schema/letters.ts'
import {
  organisationBatches as batches,
  organisationBatchItems as items,
  organisationVerifications as verifications,
} from '../db/schema/organisation-money.ts'
import { organisationMembers, organisations } from '../db/schema/organisations.ts'
import { paymentItems } from '../db/schema/payments.ts'
import { isNotDeferred } from '../queues/deferral-store.ts'

type VerificationRow = typeof verifications.$inferSelect
export type BatchRow = typeof batches.$inferSelect
export type BatchItemRow = typeof items.$inferSelect
export type ItemStatus = BatchItemRow['status']

/** How long a process leases a batch, in milliseconds. After that, another process may continue the batch. */
export const BATCH_LEASE_MS = 60_000

export async function insertBatch(db: Tx, row: typeof batches.$inferInsert): Promise<void> {
  await db.insert(batches).values(row)
}

/** Stores the items of a batch, in order. @returns the `seq` of each pending item */
export async function insertItems(db: Tx, rows: readonly (typeof items.$inferInsert)[]): Promise<number[]> {
  const pending: number[] = []
  for (const chunk of chunks(rows)) {
    const stored = await db.insert(items).values(chunk).returning({ seq: items.seq, status: items.status })
    pending.push(...stored.filter(({ status }) => status === 'pending').map(({ seq }) => seq))
  }
  return pending
}

export interface BatchView {
  batch: BatchRow
  requester: { firstname: string; lastname: string } | null
  /** The requester's user ID; null if the requester is no longer a member. */
  memberId: string | null
}

const selectBatches = (db: Reader) =>
  db
    .select({
      batch: batches,
      requester: { firstname: users.firstname, lastname: users.lastname },
      memberId: organisationMembers.userId,
    })
    .from(batches)
    .leftJoin(users, eq(users.id, batches.requestedBy))
    .leftJoin(
      organisationMembers,
      and(
        eq(organisationMembers.userId, batches.requestedBy),
        eq(organisationMembers.organisationId, batches.organisationId),
      ),
    )

export async function findBatch(
  db: Reader,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<BatchView | undefined> {
  const [row] = await selectBatches(db)
    .where(and(eq(batches.organisationId, organisationId), eq(batches.id, id)))
    .limit(1)
  return row
}

export async function findBatchById(db: Reader, { id }: { id: string }): Promise<BatchRow | undefined> {
  const [row] = await db.select().from(batches).where(eq(batches.id, id)).limit(1)
  return row
}

export async function listBatches(
  db: Reader,
  {
    organisationId,
    status,
    livemode,
    limit,
    offset,
  }: {
    organisationId: string
    status: BatchRow['status'] | undefined
    livemode: boolean
    limit: number
    offset: number
  },
): Promise<{ rows: BatchView[]; total: number }> {
  const where = and(
    eq(batches.organisationId, organisationId),
    eq(batches.livemode, livemode),
    status && eq(batches.status, status),
  )
  const rows = await selectBatches(db).where(where).orderBy(desc(batches.seq)).limit(limit).offset(offset)
  const [counted] = await db.select({ total: count() }).from(batches).where(where)
  return { rows, total: counted?.total ?? 0 }
}

export async function countRunningBatches(
  db: Reader,
  { organisationId }: { organisationId: string },
): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(batches)
    .where(and(eq(batches.organisationId, organisationId), sql`status = 'processing'`))
  return row?.total ?? 0
}

/** Counts the items of these batches by status. Clients and screens poll the counts, so the query reads only an index. */
export async function countByStatus(
  db: Reader,
  { ids }: { ids: readonly string[] },
): Promise<Map<string, Partial<Record<ItemStatus, number>>>> {
  const rows = await db
    .select({ batchId: items.batchId, status: items.status, total: count() })
    .from(items)
    .where(inArray(items.batchId, [...ids]))
    .groupBy(items.batchId, items.status)
  const counts = new Map(ids.map(id => [id, {} as Partial<Record<ItemStatus, number>>]))
  for (const { batchId, status, total } of rows) {
    const found = counts.get(batchId)
    if (found) found[status] = total
  }
  return counts
}

export interface ItemView {
  item: BatchItemRow
  /** The verification with the result and the letter; null if the item has none. */
  verification: VerificationRow | null
}

/** Lists the items of a batch, in the order in which they were submitted, from an offset or after the `seq` in `after`. */
export const listItems = (
  db: Reader,
  {
    batchId,
    status,
    after = 0,
    limit,
    offset = 0,
  }: {
    batchId: string
    status: ItemStatus | undefined
    after?: number | undefined
    limit: number
    offset?: number
  },
): Promise<ItemView[]> =>
  db
    .select({ item: items, verification: verifications })
    .from(items)
    .leftJoin(verifications, eq(verifications.id, items.verificationId))
    .where(and(eq(items.batchId, batchId), sql`${items.seq} > ${after}`, status && eq(items.status, status)))
    .orderBy(asc(items.seq))
    .limit(limit)
    .offset(offset)

/**
 * Returns the codes of the letters of a batch's certificates, in the order of its items, without letters that have been
 * replaced.
 */
export async function listLetterCodes(
  db: Reader,
  { organisationId, batchId }: { organisationId: string; batchId: string },
): Promise<string[]> {
  const rows = await db
    .select({ code: letters.code })
    .from(items)
    .innerJoin(verifications, eq(verifications.id, items.verificationId))
    .innerJoin(paymentItems, eq(paymentItems.paymentId, verifications.paymentId))
    .innerJoin(letters, eq(letters.paymentItemId, paymentItems.id))
    .where(
      and(
        eq(items.batchId, batchId),
        eq(verifications.organisationId, organisationId),
        isNull(letters.replacedBy),
      ),
    )
    .orderBy(asc(items.seq))
  return rows.map(({ code }) => code)
}

export async function countItems(
  db: Reader,
  { batchId, status }: { batchId: string; status: ItemStatus | undefined },
): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(items)
    .where(and(eq(items.batchId, batchId), status && eq(items.status, status)))
  return row?.total ?? 0
}

/** Lists the next pending items of a batch. */
export const listPendingItems = (
  db: Reader,
  { batchId, limit }: { batchId: string; limit: number },
): Promise<BatchItemRow[]> =>
  db
    .select()
    .from(items)
    .where(and(eq(items.batchId, batchId), sql`status = 'pending'`))
    .orderBy(asc(items.seq))
    .limit(limit)

export async function setItem(
  db: Tx,
  seq: number,
  changes: Partial<Pick<BatchItemRow, 'status' | 'message' | 'verificationId'>>,
): Promise<void> {
  await db.update(items).set(changes).where(eq(items.seq, seq))
}

/** Sets the status of the item to which a verification belongs. */
export async function setStatusOfItem(
  db: Tx,
  { batchId, verificationId, status }: { batchId: string; verificationId: string; status: ItemStatus },
): Promise<void> {
  await db
    .update(items)
    .set({ status })
    .where(and(eq(items.batchId, batchId), eq(items.verificationId, verificationId)))
}

/** Cancels the pending items of a batch. @returns the `seq` of each of these items */
export async function cancelPendingItems(
  db: Tx,
  { batchId, message }: { batchId: string; message: string | null },
): Promise<number[]> {
  const rows = await db
    .update(items)
    .set({ status: 'cancelled', message })
    .where(and(eq(items.batchId, batchId), sql`status = 'pending'`))
    .returning({ seq: items.seq })
  return rows.map(({ seq }) => seq)
}

export async function changeBatch(
  db: Tx,
  id: string,
  changes: Partial<Pick<BatchRow, 'status' | 'waitingUntil' | 'leaseUntil' | 'completedAt'>>,
): Promise<void> {
  await db.update(batches).set(changes).where(eq(batches.id, id))
}

/** Lists the running batches of active organisations that are neither leased nor deferred. */
export const listDueBatches = (
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<{ id: string }[]> =>
  db
    .select({ id: batches.id })
    .from(batches)
    .innerJoin(organisations, eq(organisations.id, batches.organisationId))
    .where(
      and(
        sql`${batches.status} = 'processing'`,
        eq(organisations.state, 'active'),
        or(isNull(batches.waitingUntil), sql`${batches.waitingUntil} <= ${now}`),
        or(isNull(batches.leaseUntil), lt(batches.leaseUntil, now)),
        isNotDeferred('batches', batches.id, now),
      ),
    )
    .orderBy((newestFirst ? desc : asc)(batches.createdAt))
    .limit(limit)

/** Leases a batch to this process. @returns false if another process has leased it */
export async function leaseBatch(
  db: Tx,
  { id, now, until }: { id: string; now: number; until: number },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(batches)
    .set({ leaseUntil: until })
    .where(
      and(
        eq(batches.id, id),
        eq(batches.status, 'processing'),
        or(isNull(batches.leaseUntil), lt(batches.leaseUntil, now)),
      ),
    )
  return rowsAffected === 1
}
