import { and, count, eq } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { organisationMembers, organisations } from '../db/schema/organisations.ts'
import { isVerified, paymentItems, payments } from '../db/schema/payments.ts'

/** Counts the payments that an account started, and the verifications delivered to it. */
export async function countPayments(
  db: Reader,
  { userId }: { userId: string },
): Promise<{ payments: number; verifications: number }> {
  const [paymentCount] = await db.select({ total: count() }).from(payments).where(eq(payments.userId, userId))
  const [verifiedCount] = await db
    .select({ total: count() })
    .from(paymentItems)
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .where(and(eq(payments.userId, userId), isVerified))
  return { payments: paymentCount?.total ?? 0, verifications: verifiedCount?.total ?? 0 }
}

/** Returns the organisations that an account belongs to, with its role in each, sorted by name. */
export const listMembershipsOfUser = (db: Reader, { userId }: { userId: string }) =>
  db
    .select({ id: organisations.id, name: organisations.name, role: organisationMembers.role })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .where(eq(organisationMembers.userId, userId))
    .orderBy(organisations.name, organisations.id)
