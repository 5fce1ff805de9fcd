import { and, eq, gt, inArray, notInArray, type SQL, sql, sum } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import { writeDeferred } from '../db/deferred-writes.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { fulfilments, ledgerEntries, refunds } from '../db/schema/money.ts'
import { setResultsOf } from './item-results-store.ts'
import { type Account, DISPUTE_FEE, type Entry, GATEWAY_FEE, type RefundDue, SETTLED } from './rules.ts'

/**
 * Returns the key that identifies the cause of a refund. If one of several certificates was not delivered, `key` is the item's
 * ID.
 */
const refundKey = (paymentId: string, key: string) => `${paymentId}:${key}`

/** SQL that is true for a row of `payment_items` whose own refund has been processed. */
export const isItemRefunded = sql<boolean>`exists (select 1 from refunds where
  refunds.idempotency_key = payment_items.payment_id || ':' || payment_items.id and refunds.status = 'processed')`.mapWith(
  Boolean,
)

/**
 * Stores refunds that are due to the payer, after the money received was booked. Each cause is stored once.
 * @throws RangeError if the refunds of a payment would exceed the amount received according to the ledger
 */
export async function insertRefunds(
  db: Tx,
  {
    paymentId,
    due,
    currency,
    at,
  }: { paymentId: string; due: readonly RefundDue[]; currency: string; at: number },
): Promise<void> {
  if (due.length === 0) return
  for (const { reason, minor, key } of due) {
    if (minor <= 0) throw new RangeError(`a refund of ${minor}`)
    await db
      .insert(refunds)
      .values({
        id: crypto.randomUUID(),
        paymentId,
        amountMinor: minor,
        currency,
        reason,
        status: 'due',
        idempotencyKey: refundKey(paymentId, key),
        createdAt: at,
        updatedAt: at,
      })
      .onConflictDoNothing()
  }
  const [{ receivedMinor = 0, refundMinor = 0 } = {}] = await db
    .select({
      receivedMinor: sql<number>`coalesce(sum(${ledgerEntries.amountMinor}), 0)`,
      refundMinor: sql<number>`(select coalesce(sum(amount_minor), 0) from refunds where payment_id = ${paymentId} and currency = ${currency})`,
    })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.paymentId, paymentId),
        eq(ledgerEntries.account, 'gateway_clearing'),
        eq(ledgerEntries.currency, currency),
        gt(ledgerEntries.amountMinor, 0),
        inArray(ledgerEntries.reason, ['payment received', 'reversal_undone']),
      ),
    )
  if (refundMinor > receivedMinor) throw new RangeError('refunds would exceed what was received')
}

/** Note on a refund that is no longer owed. */
export const REVERSED_BY_GATEWAY = 'The gateway took the payment back itself: nothing is owed.'

/**
 * Ends refunds that are not in progress, because the gateway has reversed the payment itself. Refunds already requested from
 * the gateway continue.
 */
export async function stopRefunds(db: Tx, { paymentId, at }: { paymentId: string; at: number }) {
  await db
    .update(refunds)
    .set({ status: 'processed', processedAt: at, note: REVERSED_BY_GATEWAY, updatedAt: at })
    .where(sql`payment_id = ${paymentId} and status in ('due', 'failed', 'needs_attention')`)
}

/** Adds ledger entries. @throws RangeError if they do not add up to zero */
export async function insertEntries(
  db: Tx,
  {
    paymentId,
    entries,
    currency,
    at,
  }: { paymentId: string; entries: readonly Entry[]; currency: string; at: number },
): Promise<void> {
  const total = entries.reduce((sum, entry) => sum + entry.minor, 0)
  if (total !== 0) throw new RangeError(`ledger entries of a payment add up to ${total}`)
  const rows = entries.map(({ account, minor, reason }) => ({
    paymentId,
    account,
    amountMinor: minor,
    currency,
    reason,
    at,
  }))
  for (const chunk of chunks(rows)) await writeDeferred(db, db.insert(ledgerEntries).values(chunk))
}

/** Condition for entries that concern the payer's money. Excludes those between gateway, fees and bank. */
const concernsPayer = notInArray(ledgerEntries.reason, [GATEWAY_FEE, SETTLED, DISPUTE_FEE])

/**
 * Returns the balances of a payment's accounts, in minor units of the currency received, without the gateway's fee and the
 * settlement, which no change of the payment affects.
 */
