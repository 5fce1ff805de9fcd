import type { Tx } from '../db/database.ts'
import { type PaymentState, transition } from '../db/schema/payment-states.ts'
import type { Requery } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { notifyDoubleRefund } from './double-refund-alert.ts'
import { endUnpaid, fulfil, keepMismatch, undo } from './fulfil.ts'
import { passedOnOf } from './rules.ts'
import { appendEvent, compareAndSet, type Payment, type SyncSource } from './store.ts'
import { VersionConflict } from './version-conflict.ts'

export async function move(
  db: Tx,
  seen: Payment,
  to: PaymentState,
  changes: Partial<Payment>,
  at: number,
): Promise<void> {
  if (!(await compareAndSet(db, seen, { ...changes, status: to, updatedAt: at }))) throw new VersionConflict()
}

/** Enters a state with everything that belongs to it, the compare-and-set first. */
export async function enter(
  ports: Ports,
  db: Tx,
  seen: Payment,
  to: PaymentState,
  answer: Requery | undefined,
  at: number,
): Promise<void> {
  const received = answer?.mode === seen.mode ? answer.amountPaid : undefined
  switch (to) {
    case 'paid': {
      const passedOnMinor = answer ? passedOnOf(answer) : 0
      const money = {
        amountPaidMinor: received?.minor ?? 0,
        passedOnMinor,
        providerTxnId: answer?.providerTxnId ?? null,
        declineCode: null,
        paidAt: at,
      }
      await move(db, seen, to, money, at)
      const receivedMinor = money.amountPaidMinor
      const resolution = await fulfil(ports, db, { payment: seen, receivedMinor, passedOnMinor, at })
      return setResolution(db, seen, resolution)
    }
    case 'mismatched': {
      const money = {
        // Displayed in the payment's own currency, so an amount in another one appears in the ledger only.
        amountPaidMinor: received?.currency === seen.currency ? received.minor : null,
        providerTxnId: answer?.providerTxnId ?? null,
        paidAt: at,
      }
      await move(db, seen, to, money, at)
      return setResolution(db, seen, await keepMismatch(ports, db, { payment: seen, received, at }))
    }
    case 'reversed':
      await move(db, seen, to, { resolution: 'reversed' }, at)
      await notifyDoubleRefund(ports, db, seen, at)
      return undo(db, { payment: seen, at })
    case 'failed':
    case 'cancelled': {
      const fallback = to === 'cancelled' ? 'PAYMENT_CANCELLED' : 'PAYMENT_FAILED'
      const declineCode = answer?.declineCode ?? fallback
      await move(db, seen, to, { declineCode }, at)
      return endUnpaid(db, { payment: seen, to, declineCode, at })
    }
    case 'expired':
      await move(db, seen, to, { declineCode: 'PAYMENT_TIMEOUT' }, at)
      return endUnpaid(db, { payment: seen, to, at })
    case 'review':
      return move(db, seen, to, { resolution: 'review' }, at)
    default:
      return move(db, seen, to, {}, at)
  }
}

/** The second half of a change whose compare-and-set already held in this transaction. */
async function setResolution(db: Tx, seen: Payment, resolution: Payment['resolution']): Promise<void> {
  const moved = { ...seen, version: seen.version + 1 }
  if (!(await compareAndSet(db, moved, { resolution }))) throw new VersionConflict()
}

/**
 * Reverses a payment that a dispute took completely, as if its gateway had reported it. @returns false if that does not change
 * its state, because it was reversed before
 */
export async function reverse(
  ports: Ports,
  db: Tx,
  seen: Payment,
  event: { source: SyncSource; actorId?: string | undefined; amountMinor: number; at: number },
): Promise<boolean> {
  const to = transition(seen.status, 'reversed')
  if (!to) return false
  await enter(ports, db, seen, to, undefined, event.at)
  const ends = { fromStatus: seen.status, toStatus: to, providerTxnId: seen.providerTxnId }
  await appendEvent(db, { ...event, ...ends, paymentId: seen.id, type: to })
  ports.log({ level: 'error', event: 'payment', payment: seen.id, from: seen.status, to, source: 'dispute' })
  return true
}

/** Pays a free attempt, in the transaction that wrote it; no gateway is called. */
export async function payNothing(ports: Ports, db: Tx, seen: Payment, at: number): Promise<void> {
  await enter(ports, db, seen, 'paid', undefined, at)
  const ends = { fromStatus: seen.status, toStatus: 'paid' }
  await appendEvent(db, { paymentId: seen.id, type: 'paid', ...ends, source: 'user', amountMinor: 0, at })
}
