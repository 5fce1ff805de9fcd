import type { QueueName } from '@portal/contract/background-work'
import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { CLOCK_SKEW } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { deferrals } from '../db/schema/operations.ts'
import { backoff, LONGEST_WAIT } from './backoff.ts'

export type DeferralRow = typeof deferrals.$inferSelect

/** Longest time ahead that a deferral may name: a payment under review is asked for daily. */
const MOST_AHEAD = Math.max(LONGEST_WAIT, 2 * 86_400_000)

/** The condition that an item of a queue is not deferred now; one deferred too far ahead was written by a clock that was ahead. */
export const notDeferred = (queue: QueueName, item: SQLiteColumn | SQL, now: number): SQL =>
  sql`not exists (select 1 from ${deferrals} where ${deferrals.queue} = ${queue} and ${deferrals.item} = cast(${item} as text)
    and ${deferrals.nextAt} > ${now} and ${deferrals.nextAt} <= ${now + MOST_AHEAD + CLOCK_SKEW})`

/** Which of these items are deferred or were, with the row. */
export async function deferralsOf(
  db: Reader,
  { queue, items }: { queue: QueueName; items: readonly string[] },
): Promise<Map<string, DeferralRow>> {
  const among = sql`(select value from json_each(${JSON.stringify(items)}))`
  const rows = await db
    .select()
    .from(deferrals)
    .where(and(eq(deferrals.queue, queue), inArray(deferrals.item, among)))
  return new Map(rows.map(row => [row.item, row]))
}

/** Notes that an item cannot proceed, and when it is tried next: at `nextAt`, else after a backoff. */
export async function defer(
  db: Tx,
  {
    queue,
    item,
    reason,
    nextAt,
    now,
  }: { queue: QueueName; item: string; reason: string; nextAt?: number | undefined; now: number },
): Promise<DeferralRow> {
  const known = (await deferralsOf(db, { queue, items: [item] })).get(item)
  const attempts = (known?.attempts ?? 0) + 1
  const row = {
    queue,
    item,
    reason,
    attempts,
    since: Math.min(known?.since ?? now, now),
    nextAt: nextAt ?? now + backoff(attempts, Math.random()),
  }
  await db
    .insert(deferrals)
    .values(row)
    .onConflictDoUpdate({ target: [deferrals.queue, deferrals.item], set: row })
  return row
}

/** Forgets a deferral: the item was done. */
export async function settleDeferral(
  db: Tx,
  { queue, item }: { queue: QueueName; item: string },
): Promise<void> {
  await db.delete(deferrals).where(and(eq(deferrals.queue, queue), eq(deferrals.item, item)))
}

/** Lets the erasure of an account be tried at the next run: what stood in its way may have ended. */
export async function wakeErasure(db: Tx, userId: string | SQL): Promise<void> {
  await db
    .update(deferrals)
    .set({ nextAt: 0 })
    .where(and(eq(deferrals.queue, 'erasure'), sql`${deferrals.item} = ${userId}`))
}

/** Leaves out what has been settled some other way since: taken back, approved by hand, given up. */
const stillWaits = sql`case ${deferrals.queue}
  when 'mail' then exists (select 1 from outbox where id = ${deferrals.item} and next_attempt_at is not null)
  when 'callbacks' then exists (select 1 from webhook_inbox where id = cast(${deferrals.item} as integer) and processed_at is null)
  when 'requery' then exists (select 1 from payments where transaction_id = ${deferrals.item} and next_requery_at is not null)
  when 'refunds' then exists (select 1 from refunds where id = ${deferrals.item} and status = 'approved')
  when 'reconciliation' then exists (select 1 from reconciliations where id = ${deferrals.item} and finished_at is null)
  when 'uploads' then exists (select 1 from uploads where id = ${deferrals.item} and untidy)
  when 'letter_holders' then exists (select 1 from letters where user_id = ${deferrals.item} and tell_status is not null)
  when 'erasure' then exists (select 1 from users where id = ${deferrals.item} and erasure_due_at is not null and erased_at is null)
  else true end`

/** Items that cannot proceed, those that have waited longest first, with how many there are. */
export async function listDeferrals(
  db: Reader,
  { limit }: { limit: number },
): Promise<{ rows: DeferralRow[]; total: number }> {
  const rows = await db
    .select()
    .from(deferrals)
    .where(stillWaits)
    .orderBy(asc(deferrals.since), asc(deferrals.queue), asc(deferrals.item))
    .limit(limit)
  const [counted] = await db.select({ total: count() }).from(deferrals).where(stillWaits)
  return { rows, total: counted?.total ?? 0 }
}

/** How many items of each queue cannot proceed, and since when the oldest waits. */
export async function countDeferrals(
  db: Reader,
): Promise<{ queue: string; items: number; oldest: number }[]> {
  return await db
    .select({ queue: deferrals.queue, items: count(), oldest: sql<number>`min(${deferrals.since})` })
    .from(deferrals)
    .where(stillWaits)
    .groupBy(deferrals.queue)
}

/** Removes the deferrals of items that no longer wait. */
export async function sweepDeferrals(db: Tx): Promise<void> {
  await db.delete(deferrals).where(sql`not (${stillWaits})`)
}
