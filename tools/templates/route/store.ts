import { and, count, eq } from 'drizzle-orm'
import type { Reader } from '../../../edge-api/src/db/database.ts'
import { payments } from '../../../edge-api/src/db/schema/payments.ts'

/** How many payments of an account were paid. */
export async function readSampleCall(db: Reader, { userId }: { userId: string }): Promise<number> {
  const [counted] = await db
    .select({ total: count() })
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.status, 'paid')))
  return counted?.total ?? 0
}
