import type { DisputeState } from '@portal/contract/admin-disputes'
import { and, asc, count, desc, eq, gt, gte, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { disputes } from '../db/schema/disputes.ts'
import { jobLeases } from '../db/schema/operations.ts'
import { payments, webhookInbox } from '../db/schema/payments.ts'
import { isDue } from '../db/time-conditions.ts'
import { REVERSED_BY_GATEWAY } from '../payments/money-store.ts'
import { matchesPayment, sumNaira } from '../payments/refund-store.ts'
import { isNotDeferred, wakeErasure } from '../queues/deferral-store.ts'
import { type DisputeRow, MAX_CHECK_INTERVAL_MS, POLL_INTERVAL_MS } from './rules.ts'

/** How long a worker leases a dispute, in milliseconds: longer than the time limit for all calls of one answer. */
export const LEASE_MS = 3 * 60_000

export interface DisputeView {
  dispute: DisputeRow
  payment: Pick<
    typeof payments.$inferSelect,
    'id' | 'transactionId' | 'providerReference' | 'mode' | 'userId' | 'status' | 'createdAt'
  >
  payerEmail: string
  answererEmail: string | null
  /** Amount of the payment's separate refunds, completed or in progress, in minor units. */
  refundedMinor: number
}

export interface DisputeFilter {
  state: DisputeState | undefined
  /** A transaction ID or the beginning of one, a payment reference, or the gateway's reference of the dispute. */
  search: string
}

const refunded = sql<number>`(select coalesce(sum(amount_minor), 0) from refunds where refunds.payment_id = ${disputes.paymentId}
  and refunds.currency = ${disputes.currency} and refunds.status in ('approved', 'needs_attention', 'processed')
  and coalesce(refunds.note, '') <> ${REVERSED_BY_GATEWAY})`

const matchesFilter = ({ state, search }: DisputeFilter): SQL | undefined =>
  and(
    state && eq(disputes.state, state),
    search === '' ? undefined : or(matchesPayment(search), eq(disputes.providerDisputeId, search)),
  )

const selectViews = (db: Reader) =>
  db
    .select({
      dispute: disputes,
      payment: {
        id: payments.id,
        transactionId: payments.transactionId,
        providerReference: payments.providerReference,
        mode: payments.mode,
        userId: payments.userId,
        status: payments.status,
        createdAt: payments.createdAt,
      },
      payerEmail: users.email,
      answererEmail: sql<
        string | null
      >`(select email from users as answerer where answerer.id = ${disputes.answeredBy})`,
      refundedMinor: refunded,
    })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .innerJoin(users, eq(users.id, payments.userId))

/** Sorts open disputes first, by deadline, and then all others, newest first. */
const dueOrder = [
  desc(sql`${disputes.state} = 'open'`),
  asc(sql`case when ${disputes.state} = 'open' then coalesce(${disputes.dueAt}, 9e15) end`),
  desc(disputes.openedAt),
  desc(disputes.id),
]

/** Returns one page of the matching disputes, with the total. */
export async function listDisputes(
  db: Reader,
  { offset, limit, ...filter }: DisputeFilter & { offset: number; limit: number },
): Promise<{ rows: DisputeView[]; total: number }> {
  const where = matchesFilter(filter)
  const rows = await selectViews(db)
    .where(where)
    .orderBy(...dueOrder)
    .limit(limit)
    .offset(offset)
  const [counted] = await db
    .select({ total: count() })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .where(where)
  return { rows, total: counted?.total ?? 0 }
}

/** Returns the number of disputes in each state, and the sum of their amounts in kobo, without those in other currencies. */
export async function countDisputes(
  db: Reader,
): Promise<{ state: DisputeState; count: number; minor: number }[]> {
  return db
    .select({ state: disputes.state, count: count(), minor: sumNaira(disputes) })
    .from(disputes)
    .groupBy(disputes.state)
}

export async function findDisputeView(db: Reader, { id }: { id: string }): Promise<DisputeView | undefined> {
  const [row] = await selectViews(db).where(eq(disputes.id, id)).limit(1)
  return row
}

export async function findDispute(
  db: Reader,
  key: { id: string } | { provider: string; providerDisputeId: string },
): Promise<DisputeRow | undefined> {
  const where =
    'id' in key
      ? eq(disputes.id, key.id)
      : and(eq(disputes.provider, key.provider), eq(disputes.providerDisputeId, key.providerDisputeId))
  const [row] = await db.select().from(disputes).where(where).limit(1)
  return row
}

/** Stores a new dispute. @returns false if a dispute of this gateway already has this ID */
export async function insertDispute(db: Tx, row: typeof disputes.$inferInsert): Promise<boolean> {
  return (await db.insert(disputes).values(row).onConflictDoNothing()).rowsAffected === 1
}

type Changes = Partial<Omit<DisputeRow, 'id' | 'paymentId' | 'provider' | 'providerDisputeId' | 'version'>>

/** Changes a dispute if it has not changed since it was read (optimistic lock). @returns false if it has */
export async function changeDispute(db: Tx, before: DisputeRow, changes: Changes): Promise<boolean> {
  const { rowsAffected } = await db
    .update(disputes)
    .set({ ...changes, version: before.version + 1 })
    .where(and(eq(disputes.id, before.id), eq(disputes.version, before.version)))
  if (changes.closedAt)
    await wakeErasure(db, sql`(select user_id from ${payments} where id = ${before.paymentId})`)
  return rowsAffected === 1
}

const isUnleased = (now: number) =>
  or(
    isNull(disputes.leaseUntil),
    lt(disputes.leaseUntil, now),
    gt(disputes.leaseUntil, now + LEASE_MS + MAX_CLOCK_SKEW_MS),
  )

/** Lists due disputes that no worker has leased, sorted by due time. */
export async function listDue(
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<{ id: string; provider: string }[]> {
  return db
    .select({ id: disputes.id, provider: disputes.provider })
    .from(disputes)
    .where(
      and(
        isNotNull(disputes.nextAt),
        isDue(disputes.nextAt, now, MAX_CHECK_INTERVAL_MS),
        isUnleased(now),
        isNotDeferred('disputes', disputes.id, now),
      ),
    )
    .orderBy((newestFirst ? desc : asc)(disputes.nextAt))
    .limit(limit)
}

/** Leases a dispute to one worker. @returns false if another worker has leased it */
export async function leaseDispute(db: Tx, { id, now }: { id: string; now: number }): Promise<boolean> {
  const { rowsAffected } = await db
    .update(disputes)
    .set({ leaseUntil: now + LEASE_MS, version: sql`version + 1` })
    .where(and(eq(disputes.id, id), isUnleased(now)))
  return rowsAffected === 1
}

/** Returns the callbacks about disputes that have not been processed yet, sorted by time. */
export async function listDueCallbacks(
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<{ id: number; provider: string; disputeId: string }[]> {
  const rows = await db
    .select({
      id: webhookInbox.id,
      provider: webhookInbox.provider,
      disputeId: webhookInbox.providerDisputeId,
    })
    .from(webhookInbox)
    .where(
      and(
        isNotNull(webhookInbox.providerDisputeId),
        isNull(webhookInbox.disputeSeenAt),
        isNotDeferred('disputes', sql`'hint:' || ${webhookInbox.id}`, now),
      ),
    )
    .orderBy((newestFirst ? desc : asc)(webhookInbox.receivedAt))
    .limit(limit)
  return rows.flatMap(({ disputeId, ...row }) => (disputeId === null ? [] : [{ ...row, disputeId }]))
}

/** Marks a callback, and all earlier ones about the same dispute, as processed. */
export async function markCallbacksProcessed(
  db: Tx,
  { id, provider, disputeId, at }: { id: number; provider: string; disputeId: string; at: number },
): Promise<void> {
  await db
    .update(webhookInbox)
    .set({ disputeSeenAt: at })
    .where(
      and(
        eq(webhookInbox.provider, provider),
        eq(webhookInbox.providerDisputeId, disputeId),
        isNull(webhookInbox.disputeSeenAt),
        sql`${webhookInbox.id} <= ${id}`,
      ),
    )
}

const toLeaseName = (provider: string) => `disputes:${provider}`

/** True if it is time to read the list of a gateway's disputes again. */
export async function isPollDue(
  db: Reader,
  { provider, now }: { provider: string; now: number },
): Promise<boolean> {
  const [row] = await db
    .select({ at: jobLeases.lastRunAt })
    .from(jobLeases)
    .where(
      and(
        eq(jobLeases.name, toLeaseName(provider)),
        gte(jobLeases.lastRunAt, now - POLL_INTERVAL_MS),
        lt(jobLeases.lastRunAt, now + MAX_CLOCK_SKEW_MS),
      ),
    )
    .limit(1)
  return row === undefined
}

export async function recordPoll(db: Tx, { provider, at }: { provider: string; at: number }): Promise<void> {
  await db
    .insert(jobLeases)
    .values({ name: toLeaseName(provider), leaseUntil: at, lastRunAt: at })
    .onConflictDoUpdate({ target: jobLeases.name, set: { lastRunAt: at } })
}

/** Returns the email addresses of all staff who can log in. */
export async function listStaffAddresses(
  db: Reader,
): Promise<{ id: string; email: string; firstname: string }[]> {
  return db
    .select({ id: users.id, email: users.email, firstname: users.firstname })
    .from(users)
    .where(and(sql`${users.role} in ('admin', 'super_admin')`, eq(users.isEnabled, true)))
}
