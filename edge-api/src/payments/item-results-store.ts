import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Tx } from '../db/database.ts'
import { writeDeferred } from '../db/deferred-writes.ts'
import { fulfilments } from '../db/schema/money.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import { computeItemResult } from './item-results.ts'

// Subqueries in a SELECT list are written as SQL, because drizzle omits the table names of their columns.
const repeated = sql<number>`${fulfilments.outcome} = 'refund_due' and exists (
  select 1 from fulfilments as earlier
  join payments as earlier_payment on earlier_payment.id = earlier.payment_id
  join certificates as earlier_certificate on earlier_certificate.id = earlier.certificate_id
  where earlier.user_id = ${paymentItems.userId} and earlier.certificate_number = ${paymentItems.certificateNumber}
    and earlier.outcome = 'verified' and earlier_payment.status in ('paid', 'refunded')
    and earlier.at <= ${fulfilments.at}
    and (earlier_certificate.withdrawn_at is null or earlier_certificate.withdrawn_at > ${fulfilments.at})
)`

async function updateResults(db: Tx, where: SQL | undefined): Promise<void> {
  const rows = await db
    .select({
      id: paymentItems.id,
      before: { result: paymentItems.result, resultAt: paymentItems.resultAt, tally: paymentItems.tally },
      createdAt: paymentItems.createdAt,
      status: payments.status,
      outcome: fulfilments.outcome,
      at: fulfilments.at,
      repeated,
    })
    .from(paymentItems)
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
    .where(where)
  const changed = Map.groupBy(
    rows.flatMap(row => {
      const after = {
        ...computeItemResult({ ...row, isRepeated: Boolean(row.repeated) }),
        resultAt: row.at ?? row.createdAt,
      }
      const { before } = row
      const isSame =
        after.result === before.result && after.tally === before.tally && after.resultAt === before.resultAt
      return isSame ? [] : [{ id: row.id, after }]
    }),
    ({ after }) => JSON.stringify(after),
  )
  for (const items of changed.values())
    for (const chunk of chunks(items))
      await db
        .update(paymentItems)
        .set(items[0]?.after ?? {})
        .where(
          inArray(
            paymentItems.id,
            chunk.map(({ id }) => id),
          ),
        )
}

/** Sets the results of items that were just fulfilled, and closes them. */
export async function setResultsOf(
  db: Tx,
  rows: readonly (typeof fulfilments.$inferInsert)[],
): Promise<void> {
  const decidedRows = rows.filter(row => row.outcome !== 'refund_due')
  for (const [outcome, items] of Map.groupBy(decidedRows, row => row.outcome))
    for (const chunk of chunks(items))
      await writeDeferred(
        db,
        db
          .update(paymentItems)
          .set({
            ...computeItemResult({ status: 'paid', outcome, isRepeated: false }),
            resultAt: chunk[0]?.at ?? 0,
            open: 0,
          })
          .where(
            inArray(
              paymentItems.id,
              chunk.map(row => row.paymentItemId),
            ),
          ),
      )
  const [refundDueRow] = rows.filter(row => row.outcome === 'refund_due')
  if (!refundDueRow) return
  await writeDeferred(
    db,
    db.update(paymentItems).set({ open: 0 }).where(eq(paymentItems.paymentId, refundDueRow.paymentId)),
  )
  await updateResultsOf(db, refundDueRow)
}

/** Updates the results of a payment's items from its status and fulfilments. Runs in the transaction that changes these. */
export async function updateResultsOf(db: Tx, { paymentId }: { paymentId: string }): Promise<void> {
  await updateResults(db, eq(paymentItems.paymentId, paymentId))
}

/**
 * Updates the results of the account's other payments for the same certificate numbers: once this payment is reversed, a later
 * payment for the same number no longer counts as a repeat.
 */
export async function updateResultsOfRepeats(
  db: Tx,
  { paymentId, userId }: { paymentId: string; userId: string },
): Promise<void> {
  const numbers = db
    .select({ number: paymentItems.certificateNumber })
    .from(paymentItems)
    .where(eq(paymentItems.paymentId, paymentId))
  await updateResults(
    db,
    and(eq(paymentItems.userId, userId), inArray(paymentItems.certificateNumber, numbers)),
  )
}
