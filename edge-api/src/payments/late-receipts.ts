import { formatMinor } from '@portal/format/money'
import { findUser } from '../accounts/store.ts'
import type { Tx } from '../db/database.ts'
import { recordLogEntry } from '../logs/store.ts'
import { notifyLateReceipt } from '../notifications/notify-money.ts'
import type { Requery } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { findMoneyAtGateway, insertEntries, insertRefunds } from './money-store.ts'
import { listPaymentSubjects } from './payment-subjects.ts'
import { bookExcess } from './rules.ts'
import { appendNewEvent, compareAndSet, type Payment, type PaymentEvent } from './store.ts'
import { creditTopup } from './topup.ts'

interface GatewayUpdate {
  seen: Payment
  answer: Requery | undefined
  event: Omit<PaymentEvent, 'type'>
}

const RECEIVED_STATES = ['paid', 'mismatched', 'refunded', 'reversed'] as const

/**
 * Handles an answer in which the gateway reports a different amount from the one booked. A payment is resolved only once, and
 * keeps its state. An additional amount, such as the rest of an underpayment, is booked as a refund due. Any other difference
 * is recorded in the payment's events, and reported by reconciliation.
 */
export async function recordLateReceipts(
  ports: Ports,
  db: Tx,
  { seen, answer, event }: GatewayUpdate,
): Promise<void> {
  const received = answer?.amountPaid
  const isReceived = RECEIVED_STATES.some(status => status === seen.status)
  // A success in the wrong mode does not count as money received.
  if (!received || !isReceived || answer.mode !== seen.mode) return
  const receivedBefore = (await findMoneyAtGateway(db, { paymentIds: [seen.id] })).get(seen.id)
  const earlierMinor = receivedBefore?.minor ?? 0
  const isSameCurrency = (receivedBefore?.currency ?? received.currency) === received.currency
  if (isSameCurrency && received.minor === earlierMinor) return
  const isHigherAmount = isSameCurrency && received.minor > earlierMinor
  const type = isHigherAmount ? 'more_received' : 'amount_differs'
  // Makes the key unique per amount, so that each is recorded once, even within the same transaction of the gateway.
  const providerTxnId = `${event.providerTxnId ?? ''}:${received.minor}:${received.currency}`
  if (!(await appendNewEvent(db, { ...event, type, providerTxnId }))) return
  ports.log({ level: 'error', event: type, payment: seen.id })
  if (!isHigherAmount) return
  const receipt = {
    excessMinor: received.minor - earlierMinor,
    totalMinor: received.minor,
    currency: received.currency,
  }
  await bookLateReceipt(ports, db, seen, {
    ...receipt,
    providerTxnId: event.providerTxnId ?? null,
    at: event.at,
  })
}

/** Books the additional amount, stores its refund, and notifies the payer and staff. */
async function bookLateReceipt(
  ports: Ports,
  db: Tx,
  seen: Payment,
  {
    excessMinor,
    totalMinor,
    currency,
    providerTxnId,
    at,
  }: { excessMinor: number; totalMinor: number; currency: string; providerTxnId: string | null; at: number },
): Promise<void> {
  const changes = {
    providerTxnId: seen.providerTxnId ?? providerTxnId,
    ...(currency === seen.currency && { amountPaidMinor: totalMinor }),
    ...(seen.status === 'mismatched' && { resolution: 'refund_due' as const }),
    updatedAt: at,
  }
  await compareAndSet(db, seen, changes)
  const key = `more@${totalMinor}`
  const creditEntries =
    seen.status === 'paid' && currency === seen.currency
      ? await creditTopup(ports, db, { payment: seen, minor: excessMinor, key, at })
      : undefined
  const booked = bookExcess({ isApplied: seen.status === 'paid', excessMinor, totalMinor })
  // Additional money for a top-up that was credited is credited as well.
  const { refunds, entries } = creditEntries
    ? { refunds: [], entries: [...booked.entries.slice(0, 1), ...creditEntries] }
    : booked
  await insertEntries(db, { paymentId: seen.id, entries, currency, at })
  await insertRefunds(db, { paymentId: seen.id, due: refunds, currency, at })
  const payer = await findUser(db, { id: seen.userId })
  if (!payer) throw new Error('the user of a payment does not exist')
  await recordLogEntry(db, {
    userId: payer.id,
    userEmail: payer.email,
    activity: 'More money received for a payment',
    details: `${seen.transactionId}: ${formatMinor(excessMinor, currency)}${creditEntries ? '' : ', refund due'}`,
    organisationId: seen.organisationId,
    at,
  })
  // For a credit, members have already been notified.
  if (creditEntries) return
  const numbers = await listPaymentSubjects(db, seen)
  await notifyLateReceipt(db, {
    payer,
    payment: seen,
    excess: { amountMinor: excessMinor, currency },
    numbers,
    at,
  })
}
