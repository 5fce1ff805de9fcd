import { and, eq, gt, inArray, or, sum } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { disputes } from '../db/schema/disputes.ts'

/** True while a bank may still take a payment back. If it were also refunded, the payer could get the money twice. */
export async function isDisputed(db: Reader, { paymentId }: { paymentId: string }): Promise<boolean> {
  const undecided = or(inArray(disputes.state, ['open', 'contested']), gt(disputes.heldMinor, 0))
  const [row] = await db
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.paymentId, paymentId), undecided))
    .limit(1)
  return row !== undefined
}

/** Returns the amount that disputes have taken from a payment and not returned, in minor units. */
export async function sumLostInDisputes(db: Reader, { paymentId }: { paymentId: string }): Promise<number> {
  const [row] = await db
    .select({ minor: sum(disputes.lostMinor) })
    .from(disputes)
    .where(eq(disputes.paymentId, paymentId))
  return Number(row?.minor ?? 0)
}
