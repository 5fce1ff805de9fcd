import type { LetterLink, VerificationTemplate } from '@portal/contract/letter'
import type { CheckReply, InitiationReply, StatusReply } from '@portal/contract/verification'

export const ALREADY_VERIFIED = 'Certificate already verified'
export const PAID_NOT_FOUND = 'Payment completed but certificate not found in database'

type AlreadyPaid = Extract<CheckReply, { status: 'already_paid' }>

/** The specification's result object: what the last step shows. Amounts in major units. */
export type FlowResult =
  | {
      type: 'success'
      message: string
      certificate: AlreadyPaid['certificate']
      transactionId: string
      /** Null while the letter is still being fetched. */
      verificationTemplate: VerificationTemplate | null
      letter: LetterLink | null
      authenticatedAt: string | null
      paymentReference: string | null
      amountPaid: number | null
      currency: string
      /** More was received than was due, or twice: part of it goes back. */
      refundDue: boolean
    }
  | {
      type: 'not_found'
      message: string
      certificateNumber: string
      transactionId: string | null
      paymentReference: string | null
      amountPaid: number | null
      currency: string
      refund: 'none' | 'due' | 'done'
    }

const DEFAULT_CURRENCY = 'NGN'

/** A certificate that this account already paid for; its letter is fetched by the transaction. */
export function resultOfCheck(reply: AlreadyPaid): FlowResult {
  return {
    type: 'success',
    message: ALREADY_VERIFIED,
    certificate: reply.certificate,
    transactionId: reply.transaction_id,
    verificationTemplate: null,
    letter: null,
    authenticatedAt: reply.authentication_date,
    paymentReference: null,
    amountPaid: null,
    currency: DEFAULT_CURRENCY,
    refundDue: false,
  }
}

/** Not found before any money moved: there is no reference and no amount. */
export function notFoundAtStart(
  reply: Extract<InitiationReply, { status: 'not_found' }>,
  certificateNumber: string,
): FlowResult {
  return {
    type: 'not_found',
    message: reply.message,
    certificateNumber,
    transactionId: null,
    paymentReference: reply.payment_reference,
    amountPaid: reply.amount_paid,
    currency: DEFAULT_CURRENCY,
    refund: 'none',
  }
}

function notFoundAfterPayment(reply: StatusReply): FlowResult {
  return {
    type: 'not_found',
    message: PAID_NOT_FOUND,
    certificateNumber: reply.certificate_number,
    transactionId: reply.transaction_id,
    paymentReference: reply.payment_reference,
    amountPaid: reply.amount_paid,
    currency: reply.currency,
    refund: reply.resolution === 'refund_due' ? 'due' : reply.resolution === 'refunded' ? 'done' : 'none',
  }
}

/** The result of a paid transaction. `message` replaces the server's, for one that was paid before. */
export function resultOfStatus(reply: StatusReply, message = reply.message): FlowResult {
  if (reply.verification_status !== 'success' || reply.certificate === null)
    return notFoundAfterPayment(reply)
  return {
    type: 'success',
    message,
    certificate: reply.certificate,
    transactionId: reply.transaction_id,
    verificationTemplate: reply.verification_template,
    letter: reply.letter,
    authenticatedAt: reply.authentication_date,
    paymentReference: reply.payment_reference,
    amountPaid: reply.amount_paid,
    currency: reply.currency,
    refundDue: reply.resolution === 'refund_due',
  }
}
