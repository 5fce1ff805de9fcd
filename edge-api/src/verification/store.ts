import { verifiedCertificate } from '@portal/contract/shapes'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { certificates } from '../db/schema/certificates.ts'
import { userCounters } from '../db/schema/counters.ts'
import { letters } from '../db/schema/letters.ts'
import { fulfilments } from '../db/schema/money.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import {
  type LetterStatusData,
  type LetterWithCertificate,
  listLettersOfItems,
  statusColumns,
} from '../letters/store.ts'
import { sumRefunds } from '../payments/money-store.ts'
import { findVerifiedAt } from '../payments/numbers-store.ts'
import type { Fulfilment, PaymentItem } from '../payments/store.ts'
import type { FulfilmentData, ItemData, PaymentData, PaymentItemView, PaymentView } from './rules.ts'

/** Returns the certificate as its letter shows it: as delivered or, if the letter was reissued, as corrected. */
export const letterCertificate = (
  fulfilment: Pick<Fulfilment, 'snapshot'>,
  current: { letter: Pick<LetterStatusData['letter'], 'snapshot'> } | null | undefined,
) => verifiedCertificate.parse(current?.letter.snapshot ?? fulfilment.snapshot)

/** The parts of a payment view that are read before the letters. */
interface Row {
  payment: PaymentData
  item: ItemData & Pick<PaymentItem, 'userId'>
  fulfilment: (FulfilmentData & Pick<Fulfilment, 'paymentItemId' | 'snapshot'>) | null
}

/**
 * Adds the letter to each row, from `knownLetters` or by reading it. For a second payment, this is the letter of the first one.
 */
export async function addLetters<R extends Row, L extends LetterStatusData>(
  db: Reader,
  rows: readonly R[],
  knownLetters: ReadonlyMap<string, L>,
): Promise<(R & Pick<PaymentItemView, 'certificate'> & { letter: L | LetterWithCertificate | null })[]> {
  const fulfilments: Row['fulfilment'][] = []
  for (const { payment, item, fulfilment } of rows) {
    const isSecondPayment = payment.status === 'paid' && fulfilment?.outcome === 'refund_due'
    const earlierVerification = isSecondPayment
      ? await findVerifiedAt(db, { ...item, at: fulfilment.at })
      : undefined
    fulfilments.push(earlierVerification?.fulfilment ?? fulfilment)
  }
  const missingItemIds = fulfilments.flatMap(fulfilment =>
    fulfilment?.outcome === 'verified' && !knownLetters.has(fulfilment.paymentItemId)
      ? [fulfilment.paymentItemId]
      : [],
  )
  const lettersByItemId = new Map<string, L | LetterWithCertificate>(knownLetters)
  for (const [id, letter] of await listLettersOfItems(db, { itemIds: missingItemIds }))
    lettersByItemId.set(id, letter)
  return rows.map((row, index) => {
    const fulfilment = fulfilments[index]
    const letter = (fulfilment && lettersByItemId.get(fulfilment.paymentItemId)) ?? null
    const certificate = fulfilment?.outcome === 'verified' ? letterCertificate(fulfilment, letter) : null
    return { ...row, certificate, letter }
  })
}

// Status checks are the most frequent call, so this single query reads everything they need, and nothing else.
const viewQuery = prepareOnce(db =>
  db
    .select({
      paymentId: payments.id,
      payment: {
        transactionId: payments.transactionId,
        providerReference: payments.providerReference,
        amountMinor: payments.amountMinor,
        currency: payments.currency,
        amountPaidMinor: payments.amountPaidMinor,
        passedOnMinor: payments.passedOnMinor,
        taxName: payments.taxName,
        taxBasisPoints: payments.taxBasisPoints,
        status: payments.status,
        resolution: payments.resolution,
        declineCode: payments.declineCode,
        gatewayStatus: payments.gatewayStatus,
        createdAt: payments.createdAt,
        paidAt: payments.paidAt,
        expiresAt: payments.expiresAt,
      },
      item: {
        id: paymentItems.id,
        userId: paymentItems.userId,
        certificateNumber: paymentItems.certificateNumber,
        amountMinor: paymentItems.amountMinor,
      },
      fulfilment: {
        paymentItemId: fulfilments.paymentItemId,
        outcome: fulfilments.outcome,
        certificateId: fulfilments.certificateId,
        // Data that the letter already contains is not read again.
        snapshot:
          sql<unknown>`case when ${letters.snapshot} is null then ${fulfilments.snapshot} end`.mapWith(
            fulfilments.snapshot,
          ),
        at: fulfilments.at,
      },
      ...statusColumns,
      hasRefunds: sql<number>`exists (select 1 from refunds where refunds.payment_id = ${payments.id})`,
    })
    .from(payments)
    .innerJoin(paymentItems, eq(paymentItems.paymentId, payments.id))
    .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
    .leftJoin(letters, and(eq(letters.paymentItemId, paymentItems.id), isNull(letters.replacedBy)))
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))
    .where(
      and(
        eq(payments.transactionId, sql.placeholder('transactionId')),
        or(sql`${sql.placeholder('anyone')}`, eq(payments.userId, sql.placeholder('userId'))),
      ),
    ),
)

