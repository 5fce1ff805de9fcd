import { and, eq } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { idempotencyKeys } from '../db/schema/payments.ts'
import { Fault } from '../fault.ts'

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

/** The request that an idempotency key covers, and the payment that an earlier request with this key has started. */
export interface IdempotentRequest {
  requestHash: string
  keyedPaymentId: string | undefined
}

/**
 * Returns the ID of the payment that an earlier request with this key has started, or undefined.
 * @throws Fault `IDEMPOTENCY_MISMATCH` if the key was used for another request
 */
export async function paymentOfKey(
  db: Reader,
  { userId, key, requestHash }: { userId: string; key: string | undefined; requestHash: string },
): Promise<string | undefined> {
  const stored = key === undefined ? undefined : await findIdempotencyKey(db, { userId, key })
  if (stored && stored.requestHash !== requestHash) throw new Fault('IDEMPOTENCY_MISMATCH')
  return stored?.paymentId ?? undefined
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
