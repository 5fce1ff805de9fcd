import type { Tx } from '../db/database.ts'
import { tellRefundTrouble } from '../notifications/tell-money.ts'
import type { Ports } from '../ports.ts'
import { refundsIn } from './refund-store.ts'
import { appendEvent, type Payment, type PaymentEvent } from './store.ts'

/** What staff are told of money that a gateway gave back beside the portal's own refund. */
export const TWICE_BACK = 'The gateway had taken the payment back itself, so the money went back twice.'

/** The gateway took back what the bank had given back already: no state changes, and staff are told once. */
export async function noteTwiceBack(
  ports: Ports,
  db: Tx,
  payment: Payment,
  event: Omit<PaymentEvent, 'type'>,
): Promise<void> {
  if (!(await appendEvent(db, { ...event, type: 'reversed' }))) return
  ports.log({ level: 'error', event: 'reversed_after_refund', payment: payment.id })
  const done = await refundsIn(db, { paymentId: payment.id, statuses: ['processed'] })
  for (const refund of done) {
    if (refund.bankReference === null) continue
    await tellRefundTrouble(db, { payment, refund, note: TWICE_BACK, at: event.at })
  }
}
