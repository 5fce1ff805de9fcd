import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { writeDeferred } from '../db/deferred-writes.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { rateLimits } from '../db/schema/accounts.ts'
import type { Usage } from './rules.ts'

const usageQuery = prepareOnce(db =>
  db
    .select({
      used: sql<number>`coalesce(sum(${rateLimits.count}), 0)`,
      oldest: sql<number | null>`min(${rateLimits.windowStart})`,
    })
    .from(rateLimits)
    .where(
      and(
        eq(rateLimits.key, sql.placeholder('key')),
        gt(rateLimits.windowStart, sql.placeholder('since')),
        lte(rateLimits.windowStart, sql.placeholder('until')),
      ),
    ),
)

/**
 * Returns the number of hits of a key in slots that began after `since`. Hits recorded while the clock was ahead do not count.
 */
export async function findUsage(
  db: Reader,
  { key, since, now }: { key: string; since: number; now: number },
): Promise<Usage> {
  const row = await usageQuery(db).get({ key, since, until: now + MAX_CLOCK_SKEW_MS })
  return { used: row?.used ?? 0, oldest: row?.oldest ?? undefined }
}

/** Adds `amount` hits to a slot. */
export async function addHits(
  db: Tx,
  { key, slot, amount, expiresAt }: { key: string; slot: number; amount: number; expiresAt: number },
): Promise<void> {
  const insertHits = db
    .insert(rateLimits)
    .values({ key, windowStart: slot, count: amount, expiresAt })
    .onConflictDoUpdate({
      target: [rateLimits.key, rateLimits.windowStart],
      set: { count: sql`${rateLimits.count} + ${amount}` },
    })
  await writeDeferred(db, insertHits)
}

/**
 * Adds a hit to a slot if fewer than `max` have been counted in slots that began after `since`.
 * @returns whether the hit was added
 */
export async function addHitIfBelow(
  db: Tx,
  {
    key,
    slot,
    expiresAt,
    max,
    since,
    now,
  }: { key: string; slot: number; expiresAt: number; max: number; since: number; now: number },
): Promise<boolean> {
  const rows = await db.all(sql`insert into ${rateLimits} (key, window_start, count, expires_at)
    select ${key}, ${slot}, 1, ${expiresAt} where ${max} > (select coalesce(sum(count), 0) from ${rateLimits}
      where key = ${key} and window_start > ${since} and window_start <= ${now + MAX_CLOCK_SKEW_MS})
    on conflict (key, window_start) do update set count = count + 1 returning count`)
  return rows.length > 0
}

/** Deletes slots whose hits no longer count. */
export async function deleteExpiredHits(db: Tx, { now }: { now: number }): Promise<void> {
  await writeDeferred(db, db.delete(rateLimits).where(lte(rateLimits.expiresAt, now)))
}
