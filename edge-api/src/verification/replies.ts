import type { HistoryRecord, PublicStatusReply, StatusReply } from '@portal/contract/verification'
import { toMajor } from '@portal/format/money'
import { isOpen } from '../db/schema/payment-states.ts'
import { toLetterLink, toLetterWithChecks } from '../letters/rules.ts'
import type { Payment } from '../payments/store.ts'
import { toTaxRate } from '../settings/tax-line.ts'
import { iso, majorOrNull } from '../wire.ts'
import {
  gatewayStatusText,
  getPaidAmount,
  getSingleItem,
  getTemplate,
  isSuccess,
  type ListedPaymentItem,
  type PaymentItemView,
  type PaymentView,
  type StatusFields,
  statusOfItem,
  statusOfItems,
  statusOfPayment,
  summaryOf,
} from './rules.ts'
import { topupMessageOf } from './topup-message.ts'

function toItemReply(
  view: PaymentItemView,
  outcome: StatusFields,
  publicUrl: string,
): StatusReply['items'][number] {
  const { item, fulfilment, certificate, letter } = view
  const isDelivered = isSuccess(outcome)
  return {
    certificate_number: item.certificateNumber,
    certificate_id: isDelivered ? (letter?.letter.certificateId ?? fulfilment?.certificateId ?? null) : null,
    amount: toMajor(item.amountMinor),
    status: outcome.status,
    verification_status: outcome.verification_status,
    message: outcome.message,
    resolution: outcome.resolution,
    certificate: isDelivered ? certificate : null,
    letter: isDelivered && letter ? toLetterLink(letter, publicUrl) : null,
  }
}

/**
 * Returns the reply to a status check by the payer or by staff.
 * @param number for a bulk payment: the certificate that the reply is about
 * @throws Fault `CERTIFICATE_NOT_FOUND` if the payment is not for that number
 */
export function toStatusReply(paymentView: PaymentView, publicUrl: string, number?: string): StatusReply {
  const { views, refunds } = paymentView
  const { payment, item } = views[0]
  const selectedItem = getSingleItem(paymentView, number)
  const outcomes = views.map(view => statusOfItem(view))
  const items = views.map((view, index) =>
    toItemReply(view, outcomes[index] ?? statusOfItem(view), publicUrl),
  )
  const singleIndex = selectedItem ? views.indexOf(selectedItem) : -1
  const outcome = outcomes[singleIndex] ?? statusOfItems(views)
  const letter = items[singleIndex]?.letter ?? null
  const deliveredAt = (selectedItem ?? views[0]).fulfilment?.at
  return {
    ...outcome,
    transaction_id: payment.transactionId,
    certificate_number: (selectedItem?.item ?? item).certificateNumber,
    certificate: items[singleIndex]?.certificate ?? null,
    payment_reference: payment.providerReference,
    amount_due: toMajor(payment.amountMinor),
    amount_paid: majorOrNull(payment.amountPaidMinor),
    ...toTaxRate(payment),
    ...toPayerFee(payment),
    refund_due: toMajor(refunds.outstandingMinor),
    refunded: toMajor(refunds.refundedMinor),
    refund_currency: refunds.currency ?? payment.currency,
    currency: payment.currency,
    bpms_status: gatewayStatusText(payment),
    initiated_at: iso(payment.createdAt),
    expires_at: isOpen(payment.status) ? iso(payment.expiresAt) : null,
    paid_at: payment.paidAt === null ? null : iso(payment.paidAt),
    authentication_date: deliveredAt === undefined ? null : iso(deliveredAt),
    verification_template: letter && selectedItem?.letter ? getTemplate(selectedItem.letter) : null,
    letter,
    items,
  }
}

/** Returns the gateway fee included in the payment, if it was passed on to the payer. */
export const toPayerFee = ({ passedOnMinor }: { passedOnMinor: number }): { payer_fee?: number } =>
  passedOnMinor > 0 ? { payer_fee: toMajor(passedOnMinor) } : {}

/**
 * Returns the reply for anyone who has the transaction ID. Under the policy `status`, it reveals nothing about a certificate.
 */
