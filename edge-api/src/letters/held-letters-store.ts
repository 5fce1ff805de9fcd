import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import type { FoundLetter } from './store.ts'

interface LettersOfPayment {
  transactionId: string
  userIds: readonly string[]
}

/** Selects the letters of a payment that one of these accounts holds, without letters that have been replaced. */
const isHeld = ({ transactionId, userIds }: LettersOfPayment) =>
  and(
    eq(payments.transactionId, transactionId),
    inArray(letters.userId, [...userIds]),
    isNull(letters.replacedBy),
  )

/**
 * Returns the letters of a payment that one of these accounts holds, in the order of the payment's items, without letters that
 * have been replaced.
 */
export async function listLettersOfPayment(db: Reader, payment: LettersOfPayment): Promise<FoundLetter[]> {
  return await db
    .select({ letter: letters, certificate: certificates, certificateNumber: paymentItems.certificateNumber })
    .from(letters)
    .innerJoin(paymentItems, eq(paymentItems.id, letters.paymentItemId))
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))
    .where(isHeld(payment))
    .orderBy(asc(paymentItems.id))
}

/** Returns the codes of the letters that `listLettersOfPayment` returns, in the same order. */
export async function listCodesOfPayment(db: Reader, payment: LettersOfPayment): Promise<string[]> {
  const rows = await db
    .select({ code: letters.code })
    .from(letters)
    .innerJoin(paymentItems, eq(paymentItems.id, letters.paymentItemId))
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .where(isHeld(payment))
    .orderBy(asc(paymentItems.id))
  return rows.map(({ code }) => code)
}
