import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { CLOCK_SKEW } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { rateLimits } from '../db/schema/accounts.ts'
import type { Usage } from './rules.ts'

/** Hits counted for `key` in slots that began after `since`; those of a clock that was ahead do not count. */
export async function usageOf(
  db: Reader,
  { key, since, now }: { key: string; since: number; now: number },
): Promise<Usage> {
  const [row] = await db
    .select({
      used: sql<number>`coalesce(sum(${rateLimits.count}), 0)`,
      oldest: sql<number | null>`min(${rateLimits.windowStart})`,
    })
    .from(rateLimits)
    .where(
      and(
        eq(rateLimits.key, key),
        gt(rateLimits.windowStart, since),
        lte(rateLimits.windowStart, now + CLOCK_SKEW),
      ),
    )
  return { used: row?.used ?? 0, oldest: row?.oldest ?? undefined }
}

/** Adds `amount` hits to a slot. */
export async function addHits(
  db: Tx,
  { key, slot, amount, expiresAt }: { key: string; slot: number; amount: number; expiresAt: number },
): Promise<void> {
  await db
    .insert(rateLimits)
    .values({ key, windowStart: slot, count: amount, expiresAt })
    .onConflictDoUpdate({
      target: [rateLimits.key, rateLimits.windowStart],
      set: { count: sql`${rateLimits.count} + ${amount}` },
    })
}

/** Drops slots that no longer count. */
export async function forgetHits(db: Tx, { now }: { now: number }): Promise<void> {
  await db.delete(rateLimits).where(lte(rateLimits.expiresAt, now))
}
