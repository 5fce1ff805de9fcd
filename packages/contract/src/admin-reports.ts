import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { caseInsensitiveChoice, filter, money, pageQuery, pagination, timestamp } from './shapes.ts'
import { staffTransaction, transactionStatuses } from './transactions.ts'
import { paymentStatus } from './verification.ts'

/** Result of a verification; `failed` means that it was paid for and found no certificate, or that it was not paid for. */
export const authenticationResults = ['success', 'failed', 'pending'] as const
export type AuthenticationResult = (typeof authenticationResults)[number]

/** Default length of a report's period in days (specification, section 9). */
export const REPORT_DAYS = 30

/** One verified certificate. Amounts are in major units. */
export const authentication = z.object({
  id: z.string(),
  user: z.object({ email: z.string(), firstname: z.string(), lastname: z.string() }),
  organisation: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('The organisation whose balance paid; null for personal payments.'),
  certificate_number: z.string(),
  payment_status: paymentStatus,
  /** What was paid for this certificate; in a bulk payment, its share. */
  amount_paid: money.nullable(),
  payment_reference: z.string(),
  authentication_result: z.enum(authenticationResults),
  /** When the result was delivered, or, before that, when the verification was started. */
  authenticated_at: timestamp,
  bpms_transaction_id: z.string(),
})
export type Authentication = z.infer<typeof authentication>

const period = { date_from: filter(field.date()), date_to: filter(field.date()) }

/** Totals of a period of UTC days, both inclusive. */
export const report = z.object({
  date_from: z.string(),
  date_to: z.string(),
  currency: z.string(),
  /** Verifications that were paid for and delivered in the period; each is either `successful` or `not_found`. */
  verifications: z.int(),
  successful: z.int(),
  not_found: z.int(),
  /** Percentage of verifications that found a certificate, to one decimal place; 0 if there are no verifications. */
  success_rate: z.number(),
  /** Net of reversals. */
  revenue: money,
  tax: money.optional().describe('The tax within `revenue`; omitted if none was ever set.'),
  gateway_fees: money
    .optional()
    .describe('Gateway fees of the period, less those passed on to payers; omitted if none were reported.'),
  /** Payments started in the period. */
  payments: z.array(
    z.object({
      status: paymentStatus,
      count: z.int(),
      amount_due: money,
      /** Amount received; 0 for statuses other than paid. */
      amount_paid: money,
    }),
  ),
  /** All refunds that are currently due, regardless of the period; those in currencies other than naira are only counted. */
  refunds_due: z.object({ count: z.int(), amount: money }),
})
export type Report = z.infer<typeof report>

export const adminReports = {
  authentications: route({
    method: 'GET',
    path: '/admin/authentications',
    access: 'admin',
    summary:
      'All verifications, newest first. `status` is their result; `search` is the start of a certificate number, ' +
      'transaction ID or email address, or a payment reference.',
    query: z.object({
      status: caseInsensitiveChoice(authenticationResults),
      ...period,
      search: field.searchText().default(''),
      certificate_number: filter(z.string().trim().toUpperCase().max(100)).describe('Exactly this number.'),
      user_id: filter(z.string().max(64)),
      organisation_id: filter(z.string().max(64)),
      ...pageQuery(20),
    }),
    reply: z.object({ authentications: z.array(authentication), pagination }),
    csv: {
      title: 'Verifications',
      file: 'authentications',
      money: ['amount_paid'],
      columns: [
        'id',
        'user_email',
        'user_firstname',
        'user_lastname',
        'certificate_number',
        'payment_status',
        'amount_paid',
        'payment_reference',
        'authentication_result',
        'authenticated_at',
        'bpms_transaction_id',
      ],
      optional: ['organisation_name'],
    },
  }),
  transactions: route({
    method: 'GET',
    path: '/admin/bpms/transactions',
    access: 'admin',
    summary: 'All payments with the provider’s fields, newest first.',
    query: z.object({
      /** PAID, PENDING, FAILED (or APPROVED, CANCELLED, EXPIRED, PROCESSING), in upper or lower case. */
      status: caseInsensitiveChoice(transactionStatuses),
      ...period,
      /** A transaction ID or its prefix, or a payment reference; `search` is an alias. */
      transaction_id: filter(field.transactionId()),
      search: filter(field.transactionId()),
      ...pageQuery(50),
    }),
    reply: z.object({ transactions: z.array(staffTransaction), pagination }),
    csv: {
      title: 'Transactions',
      file: 'transactions',
      money: ['amount_due', 'amount_paid'],
      columns: [
        'transid',
        'regnum',
        'sname',
        'fname',
        'email',
        'currency',
        'amount_due',
        'amount_paid',
        'status_desc',
        'created_at',
        'updated_at',
        'transaction_id',
        'payment_reference',
        'items',
        'status',
      ],
      optional: ['tax_name', 'tax_basis_points', 'tax_amount'],
    },
  }),
  summary: route({
    method: 'GET',
    path: '/admin/bpms/reports',
    access: 'admin',
    summary: 'Totals of a period; the last 30 days by default.',
    query: z.object(period),
    reply: z.object({ report }),
  }),
}
