import { otherForms } from '@portal/contract/certificate-number-forms'
import { and, asc, eq, gt, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../db/database.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import type { CertificateRow } from '../db/schema/certificates.ts'
import { certificates } from '../db/schema/certificates.ts'
import { fulfilments } from '../db/schema/money.ts'
import { openStates } from '../db/schema/payment-states.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import type { Fulfilment, Payment } from './store.ts'

/*
 * Reads the state of many of a user's certificate numbers per query: a bulk payment has up to 500, and every query is a round
 * trip to a remote database.
 */

export interface PaidVerification {
  fulfilment: Fulfilment
  payment: Payment
}

/**
 * Returns the condition that a column is one of the numbers. They are passed as a single JSON value, so that the text of the
 * query does not depend on how many there are.
 */
const isRequested = (column: SQLiteColumn) =>
  sql`${column} in (select value from json_each(${sql.placeholder('numbers')}))`

/**
 * Returns the condition that a column is one of a payment's numbers. These are read in a subquery, so that other queries need
 * not wait for them.
 */
const isOfPayment = (column: SQLiteColumn) =>
  sql`${column} in (select certificate_number from payment_items where payment_id = ${sql.placeholder('paymentId')})`

type Condition = (column: SQLiteColumn) => SQL

const validQuery = (matchesNumber: Condition) =>
  prepareOnce(db =>
    db
      .select()
      .from(certificates)
      .where(and(matchesNumber(certificates.certificateNumber), isNull(certificates.deletedAt))),
  )
const validNumbers = validQuery(isRequested)
const validOfPayment = validQuery(isOfPayment)

const indexByNumber = (rows: readonly CertificateRow[]) =>
  new Map(rows.map(row => [row.certificateNumber, row]))

/** Returns the certificates in the register with these numbers (uppercase, trimmed), by number. */
export async function findValidCertificates(
  db: Reader,
  { numbers }: { numbers: readonly string[] },
): Promise<Map<string, CertificateRow>> {
  return indexByNumber(await validNumbers(db).all({ numbers: JSON.stringify(numbers) }))
}

/** Returns the certificates in the register for a payment's numbers, by number. */
export async function findValidOfPayment(
  db: Reader,
  payment: { paymentId: string },
): Promise<Map<string, CertificateRow>> {
  return indexByNumber(await validOfPayment(db).all(payment))
}

/**
 * For each number, finds an existing one that differs only in its separators, in one query that uses the index of numbers. The
 * result reveals which numbers exist, so the caller must be allowed to know that.
 */
export async function findOtherForms(
  db: Reader,
  { numbers }: { numbers: readonly string[] },
): Promise<Map<string, string>> {
  const forms = numbers.map(number => [number, otherForms(number)] as const)
  const currentNumbers = await findValidCertificates(db, { numbers: forms.flatMap(([, others]) => others) })
  const found = forms.map(
    ([number, others]) => [number, others.find(form => currentNumbers.has(form))] as const,
  )
  return new Map(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** Returns a query for verifications that were not reversed and whose certificate is in the given state, oldest first. */
const deliveredQuery = (matchesNumber: Condition, certificateState: SQL | undefined) =>
  prepareOnce(db =>
    db
      .select({ fulfilment: fulfilments, payment: payments })
      .from(fulfilments)
      .innerJoin(payments, eq(payments.id, fulfilments.paymentId))
      .innerJoin(certificates, eq(certificates.id, fulfilments.certificateId))
      .where(
        and(
          eq(fulfilments.userId, sql.placeholder('userId')),
          matchesNumber(fulfilments.certificateNumber),
          eq(fulfilments.outcome, 'verified'),
          // Includes refunded payments: a refund of an excess, or for another certificate of the payment, does not affect this
          // one.
          inArray(payments.status, ['paid', 'refunded']),
          certificateState,
        ),
      )
      .orderBy(asc(fulfilments.at)),
  )

const validNow = deliveredQuery(isRequested, isNull(certificates.deletedAt))
const validAtTime = deliveredQuery(
  isRequested,
  or(isNull(certificates.deletedAt), gt(certificates.deletedAt, sql.placeholder('at'))),
)
const validByOtherPayments = deliveredQuery(
  isOfPayment,
  and(isNull(certificates.deletedAt), ne(fulfilments.paymentId, sql.placeholder('paymentId'))),
)

/**
 * Finds the user's latest valid verification of each number. A verification does not count if its certificate has been
 * withdrawn: a certificate that was added later under the same number is a different one and must be verified again.
 */
export async function findVerifiedNumbers(
  db: Reader,
  user: { userId: string; numbers: readonly string[] },
): Promise<Map<string, PaidVerification>> {
  const rows = await validNow(db).all({ userId: user.userId, numbers: JSON.stringify(user.numbers) })
  return new Map(rows.map(row => [row.fulfilment.certificateNumber, row]))
}

/** Finds the user's latest valid verification of one number. */
export async function findVerified(
  db: Reader,
  { userId, certificateNumber }: { userId: string; certificateNumber: string },
): Promise<PaidVerification | undefined> {
  return (await findVerifiedNumbers(db, { userId, numbers: [certificateNumber] })).get(certificateNumber)
}

/** Finds the user's verification of a number that was valid at an earlier time, even if its certificate has changed since. */
export async function findVerifiedAt(
  db: Reader,
  { userId, certificateNumber, at }: { userId: string; certificateNumber: string; at: number },
): Promise<PaidVerification | undefined> {
  const rows = await validAtTime(db).all({ userId, numbers: JSON.stringify([certificateNumber]), at })
  return rows.findLast(row => row.fulfilment.at <= at)
}

const openQuery = prepareOnce(db =>
  db
    .select({ number: paymentItems.certificateNumber, payment: payments })
    .from(paymentItems)
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .where(
      and(
        eq(paymentItems.userId, sql.placeholder('userId')),
        isRequested(paymentItems.certificateNumber),
        // In this form, SQLite uses the index of open items.
        sql`${paymentItems.open} = 1`,
        inArray(payments.status, [...openStates]),
      ),
    ),
)

/** Finds the open attempts for these numbers, by number. */
export async function findOpenAttempts(
  db: Reader,
  { userId, numbers }: { userId: string; numbers: readonly string[] },
): Promise<Map<string, Payment>> {
  const rows = await openQuery(db).all({ userId, numbers: JSON.stringify(numbers) })
  return new Map(rows.map(row => [row.number, row.payment]))
}

/** Finds the open attempt for one number, if there is one. */
export async function findOpenAttempt(
  db: Reader,
  { userId, certificateNumber }: { userId: string; certificateNumber: string },
): Promise<Payment | undefined> {
  return (await findOpenAttempts(db, { userId, numbers: [certificateNumber] })).get(certificateNumber)
}

const notFoundQuery = prepareOnce(db =>
  db
    .select({ number: fulfilments.certificateNumber })
    .from(fulfilments)
    .innerJoin(payments, eq(payments.id, fulfilments.paymentId))
    .where(
      and(
        eq(fulfilments.userId, sql.placeholder('userId')),
        isOfPayment(fulfilments.certificateNumber),
        ne(fulfilments.paymentId, sql.placeholder('paymentId')),
        eq(payments.status, 'paid'),
        eq(fulfilments.outcome, 'not_found'),
        gt(fulfilments.at, sql.placeholder('startedAt')),
      ),
    ),
)

/**
 * Finds the numbers of a payment for which the user already has a valid result from another payment. A "not found" from before
 * this attempt does not count, because a later request is a new one.
 */
export async function findDuplicates(
  db: Reader,
  payment: { paymentId: string; userId: string; startedAt: number },
): Promise<Set<string>> {
  const [verified, notFound] = await Promise.all([
    validByOtherPayments(db).all(payment),
    notFoundQuery(db).all(payment),
  ])
  return new Set([
    ...verified.map(row => row.fulfilment.certificateNumber),
    ...notFound.map(row => row.number),
  ])
}
