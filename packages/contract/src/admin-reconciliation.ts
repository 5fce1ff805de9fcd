import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { refund, refundBank, refundStatuses } from './refunds.ts'
import { route } from './route.ts'
import { choice, filter, idParam, money, pageQuery, pagination, timestamp } from './shapes.ts'
import { statusReply } from './verification.ts'

/** Kinds of differences between the ledger and the gateway. */
export const mismatchKinds = [
  /** The payment is in the ledger but not at the gateway. */
  'missing_at_gateway',
  /** The payment is at the gateway but not in the portal. */
  'missing_here',
  'status_differs',
  'amount_differs',
  /** The gateway sent no usable response. */
  'unanswered',
] as const
export type MismatchKind = (typeof mismatchKinds)[number]

export const mismatch = z.object({
  /** Null if the payment is not in the portal. */
  transaction_id: z.string().nullable(),
  payment_reference: z.string(),
  kind: z.enum(mismatchKinds),
  /** The status in the portal and at the gateway; null where unknown. */
  ours: z.string().nullable(),
  gateways: z.string().nullable(),
  amount_ours: money.nullable(),
  amount_gateway: money.nullable(),
  message: z.string(),
})
export type Mismatch = z.infer<typeof mismatch>

export const reconciliationResult = z.object({
  processed_count: z.int().describe('Payments that were compared with the gateway.'),
  updated_count: z.int().describe('Payments whose status changed.'),
  /** Differences that could not be corrected; at most 1,000. */
  mismatches: z.array(mismatch),
})
export type ReconciliationResult = z.infer<typeof reconciliationResult>

export const reconciliation = z.object({
  id: z.string(),
  /** The UTC day that was reconciled. */
  date: z.string(),
  started_at: timestamp,
  /** Null while it is running. */
  finished_at: timestamp.nullable(),
  /** The staff member who started it; null for the nightly run. */
  by_email: z.string().nullable(),
  mismatch_count: z.int(),
  ...reconciliationResult.shape,
})
export type Reconciliation = z.infer<typeof reconciliation>

export const ledgerAccounts = [
  'gateway_clearing',
  /** The institution's bank account, for refunds made by bank transfer rather than by the gateway. */
  'bank',
  'revenue',
  'unapplied_receipts',
  'organisation_balances',
  'organisation_debts',
  'refund_payable',
  'fees',
  /** Amounts in open disputes. */
  'disputes',
] as const

export const ledgerEntry = z.object({
  id: z.int(),
  transaction_id: z.string(),
  payment_reference: z.string(),
  account: z.enum(ledgerAccounts),
  /** Debits are positive, credits negative. */
  amount: money,
  currency: z.string(),
  /** Why the entry was made. */
  reason: z.string(),
  at: timestamp,
})
export type LedgerEntry = z.infer<typeof ledgerEntry>

const statusTotal = z.object({ count: z.int(), amount: money })

