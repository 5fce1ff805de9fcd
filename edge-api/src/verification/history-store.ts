import { MAX_COUNTED } from '@portal/contract/list-limits'
import type { HistoryOutcome, HistorySort } from '@portal/contract/verification-history'
import { fold } from '@portal/format/folding'
import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { containsPattern } from '../db/like.ts'
import { countFromNearerEnd, countUpTo, type Days } from '../db/pages.ts'
import { fulfilments } from '../db/schema/money.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import type { LetterWithCertificate } from '../letters/store.ts'
import { isItemRefunded } from '../payments/money-store.ts'
import type { ListedPaymentItem } from './rules.ts'
import { addLetters } from './store.ts'

export interface HistoryFilter extends Days {
  userId: string
  /** Part of a number, words from a verified certificate, or a whole reference or transaction ID; empty for all. */
  search: string
  outcome: HistoryOutcome | undefined
  sort: HistorySort
}

const isPaid = sql`exists (select 1 from payments where payments.id = ${paymentItems.paymentId} and payments.status in ('paid', 'refunded'))`
const isFailed = eq(paymentItems.result, 'failed')

const byOutcome = {
  success: eq(paymentItems.result, 'success'),
  pending: eq(paymentItems.result, 'pending'),
  not_found: sql`${isFailed} and ${isPaid}`,
  not_paid: sql`${isFailed} and not ${isPaid}`,
} satisfies Record<HistoryOutcome, SQL>

/**
 * Returns the condition of a search. It is applied to the certificate as it is in the register, folded, and as it was
 * delivered, so that a name is found both before and after its correction. Only certificates that the account has verified are
 * searched.
 */
function matchingCondition(search: string): SQL | undefined {
  const text = search.trim()
  if (text === '') return undefined
  const words = text.split(/\s+/)
  const id = text.toUpperCase().replaceAll('-', '')
  const matchesWords = words.map(
    word => sql`(certificates.folded like ${containsPattern(fold(word))} escape '\\'
      or json_extract(fulfilments.snapshot, '$.student_name') like ${containsPattern(word)} escape '\\')`,
  )
  return sql`(${paymentItems.certificateNumber} like ${containsPattern(text)} escape '\\'
    or exists (select 1 from fulfilments join certificates on certificates.id = fulfilments.certificate_id
      where fulfilments.user_id = ${paymentItems.userId} and fulfilments.outcome = 'verified'
        and fulfilments.certificate_number = ${paymentItems.certificateNumber} and ${sql.join(matchesWords, sql` and `)})
    or exists (select 1 from payments where payments.id = ${paymentItems.paymentId}
      and (payments.provider_reference = ${id} or payments.transaction_id = ${id})))`
}

const conditionOf = ({ userId, search, outcome, from, before }: HistoryFilter) =>
  and(
    eq(paymentItems.userId, userId),
    outcome && byOutcome[outcome],
    from === undefined ? undefined : gte(paymentItems.resultAt, from),
    before === undefined ? undefined : lt(paymentItems.resultAt, before),
    matchingCondition(search),
  )

const sortColumn = (sort: HistorySort) =>
  sort.endsWith('created_at') ? paymentItems.createdAt : paymentItems.certificateNumber
const isDescending = (sort: HistorySort) => sort.startsWith('-')

/** Reads the verifications with these keys (a query of item IDs), in the order of the list. */
async function readRows(db: Reader, keys: SQL, sort: HistorySort): Promise<ListedPaymentItem[]> {
  const order = isDescending(sort) ? desc : asc
  const itemCount = sql<number>`(select count(*) from payment_items sibling where sibling.payment_id = ${payments.id})`
  const rows = await db
    .select({
      payment: payments,
      item: paymentItems,
      fulfilment: fulfilments,
      itemCount,
      isRefunded: isItemRefunded,
    })
    .from(paymentItems)
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
    .where(inArray(paymentItems.id, keys))
    .orderBy(order(sortColumn(sort)), order(paymentItems.id))
  return addLetters(db, rows, new Map<string, LetterWithCertificate>())
}

/** Returns a query for the item IDs of a page. It reads only narrow indexes; whole rows are read for the page alone. */
function selectHistoryKeys(
  filter: HistoryFilter,
  {
    limit,
    offset = 0,
    backwards = false,
    isAfterLast,
  }: { limit: number; offset?: number; backwards?: boolean; isAfterLast?: SQL },
): SQL {
  const order = isDescending(filter.sort) === backwards ? asc : desc
  const key = sortColumn(filter.sort)
  return sql`(select ${paymentItems.id} from ${paymentItems} where ${and(conditionOf(filter), isAfterLast)}
    order by ${order(key)}, ${order(paymentItems.id)} limit ${limit} offset ${offset})`
}

interface Page {
  rows: ListedPaymentItem[]
  total: number
  /** True if counting stopped at `total`, and there may be more. */
  isMinimum: boolean
}

/**
 * Returns one page of an account's verifications.
 * @param unfilteredTotal total without filters, from `readCounters`; with filters, at most `MAX_COUNTED` rows are counted
 */
export async function listHistory(
  db: Reader,
  {
    page,
    perPage,
    unfilteredTotal,
    ...filter
  }: HistoryFilter & { page: number; perPage: number; unfilteredTotal: number },
): Promise<Page> {
  const { search, outcome, from, before, sort } = filter
  const isFiltered = search.trim() !== '' || [outcome, from, before].some(value => value !== undefined)
  const total = isFiltered
    ? await countUpTo(db, MAX_COUNTED, sql`select 1 from ${paymentItems} where ${conditionOf(filter)}`)
    : unfilteredTotal
  const isMinimum = isFiltered && total >= MAX_COUNTED
  const pageFromEnd = countFromNearerEnd(total, { offset: (page - 1) * perPage, limit: perPage })
  if (pageFromEnd.limit === 0) return { rows: [], total, isMinimum }
  // If counting stopped early, the list cannot be read from its end.
  const range = isMinimum ? { offset: (page - 1) * perPage, limit: perPage } : pageFromEnd
  return { rows: await readRows(db, selectHistoryKeys(filter, range), sort), total, isMinimum }
}

/** Lists the next verifications of an export, starting after `after`, the last one that was read. */
export async function listHistoryAfter(
  db: Reader,
  {
    after,
    limit,
    ...filter
  }: HistoryFilter & { after: ListedPaymentItem['item'] | undefined; limit: number },
): Promise<ListedPaymentItem[]> {
  const key = sortColumn(filter.sort)
  const lastValue = after && (key === paymentItems.createdAt ? after.createdAt : after.certificateNumber)
  const operator = sql.raw(isDescending(filter.sort) ? '<' : '>')
  const isAfterLast = after && sql`(${key}, ${paymentItems.id}) ${operator} (${lastValue}, ${after.id})`
  return await readRows(
    db,
    selectHistoryKeys(filter, { limit, ...(isAfterLast && { isAfterLast }) }),
    filter.sort,
  )
}
