import { and, eq } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { idempotencyKeys } from '../db/schema/payments.ts'

/** The payment with a user's idempotency key, with the hash of its request. */
export async function findIdempotencyKey(
  db: Reader,
  { userId, key }: { userId: string; key: string },
): Promise<{ requestHash: string; paymentId: string | null } | undefined> {
  const [row] = await db
    .select({ requestHash: idempotencyKeys.requestHash, paymentId: idempotencyKeys.paymentId })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)))
    .limit(1)
  return row
}

/** Stores the payment of an idempotency key; a key whose attempt was never created points to the new attempt. */
export async function storeIdempotencyKey(
  db: Tx,
  row: { userId: string; key: string; requestHash: string; paymentId: string; createdAt: number },
): Promise<void> {
  await db
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [idempotencyKeys.userId, idempotencyKeys.key],
      set: { paymentId: row.paymentId },
    })
}
