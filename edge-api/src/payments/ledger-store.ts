import { and, count, desc, eq, gte, inArray, lt, type SQL, sql, sum } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { findPagePosition, intersectPeriods, onDays, type PageRange } from '../db/pages.ts'
import { ledgerCounters } from '../db/schema/counters.ts'
import { ledgerEntries } from '../db/schema/money.ts'
import { payments } from '../db/schema/payments.ts'
import { matchesPayment } from './refund-store.ts'
import type { Account } from './rules.ts'

export interface LedgerFilter {
  account: Account | undefined
  /** A transaction ID or the beginning of one, or a payment reference; empty for all. */
  search: string
  /** Milliseconds, inclusive. */
  from: number | undefined
  /** Milliseconds, exclusive. */
  before: number | undefined
}

export interface LedgerRow {
  entry: typeof ledgerEntries.$inferSelect
  transactionId: string
  reference: string
}

const matchesFilter = ({ account, search, from, before }: LedgerFilter) =>
  and(
    account === undefined ? undefined : eq(ledgerEntries.account, account),
    matchesPayment(search),
    from === undefined ? undefined : gte(ledgerEntries.at, from),
    before === undefined ? undefined : lt(ledgerEntries.at, before),
  )

const newestFirst = [desc(ledgerEntries.at), desc(ledgerEntries.id)] as const

/** The last row of the previous page of an export. */
export interface LedgerKey {
  at: number
  id: number
}

/** Lists the next matching entries of an export, newest first, starting after a key. */
export async function listEntriesBelow(
  db: Reader,
  { below, limit, ...filter }: LedgerFilter & { below: LedgerKey | undefined; limit: number },
): Promise<LedgerRow[]> {
  const afterKey = below && sql`(${ledgerEntries.at}, ${ledgerEntries.id}) < (${below.at}, ${below.id})`
  return selectRows(db)
    .where(and(afterKey, matchesFilter(filter)))
    .orderBy(...newestFirst)
    .limit(limit)
}

/** Returns the `from` and `where` clauses of a query on the counts per day. A search text cannot be applied to them. */
const dailyEntries = ({ account, search: _, ...days }: LedgerFilter): SQL => sql`
  from ${ledgerCounters} where ${onDays(days)} and ${account === undefined ? sql`true` : sql`account = ${account}`}`

/** Lists one page of the matching entries, newest first. */
export async function listEntries(
  db: Reader,
  { page, perPage, ...filter }: LedgerFilter & { page: number; perPage: number },
): Promise<LedgerRow[]> {
  const range: PageRange = { offset: (page - 1) * perPage, limit: perPage }
  if (filter.search !== '')
    return selectRows(db)
      .where(matchesFilter(filter))
      .orderBy(...newestFirst)
      .limit(range.limit)
      .offset(range.offset)
  const position = await findPagePosition(
    db,
    sql`select day, entries as total ${dailyEntries(filter)}`,
    range,
  )
  if (!position) return []
  // Skips rows in the narrow index; payments are read only for the page itself.
  const keys = db
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(matchesFilter({ ...filter, ...intersectPeriods(filter, position) }))
    .orderBy(...newestFirst)
    .limit(position.limit)
    .offset(position.offset)
  return selectRows(db)
    .where(inArray(ledgerEntries.id, keys))
    .orderBy(...newestFirst)
}

const selectRows = (db: Reader) =>
  db
    .select({
      entry: ledgerEntries,
      transactionId: payments.transactionId,
      reference: payments.providerReference,
    })
    .from(ledgerEntries)
    .innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))

export interface Balance {
  account: Account
  currency: string
  minor: number
  /** Number of entries that were added up. */
  entries: number
}

/** Returns the balance of each account over the matching entries, in minor units, by currency. */
export async function sumBalances(db: Reader, filter: LedgerFilter): Promise<Balance[]> {
  if (filter.search === '')
    return await db.all<Balance>(sql`
      select account, currency, sum(minor) as minor, sum(entries) as entries ${dailyEntries(filter)}
      group by account, currency order by account, currency`)
  const rows = await db
    .select({
      account: ledgerEntries.account,
      currency: ledgerEntries.currency,
      minor: sum(ledgerEntries.amountMinor),
      entries: count(),
    })
    .from(ledgerEntries)
    .innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))
    .where(matchesFilter(filter))
    .groupBy(ledgerEntries.account, ledgerEntries.currency)
    .orderBy(ledgerEntries.account, ledgerEntries.currency)
  return rows.map(row => ({ ...row, minor: Number(row.minor ?? 0) }))
}
