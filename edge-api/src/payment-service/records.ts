/** All SQL of the payment service. Times are in milliseconds, amounts in minor units. */
import { and, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Status } from './cards.ts'
import {
  checkoutSessions,
  type Db,
  type Delivery,
  deliveries,
  type Transaction,
  transactions,
} from './schema.ts'

/** Stores a transaction. @returns false, without changes, if its request ID or idempotency key is already taken */
export async function insertTransaction(db: Db, row: Transaction): Promise<boolean> {
  const result = await db.insert(transactions).values(row).onConflictDoNothing()
  return result.rowsAffected === 1
}

/** Finds a transaction by its transaction ID or request ID. */
export async function findTransaction(db: Db, id: string): Promise<Transaction | undefined> {
  const rows = await db
    .select()
    .from(transactions)
    .where(or(eq(transactions.transactionId, id), eq(transactions.requestId, id)))
    .limit(1)
  return rows[0]
}

export async function findByIdempotencyKey(db: Db, key: string): Promise<Transaction | undefined> {
  const rows = await db.select().from(transactions).where(eq(transactions.idempotencyKey, key)).limit(1)
  return rows[0]
}

export type Change = Partial<
  Pick<
    Transaction,
    'status' | 'code' | 'amountPaid' | 'paidCurrency' | 'cardFirst6' | 'cardLast4' | 'otpTries'
  >
> & { updatedAt: number }

export type NewDelivery = Omit<Delivery, 'id' | 'attempts' | 'lastStatus'>

/**
 * Changes the record if it still has the version that was read, and stores the webhooks of the change, in one transaction.
 * @returns false, without changes, if someone else has changed the record
 */
export async function changeTransaction(
  db: Db,
  previous: Transaction,
  change: Change,
  newDeliveries: NewDelivery[],
): Promise<boolean> {
  const changeId = crypto.randomUUID()
  const update = db
    .update(transactions)
    .set({ ...change, version: previous.version + 1, changeId })
    .where(
      and(eq(transactions.transactionId, previous.transactionId), eq(transactions.version, previous.version)),
    )
  // A batch continues after an update that matches no row, so each insert checks for the change's marker.
  const inserts = newDeliveries.map(row =>
    db.run(sql`INSERT INTO deliveries (event_id, transaction_id, request_id, event, raw, bad_signature, status,
        attempts, next_attempt_at, created_at)
      SELECT ${row.eventId}, ${row.transactionId}, ${row.requestId}, ${row.event}, ${row.raw},
        ${row.badSignature ? 1 : 0}, ${row.status}, 0, ${row.nextAttemptAt}, ${row.createdAt}
      WHERE EXISTS (SELECT 1 FROM transactions
        WHERE transaction_id = ${previous.transactionId} AND change_id = ${changeId})`),
  )
  const [result] = await db.batch([update, ...inserts])
  return result.rowsAffected === 1
}

/** Lists open transactions whose time is up. A payment that the bank is processing (68, Z0) does not expire. */
export function listStale(db: Db, now: number, limit: number): Promise<Transaction[]> {
  const isWaitingForPayer = or(
    eq(transactions.status, 'PENDING'),
    and(eq(transactions.status, 'PROCESSING'), eq(transactions.code, '09')),
  )
  return db
    .select()
    .from(transactions)
    .where(and(isWaitingForPayer, lte(transactions.expiresAt, now)))
    .limit(limit)
}

export type ListFilter = {
  status?: Status | undefined
  id?: string | undefined
  from?: number | undefined
  /** End of the period, exclusive. */
  until?: number | undefined
  after?: { createdAt: number; transactionId: string } | undefined
  limit: number
}