export async function balancesOf(
  db: Reader,
  { paymentId }: { paymentId: string },
): Promise<{ account: Account; currency: string; minor: number }[]> {
  const rows = await db
    .select({
      account: ledgerEntries.account,
      currency: ledgerEntries.currency,
      minor: sum(ledgerEntries.amountMinor),
    })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.paymentId, paymentId), concernsPayer))
    .groupBy(ledgerEntries.account, ledgerEntries.currency)
  return rows.map(row => ({ ...row, minor: Number(row.minor ?? 0) })).filter(({ minor }) => minor !== 0)
}

/**
 * Stores what was delivered for a payment's items, and the items' results, in the transaction that marks the payment as paid.
 * @throws the driver's unique violation if one of the items has already been fulfilled
 */
export async function insertFulfilments(
  db: Tx,
  rows: readonly (typeof fulfilments.$inferInsert)[],
): Promise<void> {
  for (const chunk of chunks(rows)) await writeDeferred(db, db.insert(fulfilments).values(chunk))
  await setResultsOf(db, rows)
}

const refundsQuery = prepareOnce(db =>
  db
    .select({
      minor: refunds.amountMinor,
      status: refunds.status,
      currency: refunds.currency,
      key: refunds.idempotencyKey,
      note: refunds.note,
    })
    .from(refunds)
    .where(eq(refunds.paymentId, sql.placeholder('paymentId'))),
)

/** Returns the totals of a payment's refunds, due and completed, in minor units of the currency received. */
export async function sumRefunds(
  db: Reader,
  payment: { paymentId: string },
): Promise<{
  outstandingMinor: number
  refundedMinor: number
  currency: string | undefined
  /** True if the refund of this item alone has been processed. */
  isItemRefunded: (itemId: string) => boolean
}> {
  const rows = await refundsQuery(db).all(payment)
  const total = (part: typeof rows) => part.reduce((minor, row) => minor + row.minor, 0)
  const processed = rows.filter(row => row.status === 'processed')
  const processedKeys = new Set(processed.map(row => row.key))
  return {
    outstandingMinor: total(rows.filter(row => row.status !== 'processed')),
    // Excludes refunds that ended without any money being moved.
    refundedMinor: total(processed.filter(row => row.note !== REVERSED_BY_GATEWAY)),
    currency: rows[0]?.currency,
    isItemRefunded: itemId => processedKeys.has(refundKey(payment.paymentId, itemId)),
  }
}

/** A payment's money at its gateway according to the ledger, in minor units of the currency received. */
export interface MoneyAtGateway {
  currency: string
  /** Total received, including what was refunded or reversed later. */
  minor: number
  /** The part that was not refunded, whether settled or not, before deducting the fee. */
  remainingMinor: number
  /** The part that the gateway reversed and has not returned. */
  reversedMinor: number
}

const sumWhere = (reasons: SQL) =>
  sql<number>`sum(case when ${ledgerEntries.reason} in ${reasons} then ${ledgerEntries.amountMinor} else 0 end)`

/** Returns, for each payment, its money at the gateway according to the ledger. Payments without money are left out. */
export async function findMoneyAtGateway(
  db: Reader,
  { paymentIds }: { paymentIds: readonly string[] },
): Promise<Map<string, MoneyAtGateway>> {
  const rows = await db
    .select({
      paymentId: ledgerEntries.paymentId,
      currency: ledgerEntries.currency,
      minor: sumWhere(sql`('payment received')`),
      remaining: sum(ledgerEntries.amountMinor),
      reversed: sumWhere(sql`('reversed', 'reversal_undone')`),
    })
    .from(ledgerEntries)
    .where(
      and(
        inArray(ledgerEntries.paymentId, [...paymentIds]),
        // Disputed money is still at the gateway.
        inArray(ledgerEntries.account, ['gateway_clearing', 'disputes']),
        concernsPayer,
      ),
    )
    .groupBy(ledgerEntries.paymentId, ledgerEntries.currency)
  return new Map(
    rows.map(({ paymentId, currency, minor, remaining, reversed }) => [
      paymentId,
      { currency, minor, remainingMinor: Number(remaining ?? 0), reversedMinor: 0 - reversed },
    ]),
  )
}

/** True if the refunds in progress will return all money of a payment that is still at the gateway. */
export async function isReturningAll(db: Reader, { paymentId }: { paymentId: string }): Promise<boolean> {
  const received = (await findMoneyAtGateway(db, { paymentIds: [paymentId] })).get(paymentId)
  if (!received) return false
  const [inProgress] = await db
    .select({ minor: sum(refunds.amountMinor) })
    .from(refunds)
    .where(
      and(
        eq(refunds.paymentId, paymentId),
        eq(refunds.status, 'approved'),
        eq(refunds.currency, received.currency),
      ),
    )
  return received.remainingMinor <= Number(inProgress?.minor ?? 0)
}