export function toPublicReply(paymentView: PaymentView, policy: 'full' | 'status'): PublicStatusReply {
  const { payment, item } = paymentView.views[0]
  const selectedItem = getSingleItem(paymentView, undefined)
  const { status, verification_status, message, code, resolution } = selectedItem
    ? statusOfItem(selectedItem)
    : statusOfItems(paymentView.views)
  const toDetails = (view: PaymentItemView) =>
    policy === 'full' && view.certificate && isSuccess(statusOfItem(view))
      ? summaryOf(view.certificate)
      : null
  return {
    status,
    verification_status,
    message,
    ...(code && { code }),
    resolution,
    refund_due: toMajor(paymentView.refunds.outstandingMinor),
    refunded: toMajor(paymentView.refunds.refundedMinor),
    refund_currency: paymentView.refunds.currency ?? payment.currency,
    payment_reference: payment.providerReference,
    amount_paid: majorOrNull(payment.amountPaidMinor),
    currency: payment.currency,
    certificate_number: item.certificateNumber,
    bpms_status: gatewayStatusText(payment),
    certificate: selectedItem ? toDetails(selectedItem) : null,
    items: paymentView.views.map(view => ({
      certificate_number: view.item.certificateNumber,
      verification_status: statusOfItem(view).verification_status,
      certificate: toDetails(view),
    })),
  }
}

type RefundTotals = Pick<PaymentView['refunds'], 'outstandingMinor' | 'refundedMinor' | 'currency'>

/** Returns the reply about a top-up, which has no certificate, for anyone who has the transaction ID. */
export function toPublicTopup(payment: Payment, refunds: RefundTotals) {
  const { message, code } = topupMessageOf(payment)
  return {
    status: statusOfPayment(payment),
    verification_status: null,
    message,
    ...(code && { code }),
    resolution: payment.resolution,
    refund_due: toMajor(refunds.outstandingMinor),
    refunded: toMajor(refunds.refundedMinor),
    refund_currency: refunds.currency ?? payment.currency,
    payment_reference: payment.providerReference,
    amount_paid: majorOrNull(payment.amountPaidMinor),
    currency: payment.currency,
    certificate_number: '',
    bpms_status: gatewayStatusText(payment),
    certificate: null,
    items: [],
  } satisfies PublicStatusReply
}

/** Returns the reply about a top-up for its payer or for staff. */
export const toTopupReply = (payment: Payment, refunds: RefundTotals): StatusReply => ({
  ...toPublicTopup(payment, refunds),
  transaction_id: payment.transactionId,
  amount_due: toMajor(payment.amountMinor),
  ...toPayerFee(payment),
  initiated_at: iso(payment.createdAt),
  expires_at: isOpen(payment.status) ? iso(payment.expiresAt) : null,
  paid_at: payment.paidAt === null ? null : iso(payment.paidAt),
  authentication_date: null,
  verification_template: null,
  letter: null,
})

/** Converts a payment item to a row of the payer's history. */
export function toHistoryRecord(
  view: ListedPaymentItem,
  publicUrl: string,
): Omit<HistoryRecord, 'can_try_again'> {
  const { payment, item, fulfilment, certificate, letter } = view
  const outcome = statusOfItem(view)
  const isDelivered = isSuccess(outcome)
  return {
    id: item.id,
    certificate_number: item.certificateNumber,
    authenticated_at: iso(fulfilment?.at ?? item.createdAt),
    authentication_result: isDelivered ? 'success' : outcome.status === 'pending' ? 'pending' : 'failed',
    payment_status: outcome.status,
    ...(outcome.code && { code: outcome.code }),
    resolution: outcome.resolution,
    amount_paid: majorOrNull(getPaidAmount(payment, item)),
    currency: payment.currency,
    payment_reference: payment.providerReference,
    bpms_transaction_id: payment.transactionId,
    payment_items: view.itemCount,
    certificate_details: isDelivered && certificate ? summaryOf(certificate) : null,
    letter: isDelivered && letter ? toLetterWithChecks(letter, publicUrl) : null,
  }
}
