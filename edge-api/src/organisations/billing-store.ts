import { and, asc, count, desc, eq, gte, lt, max, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import {
  organisationInvoices as invoices,
  organisationMovements as movements,
} from '../db/schema/organisation-money.ts'
import { organisations } from '../db/schema/organisations.ts'
import { payments } from '../db/schema/payments.ts'

export type MovementRow = typeof movements.$inferSelect & { transactionId: string }
export type InvoiceRow = typeof invoices.$inferSelect

/** A period in milliseconds: `from` inclusive, `before` exclusive. */
export interface Period {
  from: number
  before: number
}

const columns = {
  seq: movements.seq,
  id: movements.id,
  organisationId: movements.organisationId,
  type: movements.type,
  amountMinor: movements.amountMinor,
  balanceAfterMinor: movements.balanceAfterMinor,
  description: movements.description,
  paymentId: movements.paymentId,
  dedupeKey: movements.dedupeKey,
  at: movements.at,
  transactionId: payments.transactionId,
}

const selectMovements = (db: Reader) =>
  db.select(columns).from(movements).innerJoin(payments, eq(payments.id, movements.paymentId))

const isOfPeriod = (organisationId: string, period?: Period) =>
  and(
    eq(movements.organisationId, organisationId),
    period && and(gte(movements.at, period.from), lt(movements.at, period.before)),
  )

/** Lists one page of movements, of a period or of all time, newest first by default. */
export const listMovements = (
  db: Reader,
  {
    organisationId,
    period,
    limit,
    offset,
    oldestFirst = false,
  }: { organisationId: string; period?: Period; limit: number; offset: number; oldestFirst?: boolean },
): Promise<MovementRow[]> =>
  selectMovements(db)
    .where(isOfPeriod(organisationId, period))
    .orderBy(oldestFirst ? asc(movements.seq) : desc(movements.seq))
    .limit(limit)
    .offset(offset)

export async function countMovements(
  db: Reader,
  { organisationId, period }: { organisationId: string; period?: Period },
): Promise<number> {
  const [row] = await db.select({ total: count() }).from(movements).where(isOfPeriod(organisationId, period))
  return row?.total ?? 0
}

export async function findMovement(db: Reader, { key }: { key: string }): Promise<MovementRow | undefined> {
  const [row] = await selectMovements(db).where(eq(movements.dedupeKey, key)).limit(1)
  return row
}

/** Returns the sums of credits and debits of a period, and the balance at its start. */
export async function sumMovements(
  db: Reader,
  { organisationId, from, before }: { organisationId: string } & Period,
): Promise<{ openingMinor: number; creditsMinor: number; debitsMinor: number }> {
  const [row] = await db
    .select({
      openingMinor: sql<number>`coalesce(sum(iif(${movements.at} < ${from}, ${movements.amountMinor}, 0)), 0)`,
      creditsMinor: sql<number>`coalesce(sum(iif(${movements.at} >= ${from} and ${movements.amountMinor} > 0, ${movements.amountMinor}, 0)), 0)`,
      debitsMinor: sql<number>`coalesce(-sum(iif(${movements.at} >= ${from} and ${movements.amountMinor} < 0, ${movements.amountMinor}, 0)), 0)`,
    })
    .from(movements)
    .where(and(eq(movements.organisationId, organisationId), lt(movements.at, before)))
  return row ?? { openingMinor: 0, creditsMinor: 0, debitsMinor: 0 }
}

export async function setAlert(
  db: Tx,
  { id, alertMinor, at }: { id: string; alertMinor: number | null; at: number },
): Promise<void> {
  await db
    .update(organisations)
    .set({ lowBalanceAlertMinor: alertMinor, lowBalanceNotified: 0, updatedAt: at })
    .where(eq(organisations.id, id))
}

/**
 * Stores an invoice under the next number of its year. Reading and using the number happen in one transaction, so numbers have
 * no gaps.
 */
export async function insertInvoice(
  db: Tx,
  row: Omit<typeof invoices.$inferInsert, 'numberInYear'>,
): Promise<void> {
  const [last] = await db
    .select({ numberInYear: max(invoices.numberInYear) })
    .from(invoices)
    .where(eq(invoices.year, row.year))
  await db.insert(invoices).values({ ...row, numberInYear: (last?.numberInYear ?? 0) + 1 })
}

export async function findInvoice(
  db: Reader,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<InvoiceRow | undefined> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.organisationId, organisationId), eq(invoices.id, id)))
    .limit(1)
  return row
}

export async function findInvoiceByNumber(
  db: Reader,
  { organisationId, year, numberInYear }: { organisationId: string; year: number; numberInYear: number },
): Promise<InvoiceRow | undefined> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.organisationId, organisationId),
        eq(invoices.year, year),
        eq(invoices.numberInYear, numberInYear),
      ),
    )
    .limit(1)
  return row
}

export async function listInvoices(
  db: Reader,
  { organisationId, limit, offset }: { organisationId: string; limit: number; offset: number },
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const isOfOrganisation = eq(invoices.organisationId, organisationId)
  const rows = await db
    .select()
    .from(invoices)
    .where(isOfOrganisation)
    .orderBy(desc(invoices.year), desc(invoices.numberInYear))
    .limit(limit)
    .offset(offset)
  const [counted] = await db.select({ total: count() }).from(invoices).where(isOfOrganisation)
  return { rows, total: counted?.total ?? 0 }
}

/** Closes an open invoice, as paid or cancelled. @returns false if it was no longer open */
export async function endInvoice(
  db: Tx,
  { id, ...changes }: { id: string } & Partial<Pick<InvoiceRow, 'state' | 'paidAt' | 'paymentId'>>,
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(invoices)
    .set(changes)
    .where(and(eq(invoices.id, id), eq(invoices.state, 'open')))
  return rowsAffected === 1
}
