import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { letterKeys } from '../db/schema/letters.ts'

export type LetterKeyRow = typeof letterKeys.$inferSelect

/** Returns all keys that have ever signed letters, oldest first. */
export async function listLetterKeys(db: Reader): Promise<LetterKeyRow[]> {
  return await db.select().from(letterKeys).orderBy(asc(letterKeys.createdAt), asc(letterKeys.kid))
}

/**
 * Revokes a key, so that its signatures are no longer accepted.
 * @returns false if there is no such key, or it had already been revoked
 */
export async function revokeLetterKey(db: Tx, { kid, now }: { kid: string; now: number }): Promise<boolean> {
  const { rowsAffected } = await db
    .update(letterKeys)
    .set({ revokedAt: now })
    .where(and(eq(letterKeys.kid, kid), isNull(letterKeys.revokedAt)))
  return rowsAffected === 1
}

/** Replaces the certificate of a key, unless another process has already done so. */
export async function replaceCertificate(
  db: Tx,
  { kid, certificate }: Pick<LetterKeyRow, 'kid' | 'certificate'>,
  newCertificate: string,
): Promise<void> {
  await db
    .update(letterKeys)
    .set({ certificate: newCertificate })
    .where(and(eq(letterKeys.kid, kid), eq(letterKeys.certificate, certificate)))
}

/** Stores the public part of a key, unless another process has already done so. */
export async function insertLetterKey(db: Tx, row: typeof letterKeys.$inferInsert): Promise<void> {
  await db.insert(letterKeys).values(row).onConflictDoNothing()
}
