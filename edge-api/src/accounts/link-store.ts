import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { mailTokens } from '../db/schema/accounts.ts'
import type { LinkPurpose } from './sign-in-rules.ts'

export async function insertLink(
  db: Tx,
  link: { hash: string; purpose: LinkPurpose; userId: string; createdAt: number; expiresAt: number },
): Promise<void> {
  await db.insert(mailTokens).values(link)
}

export async function findLink(
  db: Reader,
  { hash, purposes }: { hash: string; purposes: readonly LinkPurpose[] },
): Promise<
  | Pick<typeof mailTokens.$inferSelect, 'purpose' | 'userId' | 'usedAt' | 'expiresAt' | 'createdAt'>
  | undefined
> {
  const [row] = await db
    .select({
      purpose: mailTokens.purpose,
      userId: mailTokens.userId,
      usedAt: mailTokens.usedAt,
      expiresAt: mailTokens.expiresAt,
      createdAt: mailTokens.createdAt,
    })
    .from(mailTokens)
    .where(and(eq(mailTokens.hash, hash), inArray(mailTokens.purpose, [...purposes])))
    .limit(1)
  return row
}

/**
 * Marks a link as used. If two requests use it at the same time, only one succeeds.
 * @returns false if it is already used or has expired
 */
export async function markLinkUsed(db: Tx, { hash, now }: { hash: string; now: number }): Promise<boolean> {
  const rows = await db
    .update(mailTokens)
    .set({ usedAt: now })
    .where(and(eq(mailTokens.hash, hash), isNull(mailTokens.usedAt), gt(mailTokens.expiresAt, now)))
    .returning({ hash: mailTokens.hash })
  return rows.length > 0
}

/** Revokes every unused link of an account that has one of these purposes. */
export async function revokeLinksOf(
  db: Tx,
  { userId, purposes, now }: { userId: string; purposes: readonly LinkPurpose[]; now: number },
): Promise<void> {
  await db
    .update(mailTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(mailTokens.userId, userId),
        inArray(mailTokens.purpose, [...purposes]),
        isNull(mailTokens.usedAt),
      ),
    )
}
