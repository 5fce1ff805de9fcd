import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { letterLink } from './letter.ts'
import { route } from './route.ts'
import {
  caseInsensitiveChoice,
  countQuery,
  filter,
  idParam,
  money,
  timestamp,
  verifiedCertificate,
} from './shapes.ts'
import { taxLine } from './tax.ts'
import { paymentStatus, statusReply } from './verification.ts'

/** Values of the status filter of `transactions/search`, in any case: the statuses of the portal and of the gateway. */
export const transactionStatuses = [
  'paid',
  'pending',
  'failed',
  'approved',
  'cancelled',
  'expired',
  'processing',
] as const

/** A payment, with the provider's field names and with the portal's. Amounts are in major units. */
export const transactionRecord = z.object({
  transaction_id: z.string(),
  /** The transaction ID again, under the provider's name for it. */
  transid: z.string(),
  payment_reference: z.string(),
  /** The certificate number; for a bulk payment, the first certificate number. */
  regnum: z.string(),
  items: z.int().describe('Number of certificates covered by the payment.'),
  sname: z.string(),
  fname: z.string(),
  email: z.string(),
  currency: z.string(),
  amount_due: money,
  amount_paid: money.nullable(),
  status: paymentStatus,
  /** The gateway's own status, in uppercase. */
  status_desc: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type TransactionRecord = z.infer<typeof transactionRecord>

/** A payment as staff see it, with additional fields that are omitted if empty. */
export const staffTransaction = transactionRecord.extend({
  tax: taxLine.optional().describe('The tax within `amount_due`.'),
  payer_fee: money
    .optional()
    .describe("The payment gateway's fee within `amount_paid`, if passed on to the payer."),
  gateway_fee: money.optional().describe("The payment gateway's fee, as last reported."),
})
export type StaffTransaction = z.infer<typeof staffTransaction>

export const transactionEvent = z.object({
  id: z.int(),
  /** The status that the payment reached, or an observation that did not change it, such as `failed_after_paid`. */
  type: z.string(),
  from_status: z.string().nullable(),
  to_status: z.string().nullable(),
  /** What triggered the event: user, webhook, return, scheduler or reconcile. */
  source: z.string(),
  amount: money.nullable(),
  /** The gateway's own code. */
  code: z.string().nullable(),
  at: timestamp,
})
export type TransactionEvent = z.infer<typeof transactionEvent>

const counts = z.object({
  processed_count: z.int().describe('Payments requeried at the gateway.'),
  updated_count: z.int().describe('Payments whose status changed.'),
})

const transactionParam = z.object({ id: field.transactionId() })

export const transactions = {
  certificate: route({
    method: 'GET',
    path: '/verification/certificate/{id}',
    access: 'user',
    summary: 'A certificate that the caller paid for, by its ID, as delivered.',
    params: idParam,
    reply: z.object({
      certificate: verifiedCertificate.extend({ id: z.string() }),
      authentication_date: timestamp,
      transaction_id: z.string(),
      letter: letterLink.nullable(),
    }),
  }),
  requery: route({
    method: 'POST',
    path: '/verification/bpms/check/{id}',
    access: 'user',
    summary:
      "Requery a payment at the gateway: the caller's own, or any for admins. At most once every 5 s per payment.",
    params: transactionParam,
    reply: statusReply,
    refusals: ['REQUERY_FAILED'],
  }),
  requeryAllPending: route({
    method: 'POST',
    path: '/verification/bpms/check-all-pending',
    access: 'user',
    summary: "Requery pending payments at the gateway: the caller's own, or all for admins, in batches.",
    reply: counts,
  }),
  search: route({
    method: 'GET',
    path: '/verification/transactions/search',
    access: 'user',
    summary: "Payments, newest first: the caller's own, or all for admins.",
    query: z.object({
      limit: countQuery(100, 50),
      status: caseInsensitiveChoice(transactionStatuses),
      /** A transaction ID or its prefix, or a payment reference. */
      transaction_id: filter(field.transactionId()),
      date_from: filter(field.date()),
      date_to: filter(field.date()),
    }),
    reply: z.object({
      transactions: z.array(transactionRecord),
      count: z.int().describe('Total matches; at most `limit` are listed.'),
    }),
  }),
  logs: route({
    method: 'GET',
    path: '/verification/transactions/{id}/logs',
    access: 'user',
    summary: "The history of a payment, newest first: the caller's own, or any for admins.",
    params: transactionParam,
    reply: z.object({ transaction_id: z.string(), logs: z.array(transactionEvent) }),
  }),
  bulkCheck: route({
    method: 'POST',
    path: '/verification/admin/bulk-check',
    access: 'admin',
    summary: 'Requery every pending payment at the gateway, in batches.',
    reply: counts,
  }),
}
