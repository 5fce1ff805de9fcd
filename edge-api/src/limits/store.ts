import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { rateLimits } from '../db/schema/accounts.ts'
import type { Usage } from './rules.ts'

/** Hits counted for `key` in slots that began after `since`. */
export async function usageOf(db: Reader, { key, since }: { key: string; since: number }): Promise<Usage> {
  const [row] = await db
    .select({
      used: sql<number>`coalesce(sum(${rateLimits.count}), 0)`,
      oldest: sql<number | null>`min(${rateLimits.windowStart})`,
    })
    .from(rateLimits)
    .where(and(eq(rateLimits.key, key), gt(rateLimits.windowStart, since)))
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
