import { MAX_COUNTED } from '@portal/contract/list-limits'
import type { transactionStatuses } from '@portal/contract/transactions'
import { and, asc, count, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import {
  countUpTo,
  findPagePosition,
  intersectPeriods,
  onDays,
  type PageRange,
  sumTotals,
} from '../db/pages.ts'
import { users } from '../db/schema/accounts.ts'
import { paymentCounters } from '../db/schema/counters.ts'
import { fulfilments } from '../db/schema/money.ts'
import { canChange, paymentEvents, paymentItems, payments } from '../db/schema/payments.ts'
import type { Fulfilment, Payment, PaymentItem } from '../payments/store.ts'

type StatusLabel = (typeof transactionStatuses)[number]

/** The states that each status label stands for, as in status checks. */
const statesByLabel: Record<StatusLabel, readonly Payment['status'][]> = {
  paid: ['paid', 'refunded'],
  pending: ['created', 'pending', 'unknown', 'processing', 'review', 'mismatched'],
  failed: ['failed', 'cancelled', 'expired', 'reversed'],
  approved: ['paid', 'refunded'],
  cancelled: ['cancelled'],
  expired: ['expired'],
  processing: ['processing'],
}

export interface TransactionFilter {
  /** The account whose payments are listed; undefined for all accounts. */
  userId: string | undefined
  status: StatusLabel | undefined
  /** A transaction ID or the beginning of one, or a payment reference; empty for all. */
  search: string
  /** Milliseconds, inclusive. */
  from: number | undefined
  /** Milliseconds, exclusive. */
  before: number | undefined
}

function matchesSearch(search: string): SQL | undefined {
  // The prefix that all IDs have in common does not filter anything.
  if ('CVF'.startsWith(search)) return undefined
  // A range instead of LIKE, so that the index of the unique ID can be used.
  const startsWith = and(
    gte(payments.transactionId, search),
    lt(payments.transactionId, `${search}\u{10ffff}`),
  )
  return or(startsWith, eq(payments.providerReference, search))
}

const matchesFilter = ({ userId, status, search, from, before }: TransactionFilter) =>
  and(
    userId === undefined ? undefined : and(eq(payments.userId, userId), eq(payments.purpose, 'verification')),
    eq(payments.withoutGateway, false),
    status === undefined ? undefined : inArray(payments.status, [...statesByLabel[status]]),
    matchesSearch(search),
    from === undefined ? undefined : gte(payments.createdAt, from),
    before === undefined ? undefined : lt(payments.createdAt, before),
  )

interface Page {
  limit: number
  offset?: number
  /** The last row of the previous page, for an export. */
  below?: { at: number; id: string } | undefined
}

export interface TransactionRow {
  payment: Payment
  payer: { firstname: string; lastname: string; email: string }
  /** First item of the payment. */
  item: PaymentItem | null
  itemCount: number
  fulfilment: Fulfilment | null
}

/**
 * Returns a query for the number of matching payments per day; undefined for one account or a search, for which there are no
 * counters.
 */
function selectPaymentsByDay({ userId, status, search, ...days }: TransactionFilter): SQL | undefined {
  if (userId !== undefined || matchesSearch(search)) return undefined
  const states =
    status === undefined ? sql`true` : inArray(paymentCounters.status, [...statesByLabel[status]])
  return sql`select day, total from ${paymentCounters} where ${onDays(days)} and ${states}`
}

const newestFirst = [desc(payments.createdAt), desc(payments.id)] as const

/**
 * Returns a query for the IDs of a page's payments. A status covers several states: the newest payments of each state are
 * merged, so that the index of states is used however few payments match.
 */
function selectTransactionKeys(
  db: Reader,
  filter: TransactionFilter,
  below: SQL | undefined,
  { limit, offset }: PageRange,
) {
  const { status, ...otherFilters } = filter
  if (status === undefined || filter.userId !== undefined || matchesSearch(filter.search))
    return db
      .select({ id: payments.id })
      .from(payments)
      .where(and(matchesFilter(filter), below))
      .orderBy(...newestFirst)
      .limit(limit)
      .offset(offset)
  const paymentsOfStates = statesByLabel[status].map(state => {
    const newest = db
      .select({ id: payments.id, createdAt: payments.createdAt })
      .from(payments)
      .where(and(eq(payments.status, state), matchesFilter({ ...otherFilters, status: undefined }), below))
      .orderBy(...newestFirst)
      .limit(offset + limit)
    return sql`select * from (${newest})`
  })
  return sql`(select id from (${sql.join(paymentsOfStates, sql` union all `)}) order by created_at desc, id desc limit ${limit} offset ${offset})`
}

/** Lists the matching payments, newest first: at most `limit`, after an offset or after a key. */
export async function listTransactions(
  db: Reader,
  { limit, offset = 0, below, ...filter }: TransactionFilter & Page,
): Promise<TransactionRow[]> {
  const days = selectPaymentsByDay(filter)
  const position = days ? await findPagePosition(db, days, { offset, limit }) : { offset, limit }
  if (!position) return []
  const afterKey = below && sql`(${payments.createdAt}, ${payments.id}) < (${below.at}, ${below.id})`
  // Skips rows in the narrow index, so that whole rows are read only for the page itself.
  const page = await db
    .select({
      payment: payments,
      payer: { firstname: users.firstname, lastname: users.lastname, email: users.email },
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .where(
      inArray(
        payments.id,
        selectTransactionKeys(db, { ...filter, ...intersectPeriods(filter, position) }, afterKey, position),
      ),
    )
    .orderBy(...newestFirst)
  const firstItems = await findFirstItems(
    db,
    page.map(({ payment }) => payment.id),
  )
  return page.flatMap(row => {
    const firstItem = firstItems.get(row.payment.id)
    return [{ ...row, ...(firstItem ?? { item: null, itemCount: 0, fulfilment: null }) }]
  })
}

/** Counts the matching payments. */
export async function countTransactions(db: Reader, filter: TransactionFilter): Promise<number> {
  const days = selectPaymentsByDay(filter)
  if (days) return await sumTotals(db, days)
  return await countUpTo(db, MAX_COUNTED, sql`select 1 from ${payments} where ${matchesFilter(filter)}`)
}

async function findFirstItems(db: Reader, paymentIds: readonly string[]) {
  if (paymentIds.length === 0)
    return new Map<string, Pick<TransactionRow, 'item' | 'itemCount' | 'fulfilment'>>()
  const heads = db
    .select({ id: sql<string>`min(${paymentItems.id})`.as('first_id'), itemCount: count().as('item_count') })
    .from(paymentItems)
    .where(inArray(paymentItems.paymentId, [...paymentIds]))
    .groupBy(paymentItems.paymentId)
    .as('heads')
  const rows = await db
    .select({ item: paymentItems, itemCount: heads.itemCount, fulfilment: fulfilments })
    .from(heads)
    .innerJoin(paymentItems, eq(paymentItems.id, heads.id))
    .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
  return new Map(rows.map(row => [row.item.paymentId, row]))
}

export type EventRow = typeof paymentEvents.$inferSelect

/** Lists the events of a payment, newest first. */
export async function listEvents(db: Reader, { paymentId }: { paymentId: string }): Promise<EventRow[]> {
  return db
    .select()
    .from(paymentEvents)
    .where(eq(paymentEvents.paymentId, paymentId))
    .orderBy(desc(paymentEvents.id))
}

/** Lists payments that may still change; those whose last requery was longest ago come first. */
export async function listWaiting(
  db: Reader,
  { userId, limit }: { userId: string | undefined; limit: number },
): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(and(canChange, userId === undefined ? undefined : eq(payments.userId, userId)))
    .orderBy(sql`coalesce(last_requery_at, 0)`, asc(payments.createdAt))
    .limit(limit)
}

/** Finds a certificate that an account paid for, by its ID, as it was delivered. */
export async function findDeliveredCertificate(
  db: Reader,
  { userId, certificateId }: { userId: string; certificateId: string },
): Promise<{ fulfilment: Fulfilment; payment: Payment } | undefined> {
  const [row] = await db
    .select({ fulfilment: fulfilments, payment: payments })
    .from(fulfilments)
    .innerJoin(payments, eq(payments.id, fulfilments.paymentId))
    .where(
      and(
        eq(fulfilments.certificateId, certificateId),
        eq(fulfilments.userId, userId),
        eq(fulfilments.outcome, 'verified'),
        inArray(payments.status, ['paid', 'refunded']),
      ),
    )
    .orderBy(desc(fulfilments.at))
    .limit(1)
  return row
}
