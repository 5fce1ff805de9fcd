import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { choice, filter, idParam, money, pageQuery, pagination, timestamp } from './shapes.ts'

export const settlementLineKinds = ['payment', 'refund', 'chargeback', 'adjustment'] as const
export type SettlementLineKind = (typeof settlementLineKinds)[number]

/** Kinds of differences between a settlement and the ledger. */
export const differenceKinds = [
  /** Paid in the ledger but not paid out by the gateway in time. */
  'not_settled',
  /** Paid out for a payment that is not in the portal. */
  'unknown_here',
  'amount_differs',
  /** The gateway deducted a different fee from the one it had reported; the ledger now has the deducted fee. */
  'fee_differs',
  /** A refund, chargeback or other deduction that is not in the ledger. */
  'deduction',
  /** The payout differs from the sum of its lines. */
  'total_differs',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/** `resolved`: settlement and ledger now agree; `explained`: staff added a reason. */
export const differenceStates = ['open', 'explained', 'resolved'] as const
export type DifferenceState = (typeof differenceStates)[number]

/** Columns of an uploaded report, each with its accepted names; case and punctuation are ignored. */
export const settlementColumns = {
  reference: [
    'reference',
    'reference number',
    'transaction reference',
    'payment reference',
    'merchant reference',
    'txn ref',
    'request id',
  ],
  amount: ['amount', 'amount paid', 'amount paid by your customer', 'transaction amount', 'gross amount'],
  fee: ['fee', 'fees', 'transaction fee', 'paystack fee', 'paystack fees', 'charges'],
  net: [
    'net',
    'net amount',
    'amount due',
    'amount due to the merchant',
    'amount settled',
    'settlement amount',
  ],
  type: ['type', 'transaction type'],
  settlement: ['settlement', 'settlement id', 'settlement reference', 'payout id', 'batch'],
  settled_on: ['settled on', 'settlement date', 'payout date'],
  currency: ['currency'],
} as const
export type SettlementColumn = keyof typeof settlementColumns

/** Maximum number of rows in a report, and its maximum size in bytes. */
export const MAX_SETTLEMENT_ROWS = 20_000
export const MAX_SETTLEMENT_FILE_BYTES = 5_000_000

export const settlement = z.object({
  id: z.string(),
  provider: z.string(),
  /** The gateway's name for the payout. */
  reference: z.string(),
  settled_on: timestamp,
  currency: z.string(),
  lines: z.int(),
  /** Sums over the lines, net of deductions. */
  amount: money,
  fees: money,
  net: money,
  /** Total paid out, as reported by the gateway; null if not reported. */
  stated: money.nullable(),
  source: z.enum(['api', 'file']),
  file_name: z.string().nullable(),
  by_email: z.string().nullable(),
  created_at: timestamp,
  open_differences: z.int(),
})
export type Settlement = z.infer<typeof settlement>

export const settlementLine = z.object({
  id: z.int(),
  kind: z.enum(settlementLineKinds),
  reference: z.string(),
  /** Null if the payment is not in the portal. */
  transaction_id: z.string().nullable(),
  amount: money,
  /** Null if the report does not state it. */
  fee: money.nullable(),
  net: money,
})
export type SettlementLine = z.infer<typeof settlementLine>

export const settlementDifference = z.object({
  id: z.string(),
  kind: z.enum(differenceKinds),
  state: z.enum(differenceStates),
  provider: z.string(),
  reference: z.string(),
  settlement_id: z.string().nullable(),
  settlement_reference: z.string().nullable(),
  transaction_id: z.string().nullable(),
  currency: z.string(),
  /** Amounts in the ledger and in the settlement; null where missing. */
  expected: money.nullable(),
  found: money.nullable(),
  found_at: timestamp,
  resolved_at: timestamp.nullable(),
  explained_at: timestamp.nullable(),
  explained_by: z.string().nullable(),
  note: z.string().nullable(),
})
export type SettlementDifference = z.infer<typeof settlementDifference>

export const differenceNote = z.object({
  note: field.requiredText('Please explain the difference.', 500),
})

export const settlementUpload = z.object({
  message: z.string(),
  rows: z.int().describe('Rows of the file.'),
  added: z.int().describe('New rows.'),
  unchanged: z.int().describe('Rows imported before.'),
  failed: z.int(),
  settlements: z.int().describe('Settlements in the file.'),
  open_differences: z.int().describe('Unexplained differences of these settlements.'),
  /** Why rows were skipped; at most 1,000 rows are listed. */
  errors: z.array(z.object({ line: z.int(), message: z.string() })),
})
export type SettlementUpload = z.infer<typeof settlementUpload>

const provider = filter(z.string().trim().max(40))

export const adminSettlements = {
  list: route({
    method: 'GET',
    path: '/admin/settlements',
    access: 'admin',
    summary: 'Payouts of payment gateways to the bank account, newest first.',
    query: z.object({
      provider,
      date_from: filter(field.date()),
      date_to: filter(field.date()),
      ...pageQuery(20),
    }),
    reply: z.object({ settlements: z.array(settlement), pagination }),
    csv: {
      title: 'Settlements',
      file: 'settlements',
      money: ['amount', 'fees', 'net', 'stated'],
      columns: [
        'id',
        'provider',
        'reference',
        'settled_on',
        'currency',
        'lines',
        'amount',
        'fees',
        'net',
        'stated',
        'source',
        'file_name',
        'by_email',
        'created_at',
        'open_differences',
      ],
    },
  }),
  lines: route({
    method: 'GET',
    path: '/admin/settlements/{id}/lines',
    access: 'admin',
    summary: 'A settlement and its lines, in the order of the report.',
    params: idParam,
    query: z.object(pageQuery(50)),
    reply: z.object({ settlement, lines: z.array(settlementLine), pagination }),
  }),
  upload: route({
    method: 'POST',
    path: '/admin/settlements/upload',
    access: 'admin',
    summary:
      "Match a gateway's settlement report with the ledger: a CSV file with a header, amounts in naira. Rows with " +
      'errors are skipped and reported; uploading the same file again changes nothing.',
    query: z.object({
      provider: z.string('Please choose the gateway.').trim().min(1, 'Please choose the gateway.').max(40),
      /** Values to use if the report lacks these columns. */
      reference: filter(z.string().trim().max(100)),
      settled_on: filter(field.date()),
    }),
    multipart: 'file',
    reply: settlementUpload,
    refusals: ['INVALID_CSV'],
  }),
  differences: route({
    method: 'GET',
    path: '/admin/settlement-differences',
    access: 'admin',
    summary: 'Differences between settlements and the ledger, newest first.',
    query: z.object({
      state: choice(differenceStates),
      kind: choice(differenceKinds),
      /** A payment reference, transaction ID, or settlement name. */
      search: z.string().trim().max(100).default(''),
      ...pageQuery(20),
    }),
    reply: z.object({
      differences: z.array(settlementDifference),
      /** Number of open differences, ignoring the filter. */
      open: z.int(),
      /** Gateways that accept uploaded reports. */
      providers: z.array(z.string()),
      pagination,
    }),
    csv: {
      title: 'Settlement differences',
      file: 'settlement_differences',
      money: ['expected', 'found'],
      columns: [
        'id',
        'kind',
        'state',
        'provider',
        'reference',
        'settlement_id',
        'settlement_reference',
        'transaction_id',
        'currency',
        'expected',
        'found',
        'found_at',
        'resolved_at',
        'explained_at',
        'explained_by',
        'note',
      ],
    },
  }),
  explain: route({
    method: 'POST',
    path: '/admin/settlement-differences/{id}/explain',
    access: 'admin',
    summary:
      'Mark a difference as explained, with a note; another note replaces it. The activity log keeps both.',
    params: idParam,
    body: differenceNote,
    reply: z.object({ message: z.string(), difference: settlementDifference }),
  }),
}
