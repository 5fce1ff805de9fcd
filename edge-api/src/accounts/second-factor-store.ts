import { and, count, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { recoveryCodes, secondFactors } from '../db/schema/accounts.ts'

export type SecondFactor = typeof secondFactors.$inferSelect

export async function findSecondFactor(
  db: Reader,
  { userId }: { userId: string },
): Promise<SecondFactor | undefined> {
  const [row] = await db.select().from(secondFactors).where(eq(secondFactors.userId, userId)).limit(1)
  return row
}

/** Starts the set-up of an authenticator app. Replaces an app whose set-up was never confirmed. */
export async function beginSecondFactorSetUp(
  db: Tx,
  { userId, sealedSecret, now }: { userId: string; sealedSecret: string; now: number },
): Promise<void> {
  await db
    .delete(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt)))
  await db.insert(secondFactors).values({ userId, sealedSecret, createdAt: now })
}

// How many time steps the last accepted code may be ahead of the present: two for the accepted window, and ten (5 min) for
// clock skew. A stored step further ahead was accepted while the clock was wrong, and is ignored.
const MAX_STEPS_AHEAD = 12

/** Accepts a code by storing its time step. @returns false if a code of that step, or of a later one, was accepted before */
export async function acceptTimeStep(
  db: Tx,
  { userId, step, sealedSecret }: { userId: string; step: number; sealedSecret?: string },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(secondFactors)
    .set({ lastStep: step, ...(sealedSecret !== undefined && { sealedSecret }) })
    .where(
      and(
        eq(secondFactors.userId, userId),
        or(lt(secondFactors.lastStep, step), gt(secondFactors.lastStep, step + MAX_STEPS_AHEAD)),
      ),
    )
  return rowsAffected === 1
}

export async function confirmSecondFactor(
  db: Tx,
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  await db.update(secondFactors).set({ confirmedAt: now }).where(eq(secondFactors.userId, userId))
}

export async function removeSecondFactor(db: Tx, { userId }: { userId: string }): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db.delete(secondFactors).where(eq(secondFactors.userId, userId))
}

/** Replaces the recovery codes. */
export async function replaceRecoveryCodes(
  db: Tx,
  { userId, hashes }: { userId: string; hashes: readonly string[] },
): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db.insert(recoveryCodes).values(hashes.map(hash => ({ hash, userId })))
}

/** Marks a recovery code as used. @returns false if the account has no such unused code */
export async function markRecoveryCodeUsed(
  db: Tx,
  { userId, hash, now }: { userId: string; hash: string; now: number },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return rowsAffected === 1
}

export async function countRecoveryCodes(db: Reader, { userId }: { userId: string }): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return row?.total ?? 0
}
