import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { letterAuthorities } from '../db/schema/letters.ts'

export type AuthorityRow = typeof letterAuthorities.$inferSelect

/** Returns all CAs that there have ever been, newest first. */
export async function listAuthorities(db: Reader): Promise<AuthorityRow[]> {
  return await db.select().from(letterAuthorities).orderBy(desc(letterAuthorities.createdAt))
}

/** Stores a CA, unless another process has already stored one. @returns the CA that is in use */
export async function insertAuthority(db: Tx, row: AuthorityRow): Promise<AuthorityRow> {
  const [current] = await db.select().from(letterAuthorities).where(isNull(letterAuthorities.retiredAt))
  if (current) return current
  await db.insert(letterAuthorities).values(row)
  return row
}

/** Retires a CA, so that it issues no more certificates. @returns false if it was already retired */
export async function retireAuthority(db: Tx, { kid, now }: { kid: string; now: number }): Promise<boolean> {
  const { rowsAffected } = await db
    .update(letterAuthorities)
    .set({ retiredAt: now })
    .where(and(eq(letterAuthorities.kid, kid), isNull(letterAuthorities.retiredAt)))
  return rowsAffected === 1
}

/** Replaces the encrypted key, unless another process has already done so. */
export async function resealAuthority(
  db: Tx,
  { kid, sealedKey }: AuthorityRow,
  resealedKey: string,
): Promise<void> {
  await db
    .update(letterAuthorities)
    .set({ sealedKey: resealedKey })
    .where(and(eq(letterAuthorities.kid, kid), eq(letterAuthorities.sealedKey, sealedKey)))
}
