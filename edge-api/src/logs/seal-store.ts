import { and, asc, count, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { activityHead, activityLog } from '../db/schema/activity.ts'
import type { Head, SealedEntry } from './chain.ts'

const HEAD_ID = 1

const chainedColumns = {
  id: activityLog.id,
  userId: activityLog.userId,
  userEmail: activityLog.userEmail,
  activity: activityLog.activity,
  type: activityLog.type,
  status: activityLog.status,
  details: activityLog.details,
  ipAddress: activityLog.ipAddress,
  requestId: activityLog.requestId,
  at: activityLog.at,
  salt: activityLog.salt,
  commitment: activityLog.commitment,
  hash: activityLog.hash,
}

/** Returns the newest sealed entry, or undefined if no entry has been sealed yet. */
export async function readHead(db: Reader): Promise<Head | undefined> {
  const [row] = await db
    .select({ sealedId: activityHead.sealedId, hash: activityHead.hash })
    .from(activityHead)
    .where(eq(activityHead.id, HEAD_ID))
  return row
}

/** Returns the oldest unsealed entries, in order. */
export const listUnsealed = (db: Reader, { limit }: { limit: number }) =>
  db
    .select(chainedColumns)
    .from(activityLog)
    .where(isNull(activityLog.hash))
    .orderBy(asc(activityLog.id))
    .limit(limit)

/** Yields all entries up to and including an ID, in order, reading them page by page. */
export async function* readEntries(db: Reader, { upTo }: { upTo: number }): AsyncGenerator<SealedEntry> {
  for (let above = 0; above < upTo; ) {
    const rows = await db
      .select(chainedColumns)
      .from(activityLog)
      .where(and(gt(activityLog.id, above), lte(activityLog.id, upTo)))
      .orderBy(asc(activityLog.id))
      .limit(1000)
    yield* rows
    above = rows.at(-1)?.id ?? upTo
  }
}

/** Counts the sealed entries and those still waiting to be sealed. */
export async function countSeals(db: Reader): Promise<{ sealed: number; waiting: number }> {
  const [row] = await db
    .select({ sealed: count(activityLog.hash), waiting: sql<number>`count(*) - count(${activityLog.hash})` })
    .from(activityLog)
  return { sealed: row?.sealed ?? 0, waiting: row?.waiting ?? 0 }
}

export type Seal = Pick<SealedEntry, 'id' | 'type' | 'status' | 'salt' | 'commitment' | 'hash'>

/** Writes the seals of a batch of entries in one statement, and moves the head. */
export async function writeSeals(
  db: Tx,
  { seals, head }: { seals: readonly Seal[]; head: Head },
): Promise<void> {
  await db.run(sql`
    update activity_log set
      type = seal.value ->> 'type', status = seal.value ->> 'status', salt = seal.value ->> 'salt',
      commitment = seal.value ->> 'commitment', hash = seal.value ->> 'hash'
    from json_each(${JSON.stringify(seals)}) as seal
    where activity_log.id = seal.value ->> 'id' and activity_log.hash is null`)
  await db
    .insert(activityHead)
    .values({ id: HEAD_ID, ...head })
    .onConflictDoUpdate({ target: activityHead.id, set: head })
}

/** Values that replace the personal ones. The salt is erased too, so that the erased values cannot be guessed. */
const erasedValues = { userEmail: null, details: '', ipAddress: null, salt: null }

/**
 * Erases the personal values in an account's entries: email address, details and IP address. The entries themselves are kept,
 * and the hash chain remains valid.
 */
export async function erasePersonalValues(db: Tx, { userId }: { userId: string }): Promise<void> {
  await db.update(activityLog).set(erasedValues).where(eq(activityLog.userId, userId))
}

/** Erases the personal values of individual entries, such as other accounts' entries that name an erased account. */
export async function eraseEntries(db: Tx, { ids }: { ids: readonly number[] }): Promise<void> {
  const idList = sql`(select value from json_each(${JSON.stringify(ids)}))`
  await db.update(activityLog).set(erasedValues).where(inArray(activityLog.id, idList))
}
