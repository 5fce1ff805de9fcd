import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import type { VerificationTemplate } from '@portal/contract/letter'
import type { OrganisationLetter } from '@portal/contract/organisation-shapes'
import type { CheckReply, InitiationReply, StatusReply } from '@portal/contract/verification'
import { formatMoney } from '@portal/format/money'
import { type MoneyNote, moneyNote } from '@portal/format/money-note'
import { templateIfComplete } from '@portal/letter/complete-template'

const ALREADY_VERIFIED = 'Certificate already verified'
export const PAID_NOT_FOUND = 'Payment completed but certificate not found in database'

type AlreadyPaid = Extract<CheckReply, { status: 'already_paid' }>

/** The result as the specification defines it, which the last step shows. Amounts are in major units. */
export type FlowResult =
  | {
      type: 'success'
      message: string
      certificate: AlreadyPaid['certificate']
      /** Null if the check returned no transaction; the letter is then only in the history. */
      transactionId: string | null
      /** Null while the letter is being fetched. */
      verificationTemplate: VerificationTemplate | null
      /** The letter, which in an organisation's test mode is the specimen. */
      letter: OrganisationLetter | null
      authenticatedAt: string | null
      paymentReference: string | null
      amountPaid: number | null
      currency: string
      /** An explanation of the refund, for an overpayment or a duplicate payment. */
      note: MoneyNote | null
    }
  | {
      type: 'not_found'
      /** True if the payment was refunded before its result was released. Nothing is then known about the certificate. */
      refunded: boolean
      message: string
      certificateNumber: string
      /** The certificate number that was probably meant. */
      suggestion: string | undefined
      transactionId: string | null
      paymentReference: string | null
      amountPaid: number | null
      currency: string
      note: MoneyNote | null
    }

const DEFAULT_CURRENCY = 'NGN'

/** The fields of a payment's status that the steps use. */
export type FlowStatus = Omit<StatusReply, 'amount_due' | 'initiated_at' | 'expires_at' | 'paid_at'>

type RequiredFields = 'status' | 'verification_status' | 'message' | 'payment_reference' | 'currency'

/** Adds defaults to the reply about a status, because older versions of the API send only the fields of the specification. */
export const statusOf = (
  reply: Pick<StatusReply, RequiredFields> & Partial<StatusReply>,
  id: string,
  number: string,
): FlowStatus => ({
  resolution: null,
  certificate_number: number,
  certificate: null,
  amount_paid: null,
  refund_due: 0,
  refunded: 0,
  refund_currency: reply.currency,
  bpms_status: '',
  authentication_date: null,
  verification_template: null,
  letter: null,
  items: [],
  transaction_id: id,
  ...reply,
})

/**
 * Returns the result for a certificate that this account has already paid for. Its letter is fetched separately, by the
 * transaction ID.
 */
export function resultOfCheck(reply: AlreadyPaid): FlowResult {
  return {
    type: 'success',
    message: ALREADY_VERIFIED,
    certificate: reply.certificate,
    transactionId: reply.transaction_id ?? null,
    verificationTemplate: null,
    letter: null,
    authenticatedAt: reply.authentication_date,
    paymentReference: null,
    amountPaid: null,
    currency: DEFAULT_CURRENCY,
    note: null,
  }
}

/**
 * Returns the result for a number that was not found when the payment was to be started, so there is neither a payment
 * reference nor an amount.
 */
export function notFoundAtStart(
  reply: Extract<InitiationReply, { status: 'not_found' }>,
  certificateNumber: string,
): FlowResult {
  return {
    type: 'not_found',
    refunded: false,
    message: reply.message,
    certificateNumber,
    suggestion: reply.suggestion,
    transactionId: null,
    paymentReference: reply.payment_reference,
    amountPaid: reply.amount_paid,
    currency: DEFAULT_CURRENCY,
    note: null,
  }
}

/** Returns the explanation of a refund, with the amount that is refunded or due. */
export function noteOf(reply: FlowStatus): MoneyNote | null {
  const { status, resolution, verification_status, refund_due: due, refunded, items } = reply
  // In a bulk payment, the refund may be for another certificate.
  const isSingle = items.length < 2
  const note = moneyNote({
    status,
    resolution,
    found: verification_status === 'success',
    excess: isSingle && due > 0,
  })
  const amount = resolution === 'refunded' ? refunded : due
  if (!note || !isSingle || amount === 0) return note
  return { ...note, title: `${note.title}: ${formatMoney(amount, reply.refund_currency)}` }
}

function notFoundAfterPayment(reply: FlowStatus): FlowResult {
  const refunded = reply.resolution === 'refunded'
  return {
    type: 'not_found',
    refunded,
    message: refunded || reply.verification_status === null ? reply.message : PAID_NOT_FOUND,
    certificateNumber: reply.certificate_number,
    // After a refund, nothing may be revealed about the number.
    suggestion: refunded ? undefined : suggestCertificateNumber(reply.certificate_number),
    transactionId: reply.transaction_id,
    paymentReference: reply.payment_reference,
    amountPaid: reply.amount_paid,
    currency: reply.currency,
    note: noteOf(reply),
  }
}

/** Returns the result of a paid transaction. For an earlier payment, `message` replaces the server's message. */
export function resultOfStatus(reply: FlowStatus, message = reply.message): FlowResult {
  if (reply.verification_status !== 'success' || reply.certificate === null)
    return notFoundAfterPayment(reply)
  return {
    type: 'success',
    message,
    certificate: reply.certificate,
    transactionId: reply.transaction_id,
    verificationTemplate: templateIfComplete(reply.verification_template),
    letter: reply.letter,
    authenticatedAt: reply.authentication_date,
    paymentReference: reply.payment_reference,
    amountPaid: reply.amount_paid,
    currency: reply.currency,
    note: noteOf(reply),
  }
}
