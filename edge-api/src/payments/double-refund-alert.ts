import type { Tx } from '../db/database.ts'
import { notifyRefundFailure } from '../notifications/notify-money.ts'
import type { Ports } from '../ports.ts'
import { refundsIn } from './refund-store.ts'
import type { Payment } from './store.ts'

/** Notification to staff about a gateway refund in addition to the portal's own refund. */
export const REFUNDED_TWICE = 'The gateway had reversed the payment itself, so the money was returned twice.'

/** Notification to staff about a refund that can only be ended at the gateway, once nothing is owed. */
export const SEE_THERE =
  'The gateway reversed the payment itself. Please make sure at the gateway that this refund is not paid as well.'

/** Notifies staff of refunds made, or possibly made, in addition to a reversal of the whole payment. */
export async function notifyDoubleRefund(ports: Ports, db: Tx, payment: Payment, at: number): Promise<void> {
  const separate = await refundsIn(db, { paymentId: payment.id, statuses: ['processed', 'needs_attention'] })
  const alerts = separate.flatMap(refund => {
    if (refund.status === 'needs_attention') return [{ refund, note: SEE_THERE }]
    return refund.bankReference === null ? [] : [{ refund, note: REFUNDED_TWICE }]
  })
  if (alerts.some(({ note }) => note === REFUNDED_TWICE))
    ports.log({ level: 'error', event: 'reversed_after_refund', payment: payment.id })
  for (const { refund, note } of alerts) await notifyRefundFailure(db, { payment, refund, note, at })
}
