import { and, count, desc, eq, gte, lt, sql, sum } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { ledgerEntries } from '../db/schema/money.ts'
import { payments } from '../db/schema/payments.ts'
import { paymentNamed } from './refund-store.ts'
import type { Account } from './rules.ts'

export interface LedgerFilter {
  account: Account | undefined
  /** A transaction id or the beginning of one, or a payment reference; empty for all. */
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

const matching = ({ account, search, from, before }: LedgerFilter) =>
  and(
    account === undefined ? undefined : eq(ledgerEntries.account, account),
    paymentNamed(search),
    from === undefined ? undefined : gte(ledgerEntries.at, from),
    before === undefined ? undefined : lt(ledgerEntries.at, before),
  )

/** The entries that match below an id, newest first: pages of an export, each found by key. */
export async function listEntriesBelow(
  db: Reader,
  { below, limit, ...filter }: LedgerFilter & { below: number; limit: number },
): Promise<LedgerRow[]> {
  return selectRows(db)
    .where(and(lt(ledgerEntries.id, below), matching(filter)))
    .orderBy(desc(ledgerEntries.id))
    .limit(limit)
}

/** One page of the entries that match, newest first. */
export async function listEntries(
  db: Reader,
  { page, perPage, ...filter }: LedgerFilter & { page: number; perPage: number },
): Promise<LedgerRow[]> {
  return selectRows(db)
    .where(matching(filter))
    .orderBy(desc(ledgerEntries.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
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
  /** How many entries it is the sum of. */
  entries: number
}

/** What each account stands at over the filter, in minor units of each currency. */
export async function balancesBy(db: Reader, filter: LedgerFilter): Promise<Balance[]> {
  const sums = {
    account: ledgerEntries.account,
    currency: ledgerEntries.currency,
    minor: sum(ledgerEntries.amountMinor),
    entries: count(),
  }
  const query = db.select(sums).from(ledgerEntries)
  // Only a name needs the payment; without it the index of the accounts serves alone.
  const joined =
    filter.search === '' ? query : query.innerJoin(payments, eq(payments.id, ledgerEntries.paymentId))
  const rows = await joined
    .where(matching(filter))
    // The plus keeps the planner from the index of accounts, which knows no time, where a period is asked for.
    .groupBy(sql`+${ledgerEntries.account}`, ledgerEntries.currency)
    .orderBy(ledgerEntries.account, ledgerEntries.currency)
  return rows.map(row => ({ ...row, minor: Number(row.minor ?? 0) }))
}
