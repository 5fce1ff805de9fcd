import { type ErrorCode, errorCatalogue, isErrorCode } from '@portal/contract/errors'
import { verificationTemplate } from '@portal/contract/letter'
import type { VerifiedCertificate } from '@portal/contract/shapes'
import type { HistoryRecord, PublicStatusReply, StatusReply } from '@portal/contract/verification'
import { toMajor } from '@portal/format/money'
import { letterLinkOf } from '../letters/rules.ts'
import type { StandingLetter } from '../letters/store.ts'
import type { Fulfilment, Payment, PaymentItem } from '../payments/store.ts'
import { isOpen } from '../payments/transitions.ts'

/*
 * What is shown of a payment, and to whom. Nothing of a certificate but its number leaves here before it is paid for.
 */

/** A payment for one certificate with everything that belongs to it. */
export interface Story {
  payment: Payment
  item: PaymentItem
  fulfilment: Fulfilment | null
  /** As delivered, once there is something to show; of a second payment, what the first one brought. */
  certificate: VerifiedCertificate | null
  letter: StandingLetter | null
}

type Shown = Pick<StatusReply, 'status' | 'verification_status' | 'message' | 'resolution'> & {
  code?: ErrorCode
}

const failed = (code: ErrorCode, resolution: Shown['resolution'] = null): Shown => ({
  status: 'failed',
  verification_status: null,
  message: errorCatalogue[code].message,
  resolution,
  code,
})

const pending = (message: string, resolution: Shown['resolution'] = null): Shown => ({
  status: 'pending',
  verification_status: null,
  message,
  resolution,
})

const PAID_NOT_FOUND = 'Payment completed but certificate not found in database'

function shownAsPaid({ payment, certificate }: Story): Shown {
  const { resolution } = payment
  const paid = { status: 'paid' as const, resolution }
  if (certificate) {
    const message =
      resolution === 'refund_due'
        ? 'Certificate already verified. This second payment is due to be refunded to you.'
        : 'Certificate verified successfully.'
    return { ...paid, verification_status: 'success', message }
  }
  const message =
    resolution === 'refund_due'
      ? `${PAID_NOT_FOUND}. Your payment is due to be refunded to you.`
      : PAID_NOT_FOUND
  return { ...paid, verification_status: 'not_found', message }
}

/** A payment in the words of the specification: paid, pending or failed, and what became of the money. */
export function shown(story: Story): Shown {
  const { payment } = story
  switch (payment.status) {
    case 'paid':
      return shownAsPaid(story)
    case 'refunded':
      return {
        status: 'paid',
        verification_status: 'not_found',
        message: 'Your payment was refunded.',
        resolution: 'refunded',
      }
    case 'reversed':
      return {
        ...failed('PAYMENT_FAILED', 'reversed'),
        message: 'The payment was reversed, so its verification and letter no longer stand.',
      }
    case 'failed':
    case 'cancelled': {
      const fallback = payment.status === 'cancelled' ? 'PAYMENT_CANCELLED' : 'PAYMENT_FAILED'
      const code = payment.declineCode
      return failed(code !== null && isErrorCode(code) ? code : fallback)
    }
    case 'expired':
      return failed('PAYMENT_TIMEOUT')
    case 'mismatched':
      return pending(
        payment.resolution === 'refund_due'
          ? 'Your payment does not match what was to be paid. It is due to be refunded to you; you can start anew.'
          : 'Your payment does not match what was to be paid. Please contact support with your transaction ID.',
        payment.resolution,
      )
    case 'review':
      return pending(
        'The payment gateway has not confirmed your payment. It is under review; please contact support.',
        'review',
      )
    case 'processing':
      return pending('Your payment is being processed. This usually takes a few minutes.')
    case 'created':
    case 'pending':
    case 'unknown':
      return pending('Payment still pending. Please complete the payment.')
  }
}

/** The gateway's own word, or ours for what it has not said yet. */
function gatewayWord({ gatewayStatus, status }: Payment): string {
  if (gatewayStatus) return gatewayStatus
  if (status === 'paid') return 'PAID'
  return isOpen(status) ? 'PENDING' : status.toUpperCase()
}

const iso = (at: number) => new Date(at).toISOString()
const majorOrNull = (minor: number | null) => (minor === null ? null : toMajor(minor))
const isSuccess = (seen: Shown) => seen.status === 'paid' && seen.verification_status === 'success'

/** The answer for the payer and for admins. */
export function statusReplyOf(story: Story, publicUrl: string): StatusReply {
  const { payment, item, fulfilment, certificate, letter } = story
  const seen = shown(story)
  const delivered = isSuccess(seen)
  return {
    ...seen,
    transaction_id: payment.transactionId,
    certificate_number: item.certificateNumber,
    certificate: delivered ? certificate : null,
    payment_reference: payment.providerReference,
    amount_paid: majorOrNull(payment.amountPaidMinor),
    currency: payment.currency,
    bpms_status: gatewayWord(payment),
    initiated_at: iso(payment.createdAt),
    expires_at: isOpen(payment.status) ? iso(payment.expiresAt) : null,
    authentication_date: fulfilment ? iso(fulfilment.at) : null,
    verification_template: delivered && letter ? verificationTemplate.parse(letter.letter.template) : null,
    letter: delivered && letter ? letterLinkOf(letter, publicUrl) : null,
  }
}

/** The answer for whoever has the transaction id. Under the policy `status` nothing of the certificate is shown. */
export function publicReplyOf(story: Story, policy: 'full' | 'status'): PublicStatusReply {
  const { payment, item, certificate } = story
  const { status, verification_status, message, code } = shown(story)
  const details = policy === 'full' && isSuccess(shown(story)) ? certificate : null
  return {
    status,
    verification_status,
    message,
    ...(code && { code }),
    payment_reference: payment.providerReference,
    amount_paid: majorOrNull(payment.amountPaidMinor),
    currency: payment.currency,
    certificate_number: item.certificateNumber,
    bpms_status: gatewayWord(payment),
    certificate: details && summaryOf(details),
  }
}

const summaryOf = ({ student_name, course, graduation_date, grade }: VerifiedCertificate) => ({
  student_name,
  course,
  graduation_date,
  grade,
})

/** One row of the payer's history. */
export function historyRecordOf(story: Story, publicUrl: string): HistoryRecord {
  const { payment, item, fulfilment, certificate, letter } = story
  const seen = shown(story)
  const delivered = isSuccess(seen)
  return {
    id: item.id,
    certificate_number: item.certificateNumber,
    authenticated_at: iso(fulfilment?.at ?? item.createdAt),
    authentication_result: delivered ? 'success' : seen.status === 'pending' ? 'pending' : 'failed',
    payment_status: seen.status,
    amount_paid: majorOrNull(payment.amountPaidMinor),
    currency: payment.currency,
    payment_reference: payment.providerReference,
    bpms_transaction_id: payment.transactionId,
    certificate_details: delivered && certificate ? summaryOf(certificate) : null,
    letter: delivered && letter ? letterLinkOf(letter, publicUrl) : null,
  }
}

/** Percent, to one decimal place. */
export const successRate = (successful: number, total: number): number =>
  total === 0 ? 0 : Math.round((successful / total) * 1000) / 10
