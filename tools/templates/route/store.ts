import { and, count, eq } from 'drizzle-orm'
import type { Reader } from '../../../edge-api/src/db/database.ts'
import { payments } from '../../../edge-api/src/db/schema/payments.ts'

/** Returns the number of paid payments of an account. */
export async function readSampleCall(db: Reader, { userId }: { userId: string }): Promise<number> {
  const [counted] = await db
    .select({ total: count() })
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.status, 'paid')))
  return counted?.total ?? 0
}
