import type { InitiationReply } from '@portal/contract/verification'

/** What the browser stores about an open payment. The form fields are left out, because they contain personal data. */
export interface OpenPayment {
  transactionId: string
  certificateNumber: string
  paymentReference: string
  /** Amount in major units. */
  amount: number | null
  currency: string
  expiresAt: string | null
  /** True if the certificate was found before payment. Under the policy `charge`, this is not revealed and always false. */
  certificateKnown: boolean
}

/** URL and form fields for the payment window. They are kept only in memory. */
export interface PaymentTarget {
  url: string
  data: Record<string, string>
}

type InitiatedPayment = Extract<InitiationReply, { status: 'payment_initiated' }>

/** Returns the URL and the form fields for the payment window. An API without form fields may leave out `payment_data`. */
export const targetOf = ({ payment_url, payment_data }: InitiatedPayment): PaymentTarget => ({
  url: payment_url,
  data: payment_data ?? {},
})

/** Returns the payment that a reply has started or continued. */
export const openPaymentOf = (
  reply: InitiatedPayment,
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
