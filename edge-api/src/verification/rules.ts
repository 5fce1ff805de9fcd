import { type ErrorCode, errorCatalogue, isErrorCode } from '@portal/contract/errors'
import type { VerifiedCertificate } from '@portal/contract/shapes'
import type { StatusReply } from '@portal/contract/verification'
import { verificationMessages } from '@portal/rules/messages'
import { isOpen } from '../db/schema/payment-states.ts'
import { Fault } from '../fault.ts'
import type { LetterStatusData, LetterWithCertificate } from '../letters/store.ts'
import type { Fulfilment, Payment, PaymentItem } from '../payments/store.ts'

/* Decides who sees which part of a payment. Before it is paid, only the certificate's number is shown. */

/** The columns that a view of a payment needs: of the payment and, below, of one item and of its fulfilment. */
export type PaymentData = Pick<
  Payment,
  | 'transactionId'
  | 'providerReference'
  | 'amountMinor'
  | 'currency'
  | 'amountPaidMinor'
  | 'passedOnMinor'
  | 'taxName'
  | 'taxBasisPoints'
  | 'status'
  | 'resolution'
  | 'declineCode'
  | 'gatewayStatus'
  | 'createdAt'
  | 'paidAt'
  | 'expiresAt'
>
export type ItemData = Pick<PaymentItem, 'certificateNumber' | 'amountMinor'>
export type FulfilmentData = Pick<Fulfilment, 'outcome' | 'certificateId' | 'at'>

/** One item of a payment: its certificate, and everything that belongs to it. */
export interface PaymentItemView {
  payment: PaymentData
  item: ItemData
  fulfilment: FulfilmentData | null
  /**
   * The certificate as delivered, once there is a result. For a second payment, it is the one that the first payment delivered.
   */
  certificate: VerifiedCertificate | null
  letter: LetterStatusData | null
  /** True if the payment is for several certificates, and the part for this one was refunded. */
  isRefunded: boolean
}

/** An item of a payment in a list. */
export interface ListedPaymentItem extends PaymentItemView {
  item: PaymentItem
  letter: LetterWithCertificate | null
  /** Number of certificates in the whole payment. */
  itemCount: number
}

/** A whole payment: its items, in the requested order, and its refunds. */
export interface PaymentView {
  views: readonly [PaymentItemView, ...PaymentItemView[]]
  refunds: { outstandingMinor: number; refundedMinor: number; currency: string | undefined }
}

/** The fields of a status reply that show how a payment or one of its items ended, or that it is still open. */
export type StatusFields = Pick<StatusReply, 'status' | 'verification_status' | 'message' | 'resolution'> & {
  code?: ErrorCode
}

const buildFailedStatus = (code: ErrorCode, resolution: StatusFields['resolution'] = null): StatusFields => ({
  status: 'failed',
  verification_status: null,
  message: errorCatalogue[code].message,
  resolution,
  code,
})

const buildPendingStatus = (
  message: string,
  resolution: StatusFields['resolution'] = null,
): StatusFields => ({
  status: 'pending',
  verification_status: null,
  message,
  resolution,
})

const PAID_NOT_FOUND = 'Payment completed but certificate not found in database'
const REFUNDED = verificationMessages.refunded
const UNPRINTABLE = 'The official letter for this certificate could not be printed, so it was not verified.'

function statusOfPaidItem({
  payment,
  item,
  fulfilment,
  certificate,
  isRefunded,
}: PaymentItemView): StatusFields {
  // In a bulk payment, each certificate has its own outcome and its own refund.
  const outcome = fulfilment?.outcome ?? payment.resolution
  const isPartOfPayment = item.amountMinor < payment.amountMinor
  const resolution = outcome === 'refund_due' && isPartOfPayment && isRefunded ? 'refunded' : outcome
  const paid = { status: 'paid' as const, resolution }
  if (!certificate && outcome === 'refund_due' && fulfilment?.certificateId) {
    const refunded = resolution === 'refunded' ? 'was refunded.' : 'will be refunded.'
    return { ...paid, verification_status: null, message: `${UNPRINTABLE} Your payment ${refunded}` }
  }
  if (certificate) {
    const message =
      resolution === 'refund_due'
        ? 'Certificate already verified. This second payment will be refunded.'
        : resolution === 'refunded'
          ? 'Certificate already verified. This second payment was refunded.'
          : verificationMessages.verified
    return { ...paid, verification_status: 'success', message }
  }
  const message =
    resolution === 'refund_due'
      ? `${PAID_NOT_FOUND}. Your payment will be refunded.`
      : resolution === 'refunded'
        ? REFUNDED
        : PAID_NOT_FOUND
  return { ...paid, verification_status: 'not_found', message }
}

