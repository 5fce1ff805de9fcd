import type { Tx } from '../db/database.ts'
import { type PaymentState, transition } from '../db/schema/payment-states.ts'
import type { Requery } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { type DeliveryFacts, planDelivery, readDelivery } from './delivery.ts'
import { notifyDoubleRefund } from './double-refund-alert.ts'
import { applyReversal, endUnpaid, fulfil, storeMismatch } from './fulfil.ts'
import { computePassedOnFee } from './rules.ts'
import { appendEvent, type Changes, compareAndSet, type Payment, type SyncSource } from './store.ts'
import { fulfilTopup, planTopup } from './topup.ts'

/** Stores a new state of a payment, with further changes of its row. @param seen the payment as it was read */
export async function storeState(
  db: Tx,
  seen: Payment,
  to: PaymentState,
  changes: Changes,
  at: number,
): Promise<void> {
  await compareAndSet(db, seen, { ...changes, status: to, updatedAt: at })
}

/**
 * Moves a payment to a state, with all effects of that state.
 * @param seen the payment as it was read: if it has changed since, this throws a version conflict
 * @param options further changes of the payment's row, and `facts` if they have already been read in this transaction
 */
export async function enterState(
  ports: Ports,
  db: Tx,
  seen: Payment,
  to: PaymentState,
  answer: Requery | undefined,
  at: number,
  { extraChanges = {}, facts }: { extraChanges?: Changes; facts?: DeliveryFacts | undefined } = {},
): Promise<void> {
  const received = answer?.mode === seen.mode ? answer.amountPaid : undefined
  switch (to) {
    case 'paid': {
      const passedOnMinor = answer ? computePassedOnFee(answer) : 0
      const money = {
        amountPaidMinor: received?.minor ?? 0,
        passedOnMinor,
        providerTxnId: answer?.providerTxnId ?? null,
        declineCode: null,
        paidAt: at,
      }
      if (seen.purpose === 'topup') {
        const resolution = await planTopup(db, seen)
        await storeState(db, seen, to, { ...extraChanges, ...money, resolution }, at)
        return fulfilTopup(ports, db, {
          payment: seen,
          receivedMinor: money.amountPaidMinor,
          passedOnMinor,
          at,
        })
      }
      const delivery = planDelivery(seen, facts ?? (await readDelivery(db, seen)))
      await storeState(db, seen, to, { ...extraChanges, ...money, resolution: delivery.resolution }, at)
      const receivedMinor = money.amountPaidMinor
      return fulfil(ports, db, { payment: seen, delivery, receivedMinor, passedOnMinor, at })
    }
    case 'mismatched': {
      const money = {
        // This column is shown in the payment's own currency, so an amount in another currency is recorded only in the ledger.
        amountPaidMinor: received?.currency === seen.currency ? received.minor : null,
        providerTxnId: answer?.providerTxnId ?? null,
        paidAt: at,
      }
      const resolution = await storeMismatch(ports, db, { payment: seen, received, at })
      return storeState(db, seen, to, { ...extraChanges, ...money, resolution }, at)
    }
    case 'reversed':
      await storeState(db, seen, to, { ...extraChanges, resolution: 'reversed' }, at)
      await notifyDoubleRefund(ports, db, seen, at)
      return applyReversal(ports, db, { payment: seen, at })
    case 'failed':
    case 'cancelled': {
      const fallback = to === 'cancelled' ? 'PAYMENT_CANCELLED' : 'PAYMENT_FAILED'
      const declineCode = answer?.declineCode ?? fallback
      await storeState(db, seen, to, { ...extraChanges, declineCode }, at)
      return endUnpaid(db, { payment: seen, to, declineCode, at })
    }
    case 'expired':
      await storeState(db, seen, to, { ...extraChanges, declineCode: 'PAYMENT_TIMEOUT' }, at)
      return endUnpaid(db, { payment: seen, to, at })
    case 'review':
      return storeState(db, seen, to, { ...extraChanges, resolution: 'review' }, at)
    default:
      return storeState(db, seen, to, extraChanges, at)
  }
}

/**
 * Reverses a payment that a dispute has taken as a whole, in the same way as if the gateway had reported a reversal.
 * @returns false if the state does not change, because the payment had already been reversed
 */
export async function reverse(
  ports: Ports,
  db: Tx,
  seen: Payment,
  event: { source: SyncSource; actorId?: string | undefined; amountMinor: number; at: number },
): Promise<boolean> {
  const to = transition(seen.status, 'reversed')
  if (!to) return false
  await enterState(ports, db, seen, to, undefined, event.at)
  const states = { fromStatus: seen.status, toStatus: to, providerTxnId: seen.providerTxnId }
  await appendEvent(db, { ...event, ...states, paymentId: seen.id, type: to })
  ports.log({ level: 'error', event: 'payment', payment: seen.id, from: seen.status, to, source: 'dispute' })
  return true
}

/** Marks a free attempt as paid, in the transaction that stored it. No gateway is called. */
export async function completeFreePayment(ports: Ports, db: Tx, seen: Payment, at: number): Promise<void> {
  await enterState(ports, db, seen, 'paid', undefined, at)
  const states = { fromStatus: seen.status, toStatus: 'paid' }
  await appendEvent(db, { paymentId: seen.id, type: 'paid', ...states, source: 'user', amountMinor: 0, at })
}