export const adminReconciliation = {
  reconcileDay: route({
    method: 'POST',
    path: '/admin/bpms/reconcile',
    access: 'admin',
    summary:
      'Compare every payment started on a UTC day with the gateway, in both directions, and correct differences. Safe ' +
      'to repeat; it continues if the caller disconnects. With `Accept: application/x-ndjson`: progress lines, then the result.',
    body: z.object({ date: field.date('Please choose a date.') }),
    reply: reconciliationResult,
    media: ['application/x-ndjson'],
  }),
  reconcileOne: route({
    method: 'POST',
    path: '/admin/bpms/reconcile/{transaction_id}',
    access: 'admin',
    summary: 'Compare one payment with the gateway and correct differences.',
    params: z.object({ transaction_id: field.transactionId() }),
    reply: statusReply
      .pick({
        transaction_id: true,
        payment_reference: true,
        status: true,
        resolution: true,
        amount_due: true,
        amount_paid: true,
        refund_due: true,
        refunded: true,
        currency: true,
        bpms_status: true,
      })
      .extend({
        /** For example 'Transaction N reconciled successfully.' */
        message: z.string(),
        /** True if the status changed. */
        updated: z.boolean(),
        mismatches: z.array(mismatch),
      }),
    refusals: ['REQUERY_FAILED'],
  }),
  runs: route({
    method: 'GET',
    path: '/admin/reconciliations',
    access: 'admin',
    summary: 'Reconciliations, nightly and started by staff, newest first.',
    query: z.object(pageQuery(20)),
    reply: z.object({ reconciliations: z.array(reconciliation), pagination }),
  }),
  refunds: route({
    method: 'GET',
    path: '/admin/refunds',
    access: 'admin',
    summary: 'Refunds, newest first.',
    query: z.object({
      status: choice(refundStatuses),
      /** A transaction ID or its prefix, or a payment reference. */
      search: filter(field.transactionId()),
      ...pageQuery(20),
    }),
    reply: z.object({
      refunds: z.array(refund),
      /**
       * Totals over all refunds, regardless of the filter. Amounts are in naira; refunds in other currencies are only counted.
       */
      summary: z.record(z.enum(refundStatuses), statusTotal),
      pagination,
    }),
    csv: {
      title: 'Refunds',
      file: 'refunds',
      money: ['amount'],
      columns: [
        'id',
        'transaction_id',
        'payment_reference',
        'email',
        'amount',
        'currency',
        'reason',
        'status',
        'provider',
        'gateway_refund_id',
        'bank_reference',
        'attempts',
        'note',
        'approved_by',
        'approved_at',
        'processed_at',
        'created_at',
        'updated_at',
      ],
    },
  }),
  approveRefund: route({
    method: 'POST',
    path: '/admin/refunds/{id}/approve',
    access: 'super_admin',
    summary:
      'Approve a refund, or approve it again after it failed. Gateways that make refunds are instructed; ' +
      'for others, and once it needs attention, the reference of the bank refund is required. One reference may be used ' +
      'for several refunds of one payment, never for two payments.',
    params: idParam,
    body: z.object({
      bank_reference: z
        .string()
        .trim()
        .max(64, 'Please use at most 64 characters.')
        .nullish()
        .transform(value => value || null),
    }),
    reply: z.object({ message: z.string(), refund }),
    refusals: ['PAYMENT_DISPUTED'],
  }),
  refundBanks: route({
    method: 'GET',
    path: '/admin/refunds/{id}/banks',
    access: 'super_admin',
    summary: 'Banks to which the gateway can pay this refund; empty if it takes no bank account.',
    params: idParam,
    reply: z.object({ banks: z.array(refundBank) }),
    refusals: ['GATEWAY_UNAVAILABLE'],
  }),
  refundAccountName: route({
    method: 'POST',
    path: '/admin/refunds/{id}/account-name',
    access: 'super_admin',
    summary: 'The name of a bank account, to confirm with the payer before money is sent. Nothing is stored.',
    params: idParam,
    body: z.object({
      bank_code: z.string('Please choose a bank.').trim().min(1, 'Please choose a bank.').max(20),
      account_number: field.bankAccountNumber(),
    }),
    reply: z.object({
      account_name: z.string().nullable().describe('Null if the gateway does not know it.'),
    }),
    refusals: ['GATEWAY_UNAVAILABLE'],
  }),
  retryRefund: route({
    method: 'POST',
    path: '/admin/refunds/{id}/retry',
    access: 'super_admin',
    summary:
      "Have the gateway pay a refund that needs attention to the payer's bank account. The gateway is asked for the " +
      "refund's status first, so repeated calls pay only once. The account is sent to the gateway and never stored.",
    params: idParam,
    body: z.object({
      bank_id: z.string('Please choose a bank.').trim().min(1, 'Please choose a bank.').max(20),
      account_number: field.bankAccountNumber(),
    }),
    reply: z.object({ message: z.string(), refund }),
    refusals: ['GATEWAY_UNAVAILABLE'],
  }),
  ledger: route({
    method: 'GET',
    path: '/admin/ledger',
    access: 'admin',
    summary: 'The double-entry ledger, newest first, with the balance of each account for the filter.',
    query: z.object({
      account: choice(ledgerAccounts),
      transaction_id: filter(field.transactionId()),
      date_from: filter(field.date()),
      date_to: filter(field.date()),
      ...pageQuery(50),
    }),
    reply: z.object({
      entries: z.array(ledgerEntry),
      balances: z.array(z.object({ account: z.enum(ledgerAccounts), currency: z.string(), balance: money })),
      pagination,
    }),
    csv: {
      title: 'Ledger',
      file: 'ledger',
      money: ['amount'],
      columns: ['id', 'transaction_id', 'payment_reference', 'account', 'amount', 'currency', 'reason', 'at'],
    },
  }),
}
