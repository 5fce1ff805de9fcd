import type { RefundStatus } from '@portal/contract/refunds'
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import type { disputes } from '../db/schema/disputes.ts'
import { refunds } from '../db/schema/money.ts'
import { payments } from '../db/schema/payments.ts'
import { isDue, isWrittenAhead } from '../db/time-conditions.ts'
import { MAX_WAIT_MS } from '../queues/backoff.ts'
import { isNotDeferred, wakeErasure } from '../queues/deferral-store.ts'
import { LEASE_MS } from './schedule.ts'

export type RefundRow = typeof refunds.$inferSelect

export interface RefundView {
  refund: RefundRow
  payment: Pick<
    typeof payments.$inferSelect,
    'transactionId' | 'providerReference' | 'provider' | 'providerTxnId' | 'mode' | 'status'
  >
  payerEmail: string
  approverEmail: string | null
}

export interface RefundFilter {
  status: RefundStatus | undefined
  /** A transaction ID or the beginning of one, or a payment reference; empty for all. */
  search: string
}

/** Returns the condition that a payment's transaction ID begins with the search text, or that its reference equals it. */
export function matchesPayment(search: string): SQL | undefined {
  if (search === '') return undefined
  // Uses a range rather than LIKE, so that the index of the unique ID applies.
  const startsWith = and(
    gte(payments.transactionId, search),
    lt(payments.transactionId, `${search}\u{10ffff}`),
  )
  return or(startsWith, eq(payments.providerReference, search))
}

const matchesFilter = ({ status, search }: RefundFilter) =>
  and(status === undefined ? undefined : eq(refunds.status, status), matchesPayment(search))

const approverEmail = sql`(select email from users as approver where approver.id = ${refunds.approvedBy})`

const selectViews = (db: Reader) =>
  db
    .select({
      refund: refunds,
      payment: {
        transactionId: payments.transactionId,
        providerReference: payments.providerReference,
        provider: payments.provider,
        providerTxnId: payments.providerTxnId,
        mode: payments.mode,
        status: payments.status,
      },
      payerEmail: users.email,
      approverEmail: sql<string | null>`${approverEmail}`,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(users, eq(users.id, payments.userId))

const newestFirst = [desc(refunds.createdAt), desc(refunds.id)] as const

/**
 * Lists the next matching refunds of an export, newest first, starting after a key, so that new refunds do not shift the pages.
 */
export async function listRefundsBelow(
  db: Reader,
  {
    below,
    limit,
    ...filter
  }: RefundFilter & { below: Pick<RefundRow, 'createdAt' | 'id'> | undefined; limit: number },
): Promise<RefundView[]> {
  const afterKey = below && sql`(${refunds.createdAt}, ${refunds.id}) < (${below.createdAt}, ${below.id})`
  return selectViews(db)
    .where(and(afterKey, matchesFilter(filter)))
    .orderBy(...newestFirst)
    .limit(limit)
}

/** Returns one page of the matching refunds, newest first, with the total. */
export async function listRefunds(
  db: Reader,
  { page, perPage, ...filter }: RefundFilter & { page: number; perPage: number },
): Promise<{ rows: RefundView[]; total: number }> {
  const where = matchesFilter(filter)
  const rows = await selectViews(db)
    .where(where)
    .orderBy(...newestFirst)
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db
    .select({ total: count() })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(where)
  return { rows, total: counted?.total ?? 0 }
}

export async function findRefund(db: Reader, { id }: { id: string }): Promise<RefundView | undefined> {
  const [row] = await selectViews(db).where(eq(refunds.id, id)).limit(1)
  return row
}

/** Returns SQL for the sum in kobo of the amounts that are in naira. */
export const sumNaira = (table: typeof refunds | typeof disputes) =>
  sql<number>`sum(case when ${table.currency} = 'NGN' then ${table.amountMinor} else 0 end)`.mapWith(Number)

/** Returns the number of refunds in each status, and the sum of their amounts in kobo, without those in other currencies. */
export async function countRefunds(
  db: Reader,
): Promise<{ state: RefundStatus; count: number; minor: number }[]> {
  return db
    .select({ state: refunds.status, count: count(), minor: sumNaira(refunds) })
    .from(refunds)
    .groupBy(refunds.status)
}

/** Lists the refunds of a payment that have one of these statuses. */
export async function listRefundsByStatus(
  db: Reader,
  { paymentId, statuses }: { paymentId: string; statuses: readonly RefundStatus[] },
): Promise<RefundRow[]> {
  return db
    .select()
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), inArray(refunds.status, [...statuses])))
}

