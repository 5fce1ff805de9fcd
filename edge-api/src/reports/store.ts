import type { AuthenticationResult } from '@portal/contract/admin-reports'
import { and, between, count, desc, eq, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { refunds } from '../db/schema/money.ts'
import { dailyCounters } from '../db/schema/operations.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import type { Payment, PaymentItem } from '../payments/store.ts'

export interface AuthenticationFilter {
  result: AuthenticationResult | undefined
  /** Begins a number, a transaction id or an e-mail address, or is a payment reference; empty for all. */
  search: string
  /** Milliseconds, inclusive. */
  from: number | undefined
  /** Milliseconds, exclusive. */
  before: number | undefined
}

/** Ranges rather than LIKE, so that the indexes serve. */
function containing(search: string): SQL | undefined {
  if (search === '') return undefined
  const begins = (column: SQL, text: string) =>
    sql`${column} >= ${text} and ${column} < ${`${text}\u{10ffff}`}`
  const upper = search.toUpperCase()
  const id = upper.replaceAll('-', '')
  const found = [
    sql`select id from payment_items where ${begins(sql`certificate_number`, upper)}`,
    sql`select item.id from users join payment_items item on item.user_id = users.id
      where ${begins(sql`users.email`, search.toLowerCase())}`,
    sql`select item.id from payments join payment_items item on item.payment_id = payments.id
      where payments.provider_reference = ${id}`,
    // Fewer letters are those of every id.
    ...(id.length > 3
      ? [
          sql`select item.id from payments join payment_items item on item.payment_id = payments.id
            where ${begins(sql`payments.transaction_id`, id)}`,
        ]
      : []),
  ]
  return sql`${paymentItems.id} in (${sql.join(found, sql` union all `)})`
}

const matching = ({ result, search, from, before }: AuthenticationFilter) =>
  and(
    result === undefined ? undefined : eq(paymentItems.result, result),
    from === undefined ? undefined : gte(paymentItems.resultAt, from),
    before === undefined ? undefined : lt(paymentItems.resultAt, before),
    containing(search),
  )

export interface AuthenticationRow {
  payment: Payment
  item: PaymentItem
  user: { email: string; firstname: string; lastname: string }
}

interface Part {
  limit: number
  offset?: number
  /** The last row of the part before, for an export. */
  below?: { at: number; id: string } | undefined
}

/** Verifications that match, newest first: at most `limit`, after `offset` others or below a key. */
export async function listAuthentications(
  db: Reader,
  { limit, offset = 0, below, ...filter }: AuthenticationFilter & Part,
): Promise<AuthenticationRow[]> {
  // Rows are counted off in the narrow index; the wide ones are fetched for the page alone.
  const keys = db
    .select({ id: paymentItems.id })
    .from(paymentItems)
    .where(
      and(
        matching(filter),
        below && sql`(${paymentItems.resultAt}, ${paymentItems.id}) < (${below.at}, ${below.id})`,
      ),
    )
    .orderBy(desc(paymentItems.resultAt), desc(paymentItems.id))
    .limit(limit)
    .offset(offset)
  return await db
    .select({
      payment: payments,
      item: paymentItems,
      user: { email: users.email, firstname: users.firstname, lastname: users.lastname },
    })
    .from(paymentItems)
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .innerJoin(users, eq(users.id, paymentItems.userId))
    .where(inArray(paymentItems.id, keys))
    .orderBy(desc(paymentItems.resultAt), desc(paymentItems.id))
}

/** How many verifications match. */
export async function countAuthentications(db: Reader, filter: AuthenticationFilter): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(paymentItems).where(matching(filter))
  return counted?.total ?? 0
}

const sumOf = (column: SQL | typeof payments.amountMinor) => sql<number>`coalesce(sum(${column}), 0)`

export interface StateTotal {
  status: Payment['status']
  count: number
  dueMinor: number
  paidMinor: number
}

/** Payments started in a period, by state; read from the index alone. */
export async function totalsByState(
  db: Reader,
  { from, before }: { from: number; before: number },
): Promise<StateTotal[]> {
  return await db
    .select({
      status: payments.status,
      count: count(),
      dueMinor: sumOf(payments.amountMinor),
      paidMinor: sumOf(sql`${payments.amountPaidMinor}`),
    })
    .from(payments)
    .where(and(gte(payments.createdAt, from), lt(payments.createdAt, before)))
    .groupBy(payments.status)
}

export interface Delivered {
  verifications: number
  successful: number
  notFound: number
  revenueMinor: number
}

/** What was delivered and earned on the days from `first` to `last` (`YYYY-MM-DD`), both inclusive. */
export async function deliveredOn(
  db: Reader,
  { first, last }: { first: string; last: string },
): Promise<Delivered> {
  const [sums] = await db
    .select({
      verifications: sumOf(sql`${dailyCounters.verifications}`),
      successful: sumOf(sql`${dailyCounters.successful}`),
      notFound: sumOf(sql`${dailyCounters.notFound}`),
      revenueMinor: sumOf(sql`${dailyCounters.revenueMinor}`),
    })
    .from(dailyCounters)
    .where(between(dailyCounters.day, first, last))
  if (!sums) throw new Error('a sum without a row')
  return sums
}

/** Refunds that have not been paid back yet: all of them, and how much in one currency. */
export async function refundsOutstanding(
  db: Reader,
  { currency }: { currency: string },
): Promise<{ count: number; minor: number }> {
  const [sums] = await db
    .select({
      count: count(),
      minor: sumOf(sql`case when ${refunds.currency} = ${currency} then ${refunds.amountMinor} else 0 end`),
    })
    .from(refunds)
    .where(
      and(
        inArray(refunds.status, ['due', 'approved', 'failed', 'needs_attention']),
        ne(refunds.amountMinor, 0),
      ),
    )
  return sums ?? { count: 0, minor: 0 }
}
