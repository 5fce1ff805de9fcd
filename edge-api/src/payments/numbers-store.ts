import { otherForms } from '@portal/contract/certificate-number-forms'
import { and, asc, eq, gt, inArray, isNull, ne, or, type SQL } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Reader } from '../db/database.ts'
import type { CertificateRow } from '../db/schema/certificates.ts'
import { certificates } from '../db/schema/certificates.ts'
import { fulfilments } from '../db/schema/money.ts'
import { openStates } from '../db/schema/payment-states.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import type { Fulfilment, Payment } from './store.ts'

/*
 * The state of a user's certificate numbers, many per query: a bulk payment has up to 500, and every query is a round trip to a
 * remote database.
 */

export interface Verified {
  fulfilment: Fulfilment
  payment: Payment
}

async function eachChunk<Row>(
  numbers: readonly string[],
  read: (chunk: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const chunk of chunks(numbers)) rows.push(...(await read(chunk)))
  return rows
}

/** The certificates in the register with these numbers (upper-cased and trimmed), by number. */
export async function validAmong(
  db: Reader,
  { numbers }: { numbers: readonly string[] },
): Promise<Map<string, CertificateRow>> {
  const rows = await eachChunk(numbers, chunk =>
    db
      .select()
      .from(certificates)
      .where(and(inArray(certificates.certificateNumber, chunk), isNull(certificates.withdrawnAt))),
  )
  return new Map(rows.map(row => [row.certificateNumber, row]))
}

/**
 * For each number, an existing one that differs only in its separators: one read for all of them, using the index of numbers.
 * Reveals what exists, so the caller must be allowed to know.
 */
export async function otherFormsAmong(
  db: Reader,
  { numbers }: { numbers: readonly string[] },
): Promise<Map<string, string>> {
  const forms = numbers.map(number => [number, otherForms(number)] as const)
  const currentNumbers = await validAmong(db, { numbers: forms.flatMap(([, each]) => each) })
  const found = forms.map(([number, each]) => [number, each.find(form => currentNumbers.has(form))] as const)
  return new Map(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** Verifications that were not reversed and whose certificate is valid, oldest first. */
const delivered = (
  db: Reader,
  user: { userId: string; numbers: readonly string[] },
  certificateState: SQL | undefined,
) =>
  eachChunk(user.numbers, chunk =>
    db
      .select({ fulfilment: fulfilments, payment: payments })
      .from(fulfilments)
      .innerJoin(payments, eq(payments.id, fulfilments.paymentId))
      .innerJoin(certificates, eq(certificates.id, fulfilments.certificateId))
      .where(
        and(
          eq(fulfilments.userId, user.userId),
          inArray(fulfilments.certificateNumber, chunk),
          eq(fulfilments.outcome, 'verified'),
          // An excess or another certificate of the payment was refunded, never what was delivered.
          inArray(payments.status, ['paid', 'refunded']),
          certificateState,
        ),
      )
      .orderBy(asc(fulfilments.at)),
  )

/**
 * The latest valid verification of each number for this user. One whose certificate was withdrawn does not count: a certificate
 * added later with its number is another one and must be verified again.
 */
export async function verifiedAmong(
  db: Reader,
  user: { userId: string; numbers: readonly string[] },
): Promise<Map<string, Verified>> {
  const rows = await delivered(db, user, isNull(certificates.withdrawnAt))
  return new Map(rows.map(row => [row.fulfilment.certificateNumber, row]))
}

/** The user's latest valid verification of one number. */
export async function findVerified(
  db: Reader,
  { userId, certificateNumber }: { userId: string; certificateNumber: string },
): Promise<Verified | undefined> {
  return (await verifiedAmong(db, { userId, numbers: [certificateNumber] })).get(certificateNumber)
}

/** The user's results for a number at an earlier time, even if its certificate has changed since. */
export async function findVerifiedAt(
  db: Reader,
  { userId, certificateNumber, at }: { userId: string; certificateNumber: string; at: number },
): Promise<Verified | undefined> {
  const stood = or(isNull(certificates.withdrawnAt), gt(certificates.withdrawnAt, at))
  const rows = await delivered(db, { userId, numbers: [certificateNumber] }, stood)
  return rows.findLast(row => row.fulfilment.at <= at)
}

/** The open attempt of each number that has one. */
export async function openAmong(
  db: Reader,
  { userId, numbers }: { userId: string; numbers: readonly string[] },
): Promise<Map<string, Payment>> {
  const rows = await eachChunk(numbers, chunk =>
    db
      .select({ number: paymentItems.certificateNumber, payment: payments })
      .from(paymentItems)
      .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
      .where(
        and(
          eq(paymentItems.userId, userId),
          inArray(paymentItems.certificateNumber, chunk),
          eq(paymentItems.open, 1),
          inArray(payments.status, [...openStates]),
        ),
      ),
  )
  return new Map(rows.map(row => [row.number, row.payment]))
}

/** The open attempt of one number, if any. */
export async function findOpenAttempt(
  db: Reader,
  { userId, certificateNumber }: { userId: string; certificateNumber: string },
): Promise<Payment | undefined> {
  return (await openAmong(db, { userId, numbers: [certificateNumber] })).get(certificateNumber)
}

/**
 * Numbers for which another payment already gave the user a valid result. A "not found" result from before this attempt does
 * not count: a later request is a new one.
 */
export async function duplicatesAmong(
  db: Reader,
  payment: { userId: string; numbers: readonly string[]; paymentId: string; startedAt: number },
): Promise<Set<string>> {
  const valid = and(isNull(certificates.withdrawnAt), ne(fulfilments.paymentId, payment.paymentId))
  const [verified, missed] = await Promise.all([
    delivered(db, payment, valid),
    eachChunk(payment.numbers, chunk =>
      db
        .select({ number: fulfilments.certificateNumber })
        .from(fulfilments)
        .innerJoin(payments, eq(payments.id, fulfilments.paymentId))
        .where(
          and(
            eq(fulfilments.userId, payment.userId),
            inArray(fulfilments.certificateNumber, chunk),
            ne(fulfilments.paymentId, payment.paymentId),
            eq(payments.status, 'paid'),
            eq(fulfilments.outcome, 'not_found'),
            gt(fulfilments.at, payment.startedAt),
          ),
        ),
    ),
  ])
  return new Set([...verified.map(row => row.fulfilment.certificateNumber), ...missed.map(row => row.number)])
}
