import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { openStates } from '../db/schema/payment-states.ts'
import { payments } from '../db/schema/payments.ts'
import type { Payment } from './store.ts'

/** Returns the condition for an organisation's top-ups by card. Bank transfers are not included. */
const isTopupOf = (organisationId: string) =>
  and(
    eq(payments.organisationId, organisationId),
    eq(payments.purpose, 'topup'),
    sql`${payments.provider} <> 'bank'`,
  )

/** Finds the open top-up of an amount, which a second request for the same amount continues. */
export async function findOpenTopup(
  db: Reader,
  { organisationId, amountMinor }: { organisationId: string; amountMinor: number },
): Promise<Payment | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(
      and(
        isTopupOf(organisationId),
        eq(payments.amountMinor, amountMinor),
        inArray(payments.status, [...openStates]),
      ),
    )
    .orderBy(desc(payments.createdAt))
    .limit(1)
  return row
}

export async function findTopup(
  db: Reader,
  { organisationId, transactionId }: { organisationId: string; transactionId: string },
): Promise<Payment | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(isTopupOf(organisationId), eq(payments.transactionId, transactionId)))
    .limit(1)
  return row
}

/** Returns one page of an organisation's top-ups, newest first. */
export async function listTopups(
  db: Reader,
  { organisationId, page, perPage }: { organisationId: string; page: number; perPage: number },
): Promise<{ rows: Payment[]; total: number }> {
  const rows = await db
    .select()
    .from(payments)
    .where(isTopupOf(organisationId))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db
    .select({ total: sql<number>`count(*)` })
    .from(payments)
    .where(isTopupOf(organisationId))
  return { rows, total: counted?.total ?? 0 }
}
