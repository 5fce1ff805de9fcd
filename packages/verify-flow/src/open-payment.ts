import type { InitiationReply } from '@portal/contract/verification'

/** The data that the browser stores about an open payment. Leaves out the form fields, which contain personal data. */
export interface OpenPayment {
  transactionId: string
  certificateNumber: string
  paymentReference: string
  /** Amount in major units. */
  amount: number | null
  currency: string
  expiresAt: string | null
  /** True if the certificate was found before payment; under the policy `charge` this is unknown. */
  certificateKnown: boolean
}

/** URL and form fields for the payment window; kept in memory only. */
export interface PaymentTarget {
  url: string
  data: Record<string, string>
}

type Initiated = Extract<InitiationReply, { status: 'payment_initiated' }>

/** Returns the target of the payment window; an API without form fields may omit `payment_data`. */
export const targetOf = ({ payment_url, payment_data }: Initiated): PaymentTarget => ({
  url: payment_url,
  data: payment_data ?? {},
})

/** Returns the payment that a reply starts or continues. */
export const openPaymentOf = (
  reply: Initiated,
  certificateNumber: string,
  certificateKnown: boolean,
): OpenPayment => ({
  transactionId: reply.transaction_id,
  certificateNumber,
  paymentReference: reply.payment_reference,
  amount: reply.amount_paid,
  currency: reply.currency,
  expiresAt: reply.expires_at,
  certificateKnown,
})
