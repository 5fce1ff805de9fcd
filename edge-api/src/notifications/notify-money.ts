import type { Role } from '@portal/contract/shapes'
import {
  chargebackReversedNotice,
  overpaymentNotice,
  refundFailedNotice,
  refundNotice,
  unknownPaymentNotice,
} from '@portal/format/refund-notices'
import type { Tx } from '../db/database.ts'
import { type LinkedPayment, linkForPayer, linkToReconciliations, linkToRefunds } from './links.ts'
import { notify, notifyStaff } from './store.ts'

/* Notifications about refunds. They are stored in the transaction of the event. Amounts are in minor units. */

interface RefundFacts {
  amountMinor: number
  currency: string
}

interface PaymentFacts extends LinkedPayment {
  transactionId: string
  providerReference: string
}

/** Notifies the payer that a refund was completed. */
export async function notifyRefund(
  db: Tx,
  {
    payer,
    payment,
    refund,
    numbers,
    at,
  }: {
    payer: { id: string; role: Role }
    payment: PaymentFacts
    refund: RefundFacts
    numbers: readonly string[]
    at: number
  },
): Promise<void> {
  const reference = payment.providerReference
  const notice = refundNotice({ numbers, reference, minor: refund.amountMinor, currency: refund.currency })
  await notify(db, { ...notice, userId: payer.id, link: linkForPayer(payment, 'history', payer.role), at })
}

/** Notifies the payer and all staff that money was received late and will be refunded. */
export async function notifyLateReceipt(
  db: Tx,
  {
    payer,
    payment,
    excess,
    numbers,
    at,
  }: {
    payer: { id: string; role: Role }
    payment: PaymentFacts
    excess: RefundFacts
    numbers: readonly string[]
    at: number
  },
): Promise<void> {
  const reference = payment.providerReference
  const notice = overpaymentNotice({
    numbers,
    reference,
    minor: excess.amountMinor,
    currency: excess.currency,
  })
  await notify(db, { ...notice, userId: payer.id, link: linkForPayer(payment, 'history', payer.role), at })
  const note = 'More money was received after the payment was booked. A refund is due.'
  await notifyRefundNeedsAttention(db, { payment, refund: excess, note, at })
}

/** Notifies all staff that a chargeback was reversed, and the payer if this leads to a refund. */
export async function notifyChargebackReversed(
  db: Tx,
  {
    payer,
    payment,
    returnedMoney,
    refundDueMinor,
    numbers,
    at,
  }: {
    payer: { id: string; role: Role }
    payment: PaymentFacts
    returnedMoney: RefundFacts
    /** Amount to be refunded, in minor units; 0 if the payer has already received it. */
    refundDueMinor: number
    numbers: readonly string[]
    at: number
  },
): Promise<void> {
  if (refundDueMinor > 0) {
    const { currency } = returnedMoney
    const notice = chargebackReversedNotice({
      numbers,
      reference: payment.providerReference,
      minor: refundDueMinor,
      currency,
    })
    await notify(db, { ...notice, userId: payer.id, link: linkForPayer(payment, 'history', payer.role), at })
  }
  const cause = 'The gateway returned the money from a chargeback.'
  const next =
    refundDueMinor > 0 ? 'A refund is due.' : 'No refund is due: the payment had already been refunded.'
  await notifyRefundNeedsAttention(db, { payment, refund: returnedMoney, note: `${cause} ${next}`, at })
}

/** Notifies all staff that a refund needs attention; `note` says why. */
export async function notifyRefundNeedsAttention(
  db: Tx,
  {
    payment,
    refund,
    note,
    at,
  }: {
    payment: { transactionId: string; providerReference: string }
    refund: RefundFacts
    note: string
    at: number
  },
): Promise<void> {
  const facts = {
    reference: payment.providerReference,
    minor: refund.amountMinor,
    currency: refund.currency,
  }
  const link = linkToRefunds(payment.transactionId)
  await notifyStaff(db, { ...refundFailedNotice(facts, note), link, at })
}

/** Notifies all staff of payments that exist only at the gateway, and names one of them. */
export const notifyOrphans = (
  db: Tx,
  { at, ...facts }: { provider: string; count: number; reference: string; at: number },
): Promise<void> => notifyStaff(db, { ...unknownPaymentNotice(facts), link: linkToReconciliations, at })
