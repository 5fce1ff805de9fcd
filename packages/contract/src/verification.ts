import './zod-setup.ts'
import * as z from 'zod'
import { errorCodes } from './errors.ts'
import * as field from './fields.ts'
import { heldLetter, letterLink, verificationTemplate } from './letter.ts'
import { route } from './route.ts'
import { filter, money, pagination, timestamp, verifiedCertificate } from './shapes.ts'
import { taxLine } from './tax.ts'
import { historyFile, historyQuery } from './verification-history.ts'

export const certificateQuery = z.object({ certificate_number: field.certificateNumber() })

/** The certificate: only its number before payment, all fields once it is paid for. */
const certificateIfPaid = verifiedCertificate.partial().required({ certificate_number: true })

const errorCode = z.enum(errorCodes)

/** What became of the money received for a payment. */
export const resolution = z.enum(['verified', 'not_found', 'refund_due', 'refunded', 'reversed', 'review'])
export const paymentStatus = z.enum(['pending', 'paid', 'failed'])
export const verificationStatus = z.enum(['success', 'not_found'])

const alreadyPaid = z.object({
  status: z.literal('already_paid'),
  certificate: certificateIfPaid,
  authentication_date: timestamp,
  transaction_id: z.string(),
})

/** For an unknown number: the certificate number that was probably meant. */
export const suggestion = z
  .string()
  .optional()
  .describe(
    'The certificate number that was probably meant: derived from its form, or an existing number that differs only in its separators.',
  )

export const checkReply = z.discriminatedUnion('status', [
  z.object({ status: z.literal('payment_required'), certificate: certificateIfPaid.optional(), suggestion }),
  alreadyPaid,
])
export type CheckReply = z.infer<typeof checkReply>

export const initiationReply = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('payment_initiated'),
    payment_url: z.string(),
    /** Fields to post to `payment_url` unchanged; if there are none, the popup just opens the URL. */
    payment_data: z.record(z.string(), z.string()),
    transaction_id: z.string(),
    payment_reference: z.string(),
    amount_paid: money.describe('Amount due in major units.'),
    currency: z.string(),
    expires_at: timestamp,
  }),
  z.object({
    status: z.literal('not_found'),
    message: z.string(),
    payment_reference: z.null(),
    amount_paid: z.null(),
    suggestion,
  }),
  alreadyPaid,
])
export type InitiationReply = z.infer<typeof initiationReply>

/** One certificate of a payment: its result and its letter. */
export const statusItem = z.object({
  certificate_number: z.string(),
  /** The ID for `GET /verification/certificate/{id}`, once the certificate is paid for. */
  certificate_id: z.string().nullable(),
  amount: money.describe('Its share of the amount due.'),
  status: paymentStatus,
  verification_status: verificationStatus.nullable(),
  message: z.string(),
  resolution: resolution.nullable(),
  certificate: verifiedCertificate.nullable(),
  letter: letterLink.nullable(),
})
export type StatusItem = z.infer<typeof statusItem>

/**
 * A payment. For a bulk payment, the fields about one certificate refer to the certificate number in the query; if none was
 * given, `certificate`, `verification_template` and `letter` are null. `items` always lists every certificate.
 */
export const statusReply = z.object({
  status: paymentStatus,
  verification_status: verificationStatus.nullable(),
  message: z.string(),
  /** A payment error code, if the status is `failed`. */
  code: errorCode.optional(),
  resolution: resolution.nullable(),
  transaction_id: z.string(),
  certificate_number: z.string(),
  certificate: verifiedCertificate.nullable(),
  payment_reference: z.string(),
  amount_due: money.describe('Amount due.'),
  amount_paid: money.nullable(),
  tax: taxLine.optional().describe('The tax within `amount_due`; omitted if there is none.'),
  payer_fee: money
    .optional()
    .describe("The payment gateway's fee within `amount_paid`, if passed on to the payer."),
  refund_due: money.describe('Refund due.'),
  refunded: money.describe('Already refunded.'),
  refund_currency: z
    .string()
    .describe('Currency of the refund: the currency received, which may differ from the currency due.'),
  currency: z.string(),
  /** The gateway's own status of the payment. */
  bpms_status: z.string(),
  initiated_at: timestamp,
  expires_at: timestamp.nullable(),
  paid_at: timestamp.nullable(),
  authentication_date: timestamp.nullable(),
  verification_template: verificationTemplate.nullable(),
  letter: letterLink.nullable(),
  items: z.array(statusItem),
})
export type StatusReply = z.infer<typeof statusReply>

const certificateSummary = verifiedCertificate.pick({
  student_name: true,
  course: true,
  graduation_date: true,
  grade: true,
})

export const publicStatusReply = z.object({
  status: paymentStatus,
  payment_reference: z.string(),
  amount_paid: money.nullable(),
  currency: z.string(),
  certificate_number: z.string(),
  bpms_status: z.string(),
  verification_status: verificationStatus.nullable(),
  message: z.string(),
  code: errorCode.optional(),
  resolution: resolution.nullable(),
  refund_due: money.describe('Refund due.'),
  refunded: money.describe('Already refunded.'),
  refund_currency: z.string(),
  /** The certificate; null for a bulk payment, which has `items` instead. */
  certificate: certificateSummary.nullable(),
  items: z.array(
    z.object({
      certificate_number: z.string(),
      verification_status: verificationStatus.nullable(),
      certificate: certificateSummary.nullable(),
    }),
  ),
})
export type PublicStatusReply = z.infer<typeof publicStatusReply>