/** Returns the status of one item of a payment: paid, pending or failed, and its resolution. */
export function statusOfItem(view: PaymentItemView): StatusFields {
  const { payment } = view
  switch (payment.status) {
    case 'paid':
      return statusOfPaidItem(view)
    case 'refunded':
      // The refund cannot be for a delivered item: it is for an excess, or for another certificate of the payment.
      if (view.fulfilment?.outcome === 'verified') return statusOfPaidItem(view)
      return {
        status: 'paid',
        verification_status: 'not_found',
        message: REFUNDED,
        resolution: 'refunded',
      }
    case 'reversed':
      return {
        ...buildFailedStatus('PAYMENT_FAILED', 'reversed'),
        message: 'The payment was reversed, so its verification and letter are no longer valid.',
      }
    case 'failed':
    case 'cancelled': {
      const fallback = payment.status === 'cancelled' ? 'PAYMENT_CANCELLED' : 'PAYMENT_FAILED'
      const code = payment.declineCode
      return buildFailedStatus(code !== null && isErrorCode(code) ? code : fallback)
    }
    case 'expired':
      return buildFailedStatus('PAYMENT_TIMEOUT')
    case 'mismatched':
      return buildPendingStatus(
        payment.resolution === 'refund_due'
          ? 'Your payment does not match the amount due. It will be refunded; you can start again.'
          : 'Your payment does not match the amount due. Please contact support with your transaction ID.',
        payment.resolution,
      )
    case 'review':
      return buildPendingStatus(
        'The payment gateway has not confirmed your payment. It is under review; please contact support.',
        'review',
      )
    case 'processing':
      return buildPendingStatus('Your payment is being processed. This usually takes a few minutes.')
    case 'created':
    case 'pending':
    case 'unknown':
      return buildPendingStatus(verificationMessages.pending)
  }
}

/** Returns the status of the payment as a whole, whatever its certificates: paid, pending or failed. */
export function statusOfPayment(payment: Pick<Payment, 'status'>): StatusFields['status'] {
  if (payment.status === 'paid' || payment.status === 'refunded') return 'paid'
  return ['failed', 'cancelled', 'expired', 'reversed'].includes(payment.status) ? 'failed' : 'pending'
}

/** Returns the combined status of a bulk payment. Its certificates differ only once it is paid. */
export function statusOfItems(views: readonly [PaymentItemView, ...PaymentItemView[]]): StatusFields {
  const outcomes = views.map(statusOfItem)
  const [firstOutcome = statusOfItem(views[0])] = outcomes
  if (firstOutcome.status !== 'paid') return firstOutcome
  const verifiedCount = outcomes.filter(isSuccess).length
  const refundDueCount = outcomes.filter(outcome => outcome.resolution === 'refund_due').length
  const refundedCount = outcomes.filter(outcome => outcome.resolution === 'refunded').length
  const notFoundCount = outcomes.filter(outcome => outcome.resolution === 'not_found').length
  const parts = [
    `${verifiedCount} of ${views.length} certificates verified.`,
    ...(notFoundCount > 0 ? [`${notFoundCount} not found in database.`] : []),
    ...(refundDueCount > 0 ? [`Your payment for ${refundDueCount} will be refunded.`] : []),
    ...(refundedCount > 0 ? [`Your payment for ${refundedCount} was refunded.`] : []),
  ]
  const { resolution } = views[0].payment
  const isFullyRefunded = resolution === 'refund_due' && refundDueCount === 0 && refundedCount > 0
  return {
    status: 'paid',
    verification_status: verifiedCount > 0 ? 'success' : 'not_found',
    message: parts.join(' '),
    resolution: isFullyRefunded ? (notFoundCount > 0 ? 'not_found' : 'refunded') : resolution,
  }
}

/** Returns the gateway's own message, or ours if it sent none. */
export function gatewayStatusText({
  gatewayStatus,
  status,
}: Pick<Payment, 'gatewayStatus' | 'status'>): string {
  if (gatewayStatus) return gatewayStatus
  return isOpen(status) ? 'PENDING' : status.toUpperCase()
}

export const isSuccess = (outcome: StatusFields) =>
  outcome.status === 'paid' && outcome.verification_status === 'success'

/** True for a verification that ended without a result: not paid, reversed, or its money refunded. */
export const endedWithoutResult = (outcome: StatusFields) =>
  !isSuccess(outcome) &&
  (outcome.status === 'failed' || outcome.resolution === 'refunded' || outcome.resolution === 'refund_due')

/** Returns the item that a call is about: the one with the number, or the only one; undefined if it is about several. */
export function getSingleItem(
  { views }: PaymentView,
  number: string | undefined,
): PaymentItemView | undefined {
  if (number === undefined) return views.length === 1 ? views[0] : undefined
  const view = views.find(({ item }) => item.certificateNumber === number)
  if (!view) throw new Fault('CERTIFICATE_NOT_FOUND')
  return view
}

/** Returns the stored content of a letter. The reply's schema parses it and removes unknown fields. */
export const getTemplate = ({ letter }: LetterStatusData) =>
  letter.template as StatusReply['verification_template']

export const summaryOf = ({ student_name, course, graduation_date, grade }: VerifiedCertificate) => ({
  student_name,
  course,
  graduation_date,
  grade,
})

/**
 * Returns the amount paid for one certificate, in minor units: in a bulk payment, its part, or null if the money received does
 * not cover all parts.
 */
export function getPaidAmount(
  { amountMinor, amountPaidMinor }: Pick<Payment, 'amountMinor' | 'amountPaidMinor'>,
  item: ItemData,
): number | null {
  if (item.amountMinor === amountMinor || amountPaidMinor === null) return amountPaidMinor
  return amountPaidMinor < amountMinor ? null : item.amountMinor
}