/** Lists transactions, newest first, with keyset pagination. */
export function listTransactions(db: Db, filter: ListFilter): Promise<Transaction[]> {
  const { createdAt, transactionId } = transactions
  const where: (SQL | undefined)[] = []
  if (filter.status) where.push(eq(transactions.status, filter.status))
  if (filter.id) where.push(or(eq(transactionId, filter.id), eq(transactions.requestId, filter.id)))
  if (filter.from !== undefined) where.push(gte(createdAt, filter.from))
  if (filter.until !== undefined) where.push(lt(createdAt, filter.until))
  if (filter.after) {
    const { after } = filter
    where.push(
      or(
        lt(createdAt, after.createdAt),
        and(eq(createdAt, after.createdAt), lt(transactionId, after.transactionId)),
      ),
    )
  }
  return db
    .select()
    .from(transactions)
    .where(and(...where))
    .orderBy(desc(createdAt), desc(transactionId))
    .limit(filter.limit)
}

export async function insertSession(db: Db, tokenHash: string, transactionId: string, createdAt: number) {
  await db.insert(checkoutSessions).values({ tokenHash, transactionId, createdAt })
}

export async function findBySession(db: Db, tokenHash: string): Promise<Transaction | undefined> {
  const rows = await db
    .select({ transaction: transactions })
    .from(checkoutSessions)
    .innerJoin(transactions, eq(transactions.transactionId, checkoutSessions.transactionId))
    .where(eq(checkoutSessions.tokenHash, tokenHash))
    .limit(1)
  return rows[0]?.transaction
}

/** Returns the IDs of transactions that have a webhook to be sent now. */
export async function listDueTransactions(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: deliveries.transactionId })
    .from(deliveries)
    .where(and(eq(deliveries.status, 'pending'), lte(deliveries.nextAttemptAt, now)))
    .limit(limit)
  return rows.map(row => row.id)
}

/** Lists the webhooks of a transaction that are due, in order of creation. */
export function listDueDeliveries(db: Db, transactionId: string, now: number): Promise<Delivery[]> {
  return db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.transactionId, transactionId),
        eq(deliveries.status, 'pending'),
        lte(deliveries.nextAttemptAt, now),
      ),
    )
    .orderBy(deliveries.id)
}

/** Claims a delivery before sending it. @returns false if another sender claimed it first */
export async function claimDelivery(db: Db, previous: Delivery, nextAttemptAt: number): Promise<boolean> {
  const result = await db
    .update(deliveries)
    .set({ attempts: previous.attempts + 1, nextAttemptAt })
    .where(
      and(
        eq(deliveries.id, previous.id),
        eq(deliveries.attempts, previous.attempts),
        eq(deliveries.status, 'pending'),
      ),
    )
  return result.rowsAffected === 1
}

export async function recordAttempt(
  db: Db,
  id: number,
  result: { status: Delivery['status']; lastStatus: number | null },
): Promise<void> {
  await db.update(deliveries).set(result).where(eq(deliveries.id, id))
}

/** Returns the newest event of a transaction, whatever its delivery status. */
export async function findLatestDelivery(db: Db, transactionId: string): Promise<Delivery | undefined> {
  const rows = await db
    .select()
    .from(deliveries)
    .where(eq(deliveries.transactionId, transactionId))
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(1)
  return rows[0]
}

export async function insertDelivery(db: Db, row: NewDelivery): Promise<void> {
  await db.insert(deliveries).values({ ...row, attempts: 0 })
}

/** Lists webhooks, newest first, filtered by `statuses` and `requestId`. */
export function listDeliveries(
  db: Db,
  filter: { requestId?: string | undefined; statuses?: Delivery['status'][]; limit: number },
): Promise<Delivery[]> {
  const where: (SQL | undefined)[] = []
  if (filter.requestId) where.push(eq(deliveries.requestId, filter.requestId))
  if (filter.statuses) where.push(inArray(deliveries.status, filter.statuses))
  return db
    .select()
    .from(deliveries)
    .where(and(...where))
    .orderBy(desc(deliveries.id))
    .limit(filter.limit)
}

export async function pingDatabase(db: Db): Promise<void> {
  await db.run(sql`SELECT count(*) FROM transactions WHERE transaction_id = ''`)
}