export const historyRecord = z.object({
  id: z.string(),
  certificate_number: z.string(),
  authenticated_at: timestamp,
  authentication_result: z.enum(['success', 'failed', 'pending']),
  payment_status: paymentStatus,
  /** A payment error code, if `payment_status` is `failed`. */
  code: errorCode.optional(),
  resolution: resolution.nullable(),
  amount_paid: money.nullable(),
  currency: z.string(),
  payment_reference: z.string(),
  bpms_transaction_id: z.string(),
  /** Number of certificates that the payment covers; `amount_paid` is this certificate's share. */
  payment_items: z.int(),
  can_try_again: z
    .boolean()
    .describe(
      'True if this attempt ended without a result, and the caller has neither a valid verification of the number nor an open payment for it.',
    ),
  certificate_details: certificateSummary.nullable(),
  letter: heldLetter.nullable(),
})
export type HistoryRecord = z.infer<typeof historyRecord>

const transactionParam = z.object({ id: field.transactionId() })
/** Selects a certificate of a bulk payment. */
const itemQuery = z.object({ certificate_number: filter(field.certificateNumber()) })

/** The institution's contact details, for the landing page and letters. */
export const institution = z.object({
  name: z.string(),
  short_name: z.string(),
  address: z.string(),
  logo: z.string().nullable(),
  support_email: z.string(),
  support_phones: z.array(z.string()),
  business_hours: z.string(),
})
export type Institution = z.infer<typeof institution>

export const verification = {
  checkCertificate: route({
    method: 'POST',
    path: '/verification/check-certificate',
    access: 'user',
    summary: 'Check whether a certificate number can be verified, or has already been paid for.',
    body: certificateQuery,
    reply: checkReply,
    refusals: ['CERTIFICATE_NOT_FOUND', 'LETTER_NOT_PRINTABLE'],
  }),
  processPayment: route({
    method: 'POST',
    path: '/verification/process-payment',
    access: 'user',
    summary: 'Start or resume the payment for one certificate. Honours Idempotency-Key.',
    body: certificateQuery,
    reply: initiationReply,
    refusals: ['IDEMPOTENCY_MISMATCH', 'LETTER_NOT_PRINTABLE', 'FEE_BELOW_MINIMUM'],
  }),
  checkStatus: route({
    method: 'GET',
    path: '/verification/check-verification-status/{id}',
    access: 'user',
    summary:
      'Status of a payment and its verification. While it is pending, the gateway is requeried at most every 5 s; in between, and if the gateway or the database does not answer, the last known status is returned.',
    params: transactionParam,
    query: itemQuery,
    reply: statusReply,
  }),
  paymentStatus: route({
    method: 'GET',
    path: '/verification/payment-status/{id}',
    access: 'user',
    summary: 'The same reply as `/verification/check-verification-status/{id}`, under another path.',
    params: transactionParam,
    query: itemQuery,
    reply: statusReply,
  }),
  publicPaymentStatus: route({
    method: 'GET',
    path: '/verification/public/payment-status/{id}',
    access: 'public',
    summary: 'Track a payment by its transaction ID, without an account.',
    params: transactionParam,
    reply: publicStatusReply,
  }),
  history: route({
    method: 'GET',
    path: '/verification/history',
    access: 'user',
    summary:
      'The caller’s verifications, newest first. `counters` cover all of them, regardless of the filters.',
    query: z.object(historyQuery),
    reply: z.object({
      history: z.array(historyRecord),
      pagination,
      /** Counts over the whole history, not only this page. */
      counters: z.object({ total: z.int(), successful: z.int(), not_found: z.int() }),
    }),
    csv: historyFile,
  }),
  statistics: route({
    method: 'GET',
    path: '/verification/statistics',
    access: 'user',
    summary: 'Totals of the caller’s paid verifications.',
    reply: z.object({
      statistics: z.object({
        total_verifications: z.int(),
        successful_verifications: z.int(),
        failed_verifications: z.int(),
        success_rate: z.number().describe('Percent, to one decimal place.'),
        total_amount_spent: money,
      }),
      currency: z.string(),
    }),
  }),
  settings: route({
    method: 'GET',
    path: '/verification/settings',
    access: 'public',
    summary: "The verification fee and the institution's contact details.",
    reply: z.object({
      verification_fee: money,
      currency: z.string(),
      tax: taxLine.optional().describe('Included in the fee; omitted if there is none.'),
      institution,
      /** Payment methods to show, by the gateway's names; empty if only the gateway knows them. */
      payment_methods: z.array(z.string()).optional(),
      test_payments: z
        .boolean()
        .optional()
        .describe('True if payments go to the sandbox gateway: no money moves.'),
    }),
  }),
}
