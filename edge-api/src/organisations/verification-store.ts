import { and, asc, count, desc, eq, gte, isNotNull, like, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import { containsPattern } from '../db/like.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { users } from '../db/schema/accounts.ts'
import { fulfilments } from '../db/schema/money.ts'
import { organisationVerifications as verifications } from '../db/schema/organisation-money.ts'
import { organisationMembers } from '../db/schema/organisations.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'

export type VerificationRow = typeof verifications.$inferSelect

/** A verification with its transaction and requester; `memberId` is null if the requester is no longer a member. */
export interface VerificationView {
  verification: VerificationRow
  transactionId: string | null
  requester: { firstname: string; lastname: string } | null
  memberId: string | null
}

export interface VerificationFilter {
  organisationId: string
  search: string
  status: VerificationRow['status'] | undefined
  result: NonNullable<VerificationRow['result']> | undefined
  source: VerificationRow['source'] | undefined
  requestedBy: string | undefined
  livemode: boolean | undefined
  /** Milliseconds, inclusive. */
  from: number | undefined
  /** Milliseconds, exclusive. */
  before: number | undefined
}

const selectVerifications = (db: Reader) =>
  db
    .select({
      verification: verifications,
      // SQL expressions, because `prepareOnce` would take a column that is never null as proof that the joined row exists.
      transactionId: sql<string | null>`${payments.transactionId}`,
      requester: { firstname: users.firstname, lastname: users.lastname },
      memberId: sql<string | null>`${organisationMembers.userId}`,
    })
    .from(verifications)
    .leftJoin(payments, eq(payments.id, verifications.paymentId))
    .leftJoin(users, eq(users.id, verifications.requestedBy))
    .leftJoin(
      organisationMembers,
      and(
        eq(organisationMembers.userId, verifications.requestedBy),
        eq(organisationMembers.organisationId, verifications.organisationId),
      ),
    )

/** Returns the condition that the certificate number or the reference contains the given text, ignoring case. */
function matchesSearch(search: string): SQL | undefined {
  if (search === '') return undefined
  const pattern = containsPattern(search)
  return or(
    sql`${like(verifications.certificateNumber, pattern)} escape '\\'`,
    sql`${like(verifications.reference, pattern)} escape '\\'`,
  )
}

const matchesFilter = (filter: VerificationFilter) =>
  and(
    eq(verifications.organisationId, filter.organisationId),
    matchesSearch(filter.search),
    filter.status && eq(verifications.status, filter.status),
    filter.result && eq(verifications.result, filter.result),
    filter.source && eq(verifications.source, filter.source),
    filter.requestedBy === undefined ? undefined : eq(verifications.requestedBy, filter.requestedBy),
    filter.livemode === undefined ? undefined : eq(verifications.livemode, filter.livemode),
    filter.from === undefined ? undefined : gte(verifications.createdAt, filter.from),
    filter.before === undefined ? undefined : lt(verifications.createdAt, filter.before),
  )

/** Lists the matching verifications, newest first, from an offset or after `below`, the last `seq` of the previous page. */
export const listVerifications = (
  db: Reader,
  {
    limit,
    offset = 0,
    below,
    ...filter
  }: VerificationFilter & { limit: number; offset?: number; below?: number | undefined },
): Promise<VerificationView[]> =>
  selectVerifications(db)
    .where(and(matchesFilter(filter), below === undefined ? undefined : lt(verifications.seq, below)))
    .orderBy(desc(verifications.seq))
    .limit(limit)
    .offset(offset)

export async function countVerifications(db: Reader, filter: VerificationFilter): Promise<number> {
  const [row] = await db.select({ total: count() }).from(verifications).where(matchesFilter(filter))
  return row?.total ?? 0
}

const byId = prepareOnce(db =>
  selectVerifications(db).where(
    and(
      eq(verifications.organisationId, sql.placeholder('organisationId')),
      eq(verifications.id, sql.placeholder('id')),
    ),
  ),
)

export async function findVerification(
  db: Reader,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<VerificationView | undefined> {
  return await byId(db).get({ organisationId, id })
}

/** Finds the verification to which a payment of the organisation belongs. */
export async function findVerificationByPayment(
  db: Reader,
  { paymentId }: { paymentId: string },
): Promise<VerificationView | undefined> {
  const [row] = await selectVerifications(db).where(eq(verifications.paymentId, paymentId)).limit(1)
  return row
}

type NewVerification = typeof verifications.$inferInsert

export async function insertVerification(db: Tx, row: NewVerification): Promise<void> {
  await db.insert(verifications).values(row)
}

export async function insertVerifications(db: Tx, rows: readonly NewVerification[]): Promise<void> {
  for (const chunk of chunks(rows)) await db.insert(verifications).values(chunk)
}

/** Lists the verifications in test mode whose scheduled change is due, the earliest first. */
export const listDueTestChanges = (
  db: Reader,
  { now, limit }: { now: number; limit: number },
): Promise<VerificationRow[]> =>
  db
    .select()
    .from(verifications)
    .where(and(isNotNull(verifications.dueAt), lte(verifications.dueAt, now)))
    .orderBy(asc(verifications.dueAt))
    .limit(limit)

/** Makes the scheduled change of a verification in test mode. @returns false if it has already been made */
export async function applyDueChange(
  db: Tx,
  {
    id,
    changes,
  }: { id: string; changes: Partial<Pick<VerificationRow, 'status' | 'result' | 'completedAt'>> },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(verifications)
    .set({ ...changes, dueAt: null })
    .where(and(eq(verifications.id, id), isNotNull(verifications.dueAt)))
  return rowsAffected === 1
}

/** Cancels a verification that is waiting for consent. @returns false if it is not waiting */
export async function cancelWaitingVerification(
  db: Tx,
  { organisationId, id, at }: { organisationId: string; id: string; at: number },
): Promise<boolean> {
  const { rowsAffected } = await db
    .update(verifications)
    .set({ status: 'cancelled', completedAt: at, dueAt: null })
    .where(
      and(
        eq(verifications.organisationId, organisationId),
        eq(verifications.id, id),
        eq(verifications.status, 'awaiting_consent'),
      ),
    )
  return rowsAffected === 1
}

const fulfilmentsQuery = prepareOnce(db =>
  db
    .select({ paymentId: paymentItems.paymentId, fulfilment: fulfilments })
    .from(paymentItems)
    .innerJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
    .where(sql`${paymentItems.paymentId} in (select value from json_each(${sql.placeholder('paymentIds')}))`),
)

/** Returns what each of these payments delivered, by payment; each must be for a single certificate. */
export async function readFulfilments(
  db: Reader,
  { paymentIds }: { paymentIds: readonly string[] },
): Promise<Map<string, typeof fulfilments.$inferSelect>> {
  if (paymentIds.length === 0) return new Map()
  const rows = await fulfilmentsQuery(db).all({ paymentIds: JSON.stringify(paymentIds) })
  return new Map(rows.map(row => [row.paymentId, row.fulfilment]))
}
