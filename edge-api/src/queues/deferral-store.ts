import { lateThresholdMs, type QueueName, queueNames } from '@portal/contract/background-work'
import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { writeDeferred } from '../db/deferred-writes.ts'
import { deferrals } from '../db/schema/operations.ts'
import { backoff, MAX_CALLBACK_ATTEMPTS, MAX_WAIT_MS } from './backoff.ts'

export type DeferralRow = typeof deferrals.$inferSelect

/** Returns how far ahead the next attempt of a deferred item can be: a payment under review is requeried daily. */
const maxDelayMsOf = (queue: QueueName) => (queue === 'requery' ? 2 * 86_400_000 : MAX_WAIT_MS)

/**
 * Returns the condition that an item of a queue is not deferred at present. A deferral whose end is too far ahead, or that
 * began in the future, was written while the clock was ahead, and does not count.
 */
export const isNotDeferred = (queue: QueueName, item: SQLiteColumn | SQL, now: number): SQL =>
  sql`not exists (select 1 from ${deferrals} where ${deferrals.queue} = ${queue} and ${deferrals.item} = cast(${item} as text)
    and ${deferrals.nextAt} > ${now} and ${deferrals.nextAt} <= ${now + maxDelayMsOf(queue) + MAX_CLOCK_SKEW_MS}
    and ${deferrals.since} <= ${now + MAX_CLOCK_SKEW_MS})`

/** Returns the condition that an item of a queue was never deferred: it has no deferral, whether due or not. */
export const wasNeverDeferred = (queue: QueueName, item: SQL): SQL =>
  sql`not exists (select 1 from ${deferrals} where ${deferrals.queue} = ${queue} and ${deferrals.item} = cast(${item} as text))`

/**
 * Returns a query for when the next attempt of a deferred item in each queue is due. An item that was woken has no such time.
 */
export const selectNextAttempts = (): SQL =>
  sql`select ${deferrals.queue} as queue, min(nullif(${deferrals.nextAt}, 0)) as at from ${deferrals} where ${isStillWaiting} group by 1`

/** True while an item is deferred. */
export async function isDeferred(
  db: Reader,
  { queue, item, now }: { queue: QueueName; item: string; now: number },
): Promise<boolean> {
  const [row] = await db.all(sql`select 1 where not ${isNotDeferred(queue, sql`${item}`, now)}`)
  return row !== undefined
}

/** Returns the deferrals of these items, by item; an item that was never deferred has none. */
export async function findDeferrals(
  db: Reader,
  { queue, items }: { queue: QueueName; items: readonly string[] },
): Promise<Map<string, DeferralRow>> {
  const itemList = sql`(select value from json_each(${JSON.stringify(items)}))`
  const rows = await db
    .select()
    .from(deferrals)
    .where(and(eq(deferrals.queue, queue), inArray(deferrals.item, itemList)))
  return new Map(rows.map(row => [row.item, row]))
}

/** Records that an item cannot be processed, and when it is retried: at `nextAt` if given, and otherwise after a backoff. */
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
  const previous = (await findDeferrals(db, { queue, items: [item] })).get(item)
  const attempts = (previous?.attempts ?? 0) + 1
  const row = {
    queue,
    item,
    reason,
    attempts,
    since: Math.min(previous?.since ?? now, now),
    nextAt: nextAt ?? now + backoff(attempts, Math.random()),
  }
  await db
    .insert(deferrals)
    .values(row)
    .onConflictDoUpdate({ target: [deferrals.queue, deferrals.item], set: row })
  return row
}

/** Deletes the deferral of an item that has been completed. */
export async function endDeferral(
  db: Tx,
  { queue, item }: { queue: QueueName; item: string },
): Promise<void> {
  await db.delete(deferrals).where(and(eq(deferrals.queue, queue), eq(deferrals.item, item)))
}

/** Lets the erasure of an account be retried at the next run, because what prevented it may have ended. */
export async function wakeErasure(db: Tx, userId: string | SQL): Promise<void> {
  const update = db
    .update(deferrals)
    .set({ nextAt: 0 })
    .where(and(eq(deferrals.queue, 'erasure'), sql`${deferrals.item} = ${userId}`))
  await writeDeferred(db, update)
}

/** Condition that excludes items that have been ended in another way: cancelled, approved manually, or abandoned. */
const isStillWaiting = sql`case ${deferrals.queue}
  when 'mail' then exists (select 1 from outbox where id = ${deferrals.item} and next_attempt_at is not null)
  when 'callbacks' then exists (select 1 from webhook_inbox where id = cast(${deferrals.item} as integer) and processed_at is null and attempts < ${sql.raw(String(MAX_CALLBACK_ATTEMPTS))})
  when 'requery' then exists (select 1 from payments where transaction_id = ${deferrals.item} and next_requery_at is not null)
  when 'refunds' then exists (select 1 from refunds where id = ${deferrals.item} and status = 'approved')
  when 'disputes' then ${deferrals.item} like '%:%' or exists (select 1 from disputes where id = ${deferrals.item} and next_at is not null)
  when 'reconciliation' then exists (select 1 from reconciliations where id = ${deferrals.item} and finished_at is null)
  when 'uploads' then exists (select 1 from uploads where id = ${deferrals.item} and untidy)
  when 'register_jobs' then exists (select 1 from register_jobs where id = ${deferrals.item} and lease_until is not null)
  when 'batches' then exists (select 1 from organisation_batches where id = ${deferrals.item} and status = 'processing')
  when 'deliveries' then exists (select 1 from organisation_deliveries where id = ${deferrals.item} and status = 'pending')
  when 'letter_holders' then exists (select 1 from letters where user_id = ${deferrals.item} and pending_status is not null)
  when 'erasure' then exists (select 1 from users where id = ${deferrals.item} and erasure_due_at is not null and erased_at is null)
  else true end`

