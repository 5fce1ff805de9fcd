import type { Tx } from '../db/database.ts'
import { notifyRefundNeedsAttention } from '../notifications/notify-money.ts'
import type { Ports } from '../ports.ts'
import { listRefundsByStatus } from './refund-store.ts'
import type { Payment } from './store.ts'

/** Note for staff on a payment that both the gateway and the portal returned. */
export const REFUNDED_TWICE = 'The gateway had reversed the payment itself, so the money was returned twice.'

/** Note for staff on a refund that is no longer due, but can only be cancelled at the gateway. */
export const CANCEL_AT_GATEWAY =
  'The gateway reversed the payment itself. Please make sure at the gateway that this refund is not paid as well.'

/** Alerts staff to refunds that were made, or may have been made, in addition to a reversal of the whole payment. */
export async function notifyDoubleRefund(ports: Ports, db: Tx, payment: Payment, at: number): Promise<void> {
  const separateRefunds = await listRefundsByStatus(db, {
    paymentId: payment.id,
    statuses: ['processed', 'needs_attention'],
  })
  const alerts = separateRefunds.flatMap(refund => {
    if (refund.status === 'needs_attention') return [{ refund, note: CANCEL_AT_GATEWAY }]
    return refund.bankReference === null ? [] : [{ refund, note: REFUNDED_TWICE }]
  })
  if (alerts.some(({ note }) => note === REFUNDED_TWICE))
    ports.log({ level: 'error', event: 'reversed_after_refund', payment: payment.id })
  for (const { refund, note } of alerts) await notifyRefundNeedsAttention(db, { payment, refund, note, at })
}
