import type { AuthenticationResult } from '@portal/contract/admin-reports'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import { and, between, count, desc, eq, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { countUpTo, findPagePosition, intersectPeriods, onDays, sumTotals } from '../db/pages.ts'
import { users } from '../db/schema/accounts.ts'
import { itemCounters, ledgerCounters, paymentCounters } from '../db/schema/counters.ts'
import { ledgerEntries, refunds } from '../db/schema/money.ts'
import { dailyCounters } from '../db/schema/operations.ts'
import { organisationMovements } from '../db/schema/organisation-money.ts'
import { organisations } from '../db/schema/organisations.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import type { Payment, PaymentItem } from '../payments/store.ts'

export interface AuthenticationFilter {
  result: AuthenticationResult | undefined
  /** The beginning of a certificate number, transaction ID or email address, or a whole payment reference; empty for all. */
  search: string
  /** Only this number, this account or this organisation. */
  certificateNumber?: string | undefined
  userId?: string | undefined
  organisationId?: string | undefined
  /** Milliseconds, inclusive. */
  from: number | undefined
  /** Milliseconds, exclusive. */
  before: number | undefined
}

/**
 * Maximum number of matches that are collected before sorting. If there are more, matches are frequent, so the list is scanned
 * from its newest end until the page is full.
 */
const MAX_COLLECTED = 50_000

interface PrefixConditions {
  /**
   * Conditions for values that begin with the search text, or equal it, each in one table. They use ranges instead of LIKE, so
   * that indexes can be used.
   */
  number: (column: SQL) => SQL
  payment: SQL
  email: SQL
}

function buildPrefixConditions(search: string): PrefixConditions {
  const startsWith = (column: SQL, text: string) =>
    sql`${column} >= ${text} and ${column} < ${`${text}\u{10ffff}`}`
  const upper = search.toUpperCase()
  const id = upper.replaceAll('-', '')
  const reference = sql`payments.provider_reference = ${id}`
  return {
    number: column => startsWith(column, upper),
    // A transaction ID is only searched for with more than three letters, because the first three are the same in every ID.
    payment: id.length > 3 ? sql`${reference} or ${startsWith(sql`payments.transaction_id`, id)}` : reference,
    email: startsWith(sql`users.email`, search.toLowerCase()),
  }
}

/**
 * Returns the condition of the filters for one certificate, account or organisation. The items of an organisation belong to its
 * own account.
 */
const exactFilters = ({ certificateNumber, userId, organisationId }: AuthenticationFilter) =>
  and(
    certificateNumber === undefined ? undefined : eq(paymentItems.certificateNumber, certificateNumber),
    userId === undefined ? undefined : eq(paymentItems.userId, userId),
    organisationId === undefined ? undefined : eq(paymentItems.userId, organisationId),
  )

interface SearchCondition {
  /** Undefined if there is no search. */
  condition?: SQL
  /** True if there are too many matches to collect and sort. */
  hasTooManyMatches: boolean
}

/** Returns the condition for items that match the search and the filters, and whether they are too many to collect. */
async function selectSearchedItems(db: Reader, filter: AuthenticationFilter): Promise<SearchCondition> {
  const { condition, hasTooManyMatches } = await buildSearchCondition(db, filter.search)
  const combined = and(condition, exactFilters(filter))
  return combined ? { condition: combined, hasTooManyMatches } : { hasTooManyMatches }
}

async function buildSearchCondition(db: Reader, search: string): Promise<SearchCondition> {
  if (search === '') return { hasTooManyMatches: false }
  const { number, payment, email } = buildPrefixConditions(search)
  const ids = sql`select id from payment_items where ${number(sql`certificate_number`)}
    union all select item.id from users join payment_items item on item.user_id = users.id where ${email}
    union all select item.id from payments join payment_items item on item.payment_id = payments.id where ${payment}`
  const [counted] = await db.all<{ total: number }>(
    sql`select count(*) as total from (${ids} limit ${MAX_COLLECTED + 1})`,
  )
  const hasTooManyMatches = (counted?.total ?? 0) > MAX_COLLECTED
  if (!hasTooManyMatches) return { condition: sql`${paymentItems.id} in (${ids})`, hasTooManyMatches }
  // The unary plus keeps the planner from using the index of numbers, after which it would have to sort all rows.
  const condition = sql`(${number(sql`+${paymentItems.certificateNumber}`)}
    or exists (select 1 from users where users.id = ${paymentItems.userId} and ${email})
    or exists (select 1 from payments where payments.id = ${paymentItems.paymentId} and (${payment})))`
  return { condition, hasTooManyMatches }
}

const matchesFilter = ({ result, from, before }: AuthenticationFilter, search: SQL | undefined) =>
  and(
    result === undefined ? undefined : eq(paymentItems.result, result),
    from === undefined ? undefined : gte(paymentItems.resultAt, from),
    before === undefined ? undefined : lt(paymentItems.resultAt, before),
    search,
  )

export interface AuthenticationRow {
  payment: Payment
  item: PaymentItem
  user: { email: string; firstname: string; lastname: string }
  organisation: { id: string; name: string } | null
}

interface Page {
  limit: number
  offset?: number
  /** The last row of the previous page, for an export. */
  below?: { at: number; id: string } | undefined
}

/** Returns a query for the number of matching items per day. A search cannot be applied. */
const selectItemsByDay = ({ result, ...days }: AuthenticationFilter): SQL => sql`
  select day, total from ${itemCounters} where ${onDays(days)} and ${result === undefined ? sql`true` : sql`result = ${result}`}`

/** Lists the matching verifications, newest first: at most `limit`, after an offset or after a key. */
export async function listAuthentications(
  db: Reader,
  { limit, offset = 0, below, ...filter }: AuthenticationFilter & Page,
): Promise<AuthenticationRow[]> {
  const { condition } = await selectSearchedItems(db, filter)
  const span = condition
    ? { offset, limit }
    : await findPagePosition(db, selectItemsByDay(filter), { offset, limit })
  if (!span) return []
  // Skips rows in the narrow index, so that whole rows are read only for the page itself.
  const keys = db
    .select({ id: paymentItems.id })
    .from(paymentItems)
    .where(
      and(
        matchesFilter({ ...filter, ...intersectPeriods(filter, span) }, condition),
        below && sql`(${paymentItems.resultAt}, ${paymentItems.id}) < (${below.at}, ${below.id})`,
      ),
    )
    .orderBy(desc(paymentItems.resultAt), desc(paymentItems.id))
    .limit(span.limit)
    .offset(span.offset)
  return await db
    .select({
      payment: payments,
      item: paymentItems,
      user: { email: users.email, firstname: users.firstname, lastname: users.lastname },
      organisation: { id: organisations.id, name: organisations.name },
    })
    .from(paymentItems)
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .innerJoin(users, eq(users.id, paymentItems.userId))
    .leftJoin(organisations, eq(organisations.id, payments.organisationId))
    .where(inArray(paymentItems.id, keys))
    .orderBy(desc(paymentItems.resultAt), desc(paymentItems.id))
}

/** Counts the matching verifications; for a search, at most `MAX_COUNTED`. */
export async function countAuthentications(db: Reader, filter: AuthenticationFilter): Promise<number> {
  const { condition, hasTooManyMatches } = await selectSearchedItems(db, filter)
  if (!condition) return await sumTotals(db, selectItemsByDay(filter))
  const where = matchesFilter(filter, condition)
  if (!hasTooManyMatches) {
    const [counted] = await db.select({ total: count() }).from(paymentItems).where(where)
    return counted?.total ?? 0
  }
  return await countUpTo(db, MAX_COUNTED, sql`select 1 from ${paymentItems} where ${where}`)
}

const sumOf = (column: SQL) => sql<number>`coalesce(sum(${column}), 0)`

export interface StateTotal {
  status: Payment['status']
  count: number
  dueMinor: number
  paidMinor: number
}

/** Returns the number and amounts of payments started in a period, by state. */
export async function sumPaymentsByState(
  db: Reader,
  days: { from: number; before: number },
): Promise<StateTotal[]> {
  const { from, before } = days
  // The counters include only payments at gateways, so top-ups are subtracted and charges to balances are added.
  return await db.all<StateTotal>(sql`
    select status, sum(total) as count, sum(due_minor) as "dueMinor", sum(paid_minor) as "paidMinor" from (
      select status, total, due_minor, paid_minor from ${paymentCounters} where ${onDays(days)}
      union all select status, -1, -amount_minor, -coalesce(amount_paid_minor, 0) from ${payments}
        where purpose = 'topup' and provider <> 'bank' and created_at >= ${from} and created_at < ${before}
      union all select 'paid', 1, -amount_minor, -amount_minor from ${organisationMovements}
        where type = 'charge' and at >= ${from} and at < ${before})
    group by status having sum(total) > 0 order by status`)
}

export interface DeliveryTotals {
  verifications: number
  successful: number
  notFound: number
  revenueMinor: number
}

/** Returns deliveries and revenue from the day `first` to the day `last` (`YYYY-MM-DD`), both inclusive. */
export async function sumDeliveries(
  db: Reader,
  { first, last }: { first: string; last: string },
): Promise<DeliveryTotals> {
  const [sums] = await db
    .select({
      verifications: sumOf(sql`${dailyCounters.verifications}`),
      successful: sumOf(sql`${dailyCounters.successful}`),
      notFound: sumOf(sql`${dailyCounters.notFound}`),
      revenueMinor: sumOf(sql`${dailyCounters.revenueMinor}`),
    })
    .from(dailyCounters)
    .where(between(dailyCounters.day, first, last))
  if (!sums) throw new Error('the sum returned no row')
  return sums
}

/**
 * Returns the tax within the revenue of a period, in minor units. It is computed for each payment, with the tax that the
 * payment was started with, and rounded as on its receipt.
 */
export async function sumTax(
  db: Reader,
  { from, before }: { from: number; before: number },
): Promise<number> {
  const gross = sql`(10000 + tax_basis_points)`
  const tax = sql`sign(earned) * ((2 * abs(earned) * tax_basis_points + ${gross}) / (2 * ${gross}))`
  const [row] = await db.all<{ minor: number }>(sql`
    select ${sumOf(tax)} as minor from (
      select payment_id, -sum(amount_minor) as earned from ${ledgerEntries}
      where account = 'revenue' and at >= ${from} and at < ${before} group by payment_id
    ) join ${payments} on payments.id = payment_id where tax_basis_points is not null`)
  return row?.minor ?? 0
}

/** Returns the gateway fees of a period, less the part that payers bore; undefined if none were booked. */
export async function sumGatewayFees(
  db: Reader,
  { from, before, currency }: { from: number; before: number; currency: string },
): Promise<number | undefined> {
  const [row] = await db.all<{ entries: number; minor: number }>(sql`
    select ${sumOf(sql`entries`)} as entries, ${sumOf(sql`minor`)} as minor from ${ledgerCounters}
    where account = 'fees' and currency = ${currency} and ${onDays({ from, before })}`)
  return row && row.entries > 0 ? row.minor : undefined
}

/** Counts the refunds that are not completed, and adds up those in one currency. */
export async function sumOutstandingRefunds(
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

/** True if there is any organisation. */
export async function hasOrganisations(db: Reader): Promise<boolean> {
  const [row] = await db.select({ id: organisations.id }).from(organisations).limit(1)
  return row !== undefined
}
