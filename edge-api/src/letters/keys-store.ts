import { asc } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { letterKeys } from '../db/schema/letters.ts'

export type LetterKeyRow = typeof letterKeys.$inferSelect

/** Every key that ever signed, the oldest first. */
export async function listLetterKeys(db: Reader): Promise<LetterKeyRow[]> {
  return await db.select().from(letterKeys).orderBy(asc(letterKeys.createdAt), asc(letterKeys.kid))
}

/** Keeps a key's public side; of several processes that meet it first at once, one is heard. */
export async function insertLetterKey(db: Tx, row: typeof letterKeys.$inferInsert): Promise<void> {
  await db.insert(letterKeys).values(row).onConflictDoNothing()
}
