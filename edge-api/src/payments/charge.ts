import type { Tx } from '../db/database.ts'
import type { ItemOutcome } from '../db/schema/payment-states.ts'
import { Fault } from '../fault.ts'
import { newReference, newTransactionId } from '../ids.ts'
import { recordLogEntry } from '../logs/store.ts'
import { takeAvailable, takeHeld } from '../organisation-money/balance-store.ts'
import { captureHold } from '../organisation-money/hold-store.ts'
import { buildDebitEntries } from '../organisation-money/rules.ts'
import { deliver, planDelivery, readDelivery } from './delivery.ts'
import { storeState } from './enter-state.ts'
import { outcomeLabels, PAID_ACTIVITY } from './fulfil.ts'
import { insertEntries } from './money-store.ts'
import { appendEvent, findPaymentById, insertAttempt, type Payment } from './store.ts'

/** The requester, and the IP address and ID of the request. The fields are null for verifications that no person requests. */
export interface Requester {
  userId: string | null
  email: string | null
  address: string | null
  requestId: string | null
}

/** A charge of an organisation's balance for the verification of one certificate. */
export interface Charge {
  organisationId: string
  certificateNumber: string
  /** The fee at the time when the verification or batch was started. */
  feeMinor: number
  unknownPolicy: 'free' | 'charge'
  tax: { taxName: string | null; taxBasisPoints: number | null }
  requester: Requester
  /** The batch item whose hold the charge uses. */
  heldItemSeq?: number | undefined
  at: number
}

/**
 * Verifies one certificate and charges the balance for it. Writes payment, charge, fulfilment, letter and ledger in the
 * caller's transaction. The caller must have checked that the organisation has not paid for the number yet, and that its letter
 * can be printed.
 * @throws Fault `INSUFFICIENT_BALANCE`
 */
export async function chargeBalance(
  db: Tx,
  charge: Charge,
): Promise<{ payment: Payment; itemId: string; outcome: ItemOutcome }> {
  const { organisationId, certificateNumber, feeMinor, requester, at } = charge
  const payment = await insertCharge(db, charge)
  const paymentId = payment.id
  if (feeMinor > 0) await payFromBalance(db, charge, paymentId)
  const delivery = planDelivery(payment, await readDelivery(db, payment))
  const { resolution } = delivery
  await storeState(db, payment, 'paid', { amountPaidMinor: feeMinor, paidAt: at, resolution }, at)
  const [item] = await deliver(db, { payment, delivery, at })
  if (!item || item.reason) throw new Error(`a charge was not delivered: ${item?.reason}`)
  if (feeMinor > 0) {
    const entries = [
      ...buildDebitEntries('charge', feeMinor),
      { account: 'revenue' as const, minor: -feeMinor, reason: item.outcome },
    ]
    await insertEntries(db, { paymentId, entries, currency: payment.currency, at })
  }
  const event = { source: 'user', actorId: requester.userId, amountMinor: feeMinor, at }
  await appendEvent(db, { ...event, paymentId, type: 'paid', fromStatus: 'created', toStatus: 'paid' })
  await recordLogEntry(db, {
    userId: requester.userId,
    userEmail: requester.email,
    ipAddress: requester.address,
    requestId: requester.requestId,
    activity: PAID_ACTIVITY,
    details: `${certificateNumber}: ${outcomeLabels[item.outcome]}`,
    organisationId,
    at,
  })
  const updated = await findPaymentById(db, { id: paymentId })
  if (!updated) throw new Error('a payment has disappeared')
  return { payment: updated, itemId: item.id, outcome: item.outcome }
}

async function payFromBalance(db: Tx, charge: Charge, paymentId: string): Promise<void> {
  const { organisationId, certificateNumber, feeMinor, heldItemSeq, at } = charge
  const movement = {
    organisationId,
    amountMinor: feeMinor,
    paymentId,
    description: `Verification ${certificateNumber}`,
    key: `charge:${paymentId}`,
    at,
  }
  if (heldItemSeq === undefined) {
    if (!(await takeAvailable(db, 'charge', movement))) throw new Fault('INSUFFICIENT_BALANCE')
    return
  }
  if (!(await captureHold(db, { batchItemSeq: heldItemSeq, at }))) throw new Error('the hold has ended')
  await takeHeld(db, movement)
}

async function insertCharge(db: Tx, charge: Charge): Promise<Payment> {
  const { organisationId, certificateNumber, feeMinor, requester, at } = charge
  const id = crypto.randomUUID()
  await insertAttempt(
    db,
    {
      id,
      transactionId: newTransactionId(),
      userId: organisationId,
      organisationId,
      purpose: 'verification',
      ipAddress: requester.address,
      provider: 'balance',
      providerReference: newReference(),
      mode: 'live',
      amountMinor: feeMinor,
      currency: 'NGN',
      ...charge.tax,
      status: 'created',
      unknownPolicy: charge.unknownPolicy,
      createdAt: at,
      updatedAt: at,
      expiresAt: at,
      nextRequeryAt: null,
    },
    [{ certificateNumber, amountMinor: feeMinor }],
  )
  const payment = await findPaymentById(db, { id })
  if (!payment) throw new Error('a payment has disappeared')
  return payment
}