/** SQL for what an item is about, in terms that staff know: a transaction, a day, a file or an address. */
const subject = sql<string | null>`case ${deferrals.queue}
  when 'callbacks' then (select transaction_id from payments where provider_reference =
    (select reference from webhook_inbox where id = cast(${deferrals.item} as integer)))
  when 'requery' then ${deferrals.item}
  when 'refunds' then (select transaction_id from payments where id = (select payment_id from refunds where id = ${deferrals.item}))
  when 'disputes' then (select transaction_id from payments where id = (select payment_id from disputes where id = ${deferrals.item}))
  when 'reconciliation' then (select day from reconciliations where id = ${deferrals.item})
  when 'uploads' then (select filename from uploads where id = ${deferrals.item})
  when 'letter_holders' then (select email from users where id = ${deferrals.item})
  when 'erasure' then (select email from users where id = ${deferrals.item}) end`

export type DelayedItem = DeferralRow & { subject: string | null }

const selectDelayed = (db: Reader, where: SQL | undefined) =>
  db
    .select({
      queue: deferrals.queue,
      item: deferrals.item,
      reason: deferrals.reason,
      attempts: deferrals.attempts,
      since: deferrals.since,
      nextAt: deferrals.nextAt,
      subject,
    })
    .from(deferrals)
    .where(and(isStillWaiting, where))

/** Returns one page of the items that cannot be processed, those with the longest delay first, with the total. */
export async function listDeferrals(
  db: Reader,
  { queue, page, perPage }: { queue?: QueueName | undefined; page: number; perPage: number },
): Promise<{ rows: DelayedItem[]; total: number }> {
  const isOfQueue = queue && eq(deferrals.queue, queue)
  const rows = await selectDelayed(db, isOfQueue)
    .orderBy(asc(deferrals.since), asc(deferrals.queue), asc(deferrals.item))
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db.select({ total: count() }).from(deferrals).where(and(isStillWaiting, isOfQueue))
  return { rows, total: counted?.total ?? 0 }
}

/** Finds an item that cannot be processed; undefined once it is done or has been ended in another way. */
export async function findDeferral(
  db: Reader,
  { queue, item }: { queue: QueueName; item: string },
): Promise<DelayedItem | undefined> {
  const [row] = await selectDelayed(db, and(eq(deferrals.queue, queue), eq(deferrals.item, item)))
  return row
}

/** Returns SQL for the time before which an item of each queue must have been deferred to count as late. */
const lateBefore = (now: number) =>
  sql`case ${deferrals.queue} ${sql.join(
    queueNames.map(queue => sql`when ${queue} then ${now - lateThresholdMs(queue)}`),
    sql` `,
  )} end`

/**
 * Returns, for each queue, how many items cannot be processed, how many of them are late, and since when the oldest has been
 * waiting.
 */
export async function countDeferrals(
  db: Reader,
  { now }: { now: number },
): Promise<{ queue: string; items: number; late: number; oldest: number }[]> {
  return await db
    .select({
      queue: deferrals.queue,
      items: count(),
      late: sql<number>`coalesce(sum(${deferrals.since} < ${lateBefore(now)}), 0)`,
      oldest: sql<number>`min(${deferrals.since})`,
    })
    .from(deferrals)
    .where(isStillWaiting)
    .groupBy(deferrals.queue)
}

/** For queues whose items have their own due time in addition to the deferral: statements that set this time to now. */
const dueTimeUpdates: Partial<Record<QueueName, (item: string, now: number) => SQL>> = {
  mail: (item, now) =>
    sql`update outbox set next_attempt_at = ${now} where id = ${item} and next_attempt_at > ${now}`,
  requery: (item, now) =>
    sql`update payments set next_requery_at = ${now} where transaction_id = ${item} and next_requery_at > ${now}`,
  refunds: (item, now) =>
    sql`update refunds set next_try_at = ${now} where id = ${item} and next_try_at > ${now}`,
  disputes: (item, now) => sql`update disputes set next_at = ${now} where id = ${item} and next_at > ${now}`,
  retention: () => sql`update job_leases set last_run_at = null where name = 'retention'`,
}

/** Makes a deferred item due at the next run of its queue. */
export async function wake(
  db: Tx,
  { queue, item, now }: { queue: QueueName; item: string; now: number },
): Promise<void> {
  await db
    .update(deferrals)
    .set({ nextAt: now })
    .where(and(eq(deferrals.queue, queue), eq(deferrals.item, item)))
  const update = dueTimeUpdates[queue]?.(item, now)
  if (update) await db.run(update)
}

/** Deletes the deferrals of items that have been ended in another way. */
export async function deleteEndedDeferrals(db: Tx): Promise<void> {
  await db.delete(deferrals).where(sql`not (${isStillWaiting})`)
}
