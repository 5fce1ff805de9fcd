import { personas } from '@portal/fixtures/personas'
import type { DemoVerification } from '@portal/fixtures/verifications'
import type { Tx } from '../db/database.ts'
import { refunds } from '../db/schema/money.ts'
import { insertEntries } from '../payments/money-store.ts'
import { bookRefund } from '../payments/refund-rules.ts'
import { findPayment } from '../payments/store.ts'

/** Amount by which payers in the demo's past overpaid, in kobo. */
const EXCESS_MINOR = 50_000
/** Number of overpayments. The oldest has already been refunded. */
const OVERPAID_COUNT = 3
const DAY = 86_400_000

/**
 * Returns the amounts of the demo's overpayments, by transaction ID. They belong to organisations whose screens are not the
 * first that a visitor of the demo sees.
 */
export function listOverpayments(verifications: readonly DemoVerification[]): ReadonlyMap<string, number> {
  const payers = new Set([personas.hospital.email, personas.bureau.email])
  const chosen = verifications.filter(
    ({ user_email, certificate }) => payers.has(user_email) && certificate !== null,
  )
  return new Map(chosen.slice(-OVERPAID_COUNT).map(({ transaction_id }) => [transaction_id, EXCESS_MINOR]))
}

/** Stores the refunds of the overpayments, in the order of the payments. The first one was sent by bank transfer. */
export async function insertDemoRefunds(
  db: Tx,
  { overpaidMinorById, approvedBy }: { overpaidMinorById: ReadonlyMap<string, number>; approvedBy: string },
): Promise<void> {
  for (const [position, [transactionId, amountMinor]] of [...overpaidMinorById].entries()) {
    const payment = await findPayment(db, { transactionId })
    if (!payment) throw new Error(`no payment ${transactionId}`)
    const at = payment.paidAt ?? payment.createdAt
    const processedAt = at + DAY / 2
    const isDone = position === 0
    await db.insert(refunds).values({
      id: crypto.randomUUID(),
      paymentId: payment.id,
      amountMinor,
      reason: 'over_payment',
      status: isDone ? 'processed' : 'due',
      idempotencyKey: `${payment.id}:over_payment`,
      createdAt: at,
      updatedAt: isDone ? processedAt : at,
      ...(isDone && { bankReference: 'FT-00071', approvedBy, approvedAt: processedAt, processedAt }),
    })
    if (!isDone) continue
    const { id: paymentId, currency } = payment
    await insertEntries(db, {
      paymentId,
      entries: bookRefund(amountMinor, 'bank'),
      currency,
      at: processedAt,
    })
  }
}
