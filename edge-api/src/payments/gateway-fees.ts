import type { Tx } from '../db/database.ts'
import type { Requery } from '../payment-gateway.ts'
import { findMoneyAtGateway, insertEntries } from './money-store.ts'
import { bookGatewayFee } from './rules.ts'
import { compareAndSet, findPaymentById, type Payment } from './store.ts'

/**
 * Books the gateway's fee for a payment; if another fee was booked before, books the difference. Booking the same fee again
 * changes nothing. Part of the caller's transaction.
 * @param feeMinor the fee in minor units of `currency`
 * @returns false if the same fee had already been booked
 * @throws VersionConflict if someone else has changed the payment
 */
export async function bookFeeDifference(
  db: Tx,
  { payment, feeMinor, currency, at }: { payment: Payment; feeMinor: number; currency: string; at: number },
): Promise<boolean> {
  if (payment.gatewayFeeMinor === feeMinor) return false
  const entries = bookGatewayFee(feeMinor - (payment.gatewayFeeMinor ?? 0))
  await compareAndSet(db, payment, { gatewayFeeMinor: feeMinor })
  await insertEntries(db, { paymentId: payment.id, entries, currency, at })
  return true
}

/** Books the fee that the gateway's answer contains, if any, for a payment whose money has been booked. */
export async function recordGatewayFee(
  db: Tx,
  { paymentId, answer, at }: { paymentId: string; answer: Requery | undefined; at: number },
): Promise<void> {
  const { feeMinor, amountPaid } = answer ?? {}
  if (feeMinor === undefined || !amountPaid) return
  const payment = await findPaymentById(db, { id: paymentId })
  // A success in the wrong mode, or one that belongs to another payment, brought no money and cost no fee.
  if (!payment || payment.mode !== answer?.mode) return
  if ((answer.providerTxnId ?? null) !== payment.providerTxnId) return
  const received = (await findMoneyAtGateway(db, { paymentIds: [paymentId] })).get(paymentId)
  const { currency } = amountPaid
  if (received?.currency === currency) await bookFeeDifference(db, { payment, feeMinor, currency, at })
}