/**
 * Sorts rows by item, because the IDs of a payment's items are in the order of its numbers. Not sorted by the database, because
 * most payments have only one.
 */
const sortItems = <R extends { item: { id: string } }>(rows: readonly R[]) =>
  rows.toSorted((a, b) => (a.item.id < b.item.id ? -1 : 1))

const noRefunds = { outstandingMinor: 0, refundedMinor: 0, currency: undefined, isItemRefunded: () => false }

/** Identifies a payment and its owner; `userId` is undefined if the owner does not matter. */
interface PaymentViewKey {
  transactionId: string
  userId: string | undefined
}

const toQueryValues = ({ transactionId, userId }: PaymentViewKey) => ({
  transactionId,
  anyone: userId === undefined ? 1 : 0,
  userId: userId ?? '',
})

/** Finds a payment, and builds its view, with its certificates and refunds. */
export async function findPaymentView(db: Reader, key: PaymentViewKey): Promise<PaymentView | undefined> {
  const query = viewQuery(db)
  const values = toQueryValues(key)
  const firstRow = await query.get(values)
  if (!firstRow) return undefined
  // One of several certificates has only a part of the amount, unless the payment is free.
  const isOnlyItem =
    firstRow.payment.amountMinor > 0 && firstRow.item.amountMinor === firstRow.payment.amountMinor
  return await buildPaymentView(db, isOnlyItem ? [firstRow] : await query.all(values))
}

/** Reads, in one query, the rows that `buildPaymentView` needs. */
export const readViewRows = (db: Reader, key: PaymentViewKey) => viewQuery(db).all(toQueryValues(key))

/** Builds the view of a payment from its rows. Reads the refunds and the letters of earlier payments, if there are any. */
export async function buildPaymentView(
  db: Reader,
  unsortedRows: Awaited<ReturnType<typeof readViewRows>>,
): Promise<PaymentView | undefined> {
  const rows = sortItems(unsortedRows)
  const knownLetters = rows.flatMap(({ fulfilment, letter, certificate }): [string, LetterStatusData][] =>
    fulfilment && letter ? [[fulfilment.paymentItemId, { letter, certificate }]] : [],
  )
  const [firstRow, ...otherRows] = await addLetters(db, rows, new Map(knownLetters))
  if (!firstRow) return undefined
  const { isItemRefunded, ...refunds } = firstRow.hasRefunds ? await sumRefunds(db, firstRow) : noRefunds
  const viewOf = (row: typeof firstRow): PaymentItemView => ({
    ...row,
    isRefunded: isItemRefunded(row.item.id),
  })
  return { views: [viewOf(firstRow), ...otherRows.map(viewOf)], refunds }
}

const countersQuery = prepareOnce(db =>
  db
    .select()
    .from(userCounters)
    .where(eq(userCounters.userId, sql.placeholder('userId'))),
)

const ZERO_TOTALS = { total: 0, found: 0, again: 0, missed: 0, spentMinor: 0 }

/**
 * Returns counters over an account's whole history: found, found again (a second payment for the same number), and not found or
 * not delivered. Amounts are in minor units, as charged.
 */
export async function readCounters(db: Reader, account: { userId: string }): Promise<typeof ZERO_TOTALS> {
  return (await countersQuery(db).get(account)) ?? ZERO_TOTALS
}