/** Finds another payment that has a refund with the same bank reference, ignoring case. */
export async function findOtherPaymentByBankReference(
  db: Reader,
  { bankReference, exceptPaymentId }: { bankReference: string; exceptPaymentId: string },
): Promise<{ transactionId: string } | undefined> {
  const [row] = await db
    .select({ transactionId: payments.transactionId })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(
        isNotNull(refunds.bankReference),
        sql`upper(${refunds.bankReference}) = upper(${bankReference})`,
        ne(refunds.paymentId, exceptPaymentId),
      ),
    )
    .limit(1)
  return row
}

type Changes = Partial<Omit<RefundRow, 'id' | 'paymentId' | 'amountMinor' | 'currency' | 'idempotencyKey'>>

/** Changes a refund if it has not changed since it was read (optimistic lock). @returns false if it has */
export async function changeRefund(
  db: Tx,
  seen: Pick<RefundRow, 'id' | 'status' | 'attempts'>,
  changes: Changes,
): Promise<boolean> {
  const result = await db
    .update(refunds)
    .set(changes)
    .where(and(eq(refunds.id, seen.id), eq(refunds.status, seen.status), eq(refunds.attempts, seen.attempts)))
  if (changes.status === 'processed')
    await wakeErasure(
      db,
      sql`(select user_id from ${payments} where id = (select payment_id from ${refunds} where id = ${seen.id}))`,
    )
  return result.rowsAffected === 1
}

const isUnleased = (now: number) =>
  or(
    isNull(refunds.leaseUntil),
    lt(refunds.leaseUntil, now),
    gt(refunds.leaseUntil, now + LEASE_MS + MAX_CLOCK_SKEW_MS),
  )

const isAvailable = (now: number) =>
  and(
    or(
      isDue(refunds.nextTryAt, now, MAX_WAIT_MS),
      isWrittenAhead(refunds.approvedAt, refunds.nextTryAt, now),
    ),
    isUnleased(now),
  )

/**
 * Lists refunds that are due to be sent to the gateway or requeried, and that are not leased: those overdue longest first or,
 * if `newestFirst` is true, last.
 */
export async function listDueRefunds(
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<{ id: string; provider: string }[]> {
  return db
    .select({ id: refunds.id, provider: payments.provider })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(and(isAvailable(now), isNotDeferred('refunds', refunds.id, now)))
    .orderBy((newestFirst ? desc : asc)(refunds.nextTryAt))
    .limit(limit)
}

/** Leases an unfinished refund to one worker. @returns false if another worker has leased it, or it is not due */
export async function leaseRefund(
  db: Tx,
  { id, now, until }: { id: string; now: number; until: number },
): Promise<boolean> {
  const result = await db
    .update(refunds)
    .set({ leaseUntil: until, tries: sql`tries + 1` })
    .where(
      and(eq(refunds.id, id), inArray(refunds.status, ['approved', 'needs_attention']), isAvailable(now)),
    )
  return result.rowsAffected === 1
}

/** Leases a refund that needs attention to one call, even if it is not due. @returns false if it has changed or is leased */
export async function claimRefund(
  db: Tx,
  { seen, now, until }: { seen: Pick<RefundRow, 'id' | 'attempts'>; now: number; until: number },
): Promise<boolean> {
  const result = await db
    .update(refunds)
    .set({ leaseUntil: until })
    .where(
      and(
        eq(refunds.id, seen.id),
        eq(refunds.status, 'needs_attention'),
        eq(refunds.attempts, seen.attempts),
        isUnleased(now),
      ),
    )
  return result.rowsAffected === 1
}

/** Releases a refund that needs attention after a call that got no response. Its state is requeried at `nextTryAt`. */
export async function releaseRefund(
  db: Tx,
  { id, nextTryAt }: { id: string; nextTryAt: number },
): Promise<void> {
  await db
    .update(refunds)
    .set({ leaseUntil: null, nextTryAt })
    .where(and(eq(refunds.id, id), eq(refunds.status, 'needs_attention')))
}

/** Makes the unfinished refunds of a payment due at the next run, for example after a callback. */
export async function wakeRefunds(
  db: Tx,
  { paymentId, now }: { paymentId: string; now: number },
): Promise<void> {
  await db
    .update(refunds)
    .set({ nextTryAt: now })
    .where(
      and(
        eq(refunds.paymentId, paymentId),
        inArray(refunds.status, ['approved', 'needs_attention']),
        gt(refunds.nextTryAt, now),
      ),
    )
}
