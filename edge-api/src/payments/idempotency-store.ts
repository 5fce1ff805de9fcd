import { and, eq } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { idempotencyKeys } from '../db/schema/payments.ts'
import { Fault } from '../fault.ts'

/** Finds the payment ID and request hash stored for a user's idempotency key. */
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

/**
 * Returns the ID of the payment that an earlier request with this key started, or undefined.
 * @throws Fault `IDEMPOTENCY_MISMATCH` if the key was used for another request
 */
export async function findPaymentIdForKey(
  db: Reader,
  { userId, key, requestHash }: { userId: string; key: string | undefined; requestHash: string },
): Promise<string | undefined> {
  const stored = key === undefined ? undefined : await findIdempotencyKey(db, { userId, key })
  if (stored && stored.requestHash !== requestHash) throw new Fault('IDEMPOTENCY_MISMATCH')
  return stored?.paymentId ?? undefined
}

/**
 * Stores the payment that a request with an idempotency key started. If the key exists, it is updated to point to this payment.
 */
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
