import { and, count, desc, eq, inArray, isNotNull, isNull, like, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { containsPattern } from '../db/like.ts'
import { users } from '../db/schema/accounts.ts'
import {
  organisationBatches,
  organisationVerifications,
  organisationTransfers as transfers,
} from '../db/schema/organisation-money.ts'
import { organisationMembers, organisations } from '../db/schema/organisations.ts'
import { payments } from '../db/schema/payments.ts'
import type { OrganisationRow } from '../membership/store.ts'

export interface OrganisationFilter {
  search: string
  state: OrganisationRow['state'] | undefined
  vetted: boolean | undefined
}

export interface CountedOrganisation {
  organisation: OrganisationRow
  members: number
  verifications: number
}

function matchesSearch(search: string): SQL | undefined {
  if (search === '') return undefined
  const pattern = containsPattern(search)
  const columns = [
    organisations.name,
    organisations.id,
    organisations.contactEmail,
    organisations.registrationNumber,
  ]
  return or(...columns.map(column => sql`${like(column, pattern)} escape '\\'`))
}

const matchesFilter = ({ search, state, vetted }: OrganisationFilter) =>
  and(
    matchesSearch(search),
    state && eq(organisations.state, state),
    vetted === undefined
      ? undefined
      : vetted
        ? isNotNull(organisations.vettedAt)
        : isNull(organisations.vettedAt),
  )

const selectWithCounts = (db: Reader) =>
  db
    .select({
      organisation: organisations,
      members: sql<number>`(select count(*) from ${organisationMembers} as member join ${users} as person on person.id = member.user_id
        where member.organisation_id = organisations.id and person.role = 'user' and person.is_enabled and person.erased_at is null)`,
      verifications: sql<number>`(select count(*) from ${organisationVerifications} as verification
        where verification.organisation_id = organisations.id and verification.livemode)`,
    })
    .from(organisations)

/** Lists the matching organisations, newest first, from an offset or after `below`, the last one of the previous page. */
export const listOrganisations = (
  db: Reader,
  {
    limit,
    offset = 0,
    below,
    ...filter
  }: OrganisationFilter & { limit: number; offset?: number; below?: { at: number; id: string } | undefined },
): Promise<CountedOrganisation[]> =>
  selectWithCounts(db)
    .where(
      and(
        matchesFilter(filter),
        below && sql`(${organisations.createdAt}, ${organisations.id}) < (${below.at}, ${below.id})`,
      ),
    )
    .orderBy(desc(organisations.createdAt), desc(organisations.id))
    .limit(limit)
    .offset(offset)

export async function countOrganisations(db: Reader, filter: OrganisationFilter): Promise<number> {
  const [row] = await db.select({ total: count() }).from(organisations).where(matchesFilter(filter))
  return row?.total ?? 0
}

/** Counts the batches of an organisation, and how many of them are running. */
export async function countBatches(
  db: Reader,
  { id }: { id: string },
): Promise<{ all: number; running: number }> {
  const [row] = await db
    .select({
      all: count(),
      running: sql<number>`coalesce(sum(${organisationBatches.status} = 'processing'), 0)`,
    })
    .from(organisationBatches)
    .where(and(eq(organisationBatches.organisationId, id), eq(organisationBatches.livemode, true)))
  return row ?? { all: 0, running: 0 }
}

export type TransferRow = typeof transfers.$inferSelect

/** Stores a bank transfer. @throws the driver's unique violation if its reference has already been credited */
export async function insertTransfer(db: Tx, row: typeof transfers.$inferInsert): Promise<void> {
  await db.insert(transfers).values(row)
}

export async function findTransfer(
  db: Reader,
  { paymentId }: { paymentId: string },
): Promise<TransferRow | undefined> {
  const [row] = await db.select().from(transfers).where(eq(transfers.paymentId, paymentId)).limit(1)
  return row
}

/** True if a transfer with this reference was credited and has not been reversed. */
export async function isCredited(db: Reader, { referenceKey }: { referenceKey: string }): Promise<boolean> {
  const [row] = await db
    .select({ id: transfers.paymentId })
    .from(transfers)
    .where(and(eq(transfers.referenceKey, referenceKey), sql`kind = 'credit' and reversed_at is null`))
    .limit(1)
  return row !== undefined
}

export async function markTransferReversed(
  db: Tx,
  { paymentId, at }: { paymentId: string; at: number },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(transfers)
    .set({ reversedAt: at })
    .where(
      and(eq(transfers.paymentId, paymentId), eq(transfers.kind, 'credit'), isNull(transfers.reversedAt)),
    )
  return rowsAffected === 1
}

/** Lists the organisations whose available balance has crossed their alert level, in either direction, since the last check. */
export async function listThresholdCrossings(db: Reader): Promise<OrganisationRow[]> {
  const available = sql`${organisations.balanceMinor} - ${organisations.heldMinor}`
  return await db
    .select()
    .from(organisations)
    .where(
      and(
        isNotNull(organisations.lowBalanceAlertMinor),
        eq(organisations.state, 'active'),
        or(
          and(eq(organisations.lowBalanceNotified, 0), lt(available, organisations.lowBalanceAlertMinor)),
          and(
            eq(organisations.lowBalanceNotified, 1),
            sql`${available} >= ${organisations.lowBalanceAlertMinor}`,
          ),
        ),
      ),
    )
    .limit(500)
}

/**
 * Changes the flag that members have been notified of a low balance, from 0 to 1 or back.
 * @returns false if another process has already changed it
 */
export async function setLowBalanceNotified(
  db: Tx,
  { id, from, to }: { id: string; from: number; to: number },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(organisations)
    .set({ lowBalanceNotified: to })
    .where(and(eq(organisations.id, id), eq(organisations.lowBalanceNotified, from)))
  return rowsAffected === 1
}

/** An organisation's stored amounts, and the sums of its movements, holds and ledger entries, which should agree with them. */
export interface BalanceDifference {
  id: string
  name: string
  balanceMinor: number
  heldMinor: number
  debtMinor: number
  movementsMinor: number
  holdsMinor: number
  ledgerMinor: number
  ledgerDebtMinor: number
}

/** Lists the organisations whose balance, movements, holds and ledger do not agree. */
export async function listBalanceDifferences(db: Reader): Promise<BalanceDifference[]> {
  return await db.all<BalanceDifference>(sql`
    select * from (
      select organisations.id, name, balance_minor as "balanceMinor", held_minor as "heldMinor", debt_minor as "debtMinor",
        coalesce((select sum(amount_minor) from organisation_movements where organisation_id = organisations.id), 0) as "movementsMinor",
        coalesce((select sum(amount_minor) from organisation_holds where organisation_id = organisations.id and state = 'held'), 0) as "holdsMinor",
        coalesce((select -sum(entry.amount_minor) from payments join ledger_entries entry on entry.payment_id = payments.id
          where payments.organisation_id = organisations.id and entry.account = 'organisation_balances'), 0) as "ledgerMinor",
        coalesce((select sum(entry.amount_minor) from payments join ledger_entries entry on entry.payment_id = payments.id
          where payments.organisation_id = organisations.id and entry.account = 'organisation_debts'), 0) as "ledgerDebtMinor"
      from organisations)
    where "balanceMinor" <> "movementsMinor" or "balanceMinor" <> "ledgerMinor" or "heldMinor" <> "holdsMinor" or "debtMinor" <> "ledgerDebtMinor"`)
}

/** Claims the daily check for this process. @returns false if the check is not due */
export async function claimBalanceCheck(
  db: Tx,
  { now, every: intervalMs }: { now: number; every: number },
): Promise<boolean> {
  const { rowsAffected } = await db.run(
    sql`insert into job_leases (name, lease_until, last_run_at) values ('organisation_check', ${now}, ${now})
        on conflict (name) do update set lease_until = ${now}, last_run_at = ${now}
        where last_run_at <= ${now - intervalMs} or last_run_at > ${now + intervalMs}`,
  )
  return rowsAffected === 1
}

/** Returns those of these payments that are paid and have not been reversed, by ID, with the verification they paid for. */
export async function findPaidVerifications(
  db: Reader,
  { paymentIds }: { paymentIds: readonly string[] },
): Promise<Map<string, { verificationId: string | null }>> {
  const rows = await db
    .select({ id: payments.id, verificationId: organisationVerifications.id })
    .from(payments)
    .leftJoin(organisationVerifications, eq(organisationVerifications.paymentId, payments.id))
    .where(and(inArray(payments.id, [...paymentIds]), eq(payments.status, 'paid')))
  return new Map(rows.map(({ id, verificationId }) => [id, { verificationId }]))
}
