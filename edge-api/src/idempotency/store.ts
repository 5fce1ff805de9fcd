import { and, eq } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { organisationIdempotencyKeys as keys } from '../db/schema/organisations.ts'

export type StoredReply = typeof keys.$inferSelect

export async function findReply(
  db: Reader,
  { scope, key }: { scope: string; key: string },
): Promise<StoredReply | undefined> {
  const [row] = await db
    .select()
    .from(keys)
    .where(and(eq(keys.scope, scope), eq(keys.key, key)))
    .limit(1)
  return row
}

/** Stores a reply, and replaces an expired one with the same key. */
export async function storeReply(db: Tx, row: StoredReply): Promise<void> {
  await db
    .insert(keys)
    .values(row)
    .onConflictDoUpdate({ target: [keys.scope, keys.key], set: row })
}
