import './zod-setup.ts'
import * as z from 'zod'
import { errorCodes } from './errors.ts'
import * as field from './fields.ts'
import { amountBetween, balanceFields, organisationParams } from './organisation-shapes.ts'
import { route } from './route.ts'
import { idParam, money, pageQuery, pagination, timestamp } from './shapes.ts'
import { initiationReply, paymentStatus, resolution } from './verification.ts'

/* Balance, top-ups, invoices and statements of an organisation. */

/** Limits of a top-up, in major units. */
const TOPUP_LIMITS = { min: 1000, max: 10_000_000 } as const

export const topupAmount = () =>
  amountBetween(
    TOPUP_LIMITS.min,
    TOPUP_LIMITS.max,
    'Please enter an amount between 1,000.00 and 10,000,000.00.',
  )

export const movementTypes = [
  'topup',
  'bank_credit',
  'charge',
  'charge_returned',
  'payout',
  'credit_reversed',
  'chargeback',
  'debt_settled',
] as const

export const movement = z.object({
  id: z.string(),
  type: z.enum(movementTypes),
  amount: money.describe('Positive for credits, negative for debits.'),
  balance_after: money,
  at: timestamp,
  description: z.string(),
  transaction_id: z.string(),
})
export type Movement = z.infer<typeof movement>

export const topup = z.object({
  transaction_id: z.string(),
  payment_reference: z.string(),
  status: paymentStatus,
  code: z.enum(errorCodes).optional(),
  resolution: resolution.nullable(),
  message: z.string(),
  amount_due: money,
  amount_paid: money.nullable(),
  currency: z.string(),
  initiated_at: timestamp,
  expires_at: timestamp.nullable(),
  paid_at: timestamp.nullable(),
})
export type Topup = z.infer<typeof topup>

export const invoiceStates = ['open', 'paid', 'cancelled', 'expired'] as const

export const invoice = z.object({
  id: z.string(),
  number: z.string(),
  amount: money,
  currency: z.string(),
  state: z.enum(invoiceStates),
  due_on: z.string(),
  created_at: timestamp,
  paid_at: timestamp.nullable(),
  bank_details: z.array(z.string()),
})
export type Invoice = z.infer<typeof invoice>

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/
export const month = z.string().regex(MONTH, { error: 'Please enter a month as YYYY-MM.' })

export const statement = z.object({
  month: z.string(),
  opening: money,
  credits: money,
  debits: money,
  closing: money,
  currency: z.string(),
  final: z.boolean().describe('False for the current month.'),
})
export type Statement = z.infer<typeof statement>

export const organisationBilling = {
  balance: route({
    method: 'GET',
    path: '/organisations/{id}/balance',
    access: 'user',
    summary: 'The balance; `available` is `balance - held`.',
    params: idParam,
    reply: z.object(balanceFields),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  setAlert: route({
    method: 'PUT',
    path: '/organisations/{id}/balance',
    access: 'user',
    summary: 'Set the low-balance alert; null turns it off.',
    params: idParam,
    body: z.object({
      low_balance_alert: amountBetween(0, 1_000_000_000, 'Please enter an amount of at least 0.').nullable(),
    }),
    reply: z.object(balanceFields),
    refusals: ['ORGANISATION_NOT_FOUND', 'ORGANISATION_SUSPENDED', 'WRONG_STATE'],
  }),
  movements: route({
    method: 'GET',
    path: '/organisations/{id}/movements',
    access: 'user',
    summary: 'Movements of the balance, newest first.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: z.object({ movements: z.array(movement), pagination }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  startTopup: route({
    method: 'POST',
    path: '/organisations/{id}/topups',
    access: 'user',
    summary:
      'Start a top-up by card. Repeating the amount while the attempt is open returns the same attempt. Honours Idempotency-Key.',
    params: idParam,
    body: z.object({ amount: topupAmount() }),
    reply: initiationReply.options[0],
    status: 201,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'GATEWAY_UNAVAILABLE',
      'FEE_BELOW_MINIMUM',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
      'IDEMPOTENCY_MISMATCH',
    ],
  }),
  topups: route({
    method: 'GET',
    path: '/organisations/{id}/topups',
    access: 'user',
    summary: 'Top-ups by card, newest first.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: z.object({ topups: z.array(topup), pagination }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  topup: route({
    method: 'GET',
    path: '/organisations/{id}/topups/{transaction_id}',
    access: 'user',
    summary: 'Status of a top-up; requeries the gateway at most every 5 s while it is open.',
    params: organisationParams({ transaction_id: field.transactionId() }),
    reply: topup.extend({ balance: money }),
    refusals: ['ORGANISATION_NOT_FOUND', 'TRANSACTION_NOT_FOUND'],
  }),
  invoices: route({
    method: 'GET',
    path: '/organisations/{id}/invoices',
    access: 'user',
    summary: 'Invoices, newest first.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: z.object({ invoices: z.array(invoice), pagination }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  createInvoice: route({
    method: 'POST',
    path: '/organisations/{id}/invoices',
    access: 'user',
    summary:
      'Create a pro-forma invoice for a top-up by bank transfer, due in 60 days. Honours Idempotency-Key.',
    params: idParam,
    body: z.object({ amount: topupAmount() }),
    reply: z.object({ invoice }),
    status: 201,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'BANK_DETAILS_MISSING',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
  }),
  cancelInvoice: route({
    method: 'POST',
    path: '/organisations/{id}/invoices/{inv}/cancel',
    access: 'user',
    summary: 'Cancel an open invoice.',
    params: organisationParams({ inv: z.string().max(64) }),
    reply: z.object({ message: z.string(), invoice }),
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE', 'ORGANISATION_SUSPENDED'],
  }),
  invoicePdf: route({
    method: 'GET',
    path: '/organisations/{id}/invoices/{inv}.pdf',
    access: 'user',
    summary: 'An invoice as PDF.',
    params: organisationParams({
      inv: z
        .string()
        .max(70)
        .transform(value => value.replace(/\.pdf$/, '')),
    }),
    reply: z.string(),
    media: ['application/pdf'],
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  statements: route({
    method: 'GET',
    path: '/organisations/{id}/statements',
    access: 'user',
    summary: 'Monthly statements in the time zone of the institution, newest first.',
    params: idParam,
    reply: z.object({ statements: z.array(statement) }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  // Placed before `statement`, whose path would also match.
  statementPdf: route({
    method: 'GET',
    path: '/organisations/{id}/statements/{month}.pdf',
    access: 'user',
    summary: 'The statement of a month as PDF.',
    params: organisationParams({
      month: z
        .string()
        .transform(value => value.replace(/\.pdf$/, ''))
        .pipe(month),
    }),
    reply: z.string(),
    media: ['application/pdf'],
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  statement: route({
    method: 'GET',
    path: '/organisations/{id}/statements/{month}',
    access: 'user',
    summary:
      'The statement of a month: `opening + credits - debits = closing`, and the sum of the lines is the difference.',
    params: organisationParams({ month }),
    query: z.object(pageQuery(50)),
    reply: z.object({ statement, lines: z.array(movement), pagination }),
    csv: {
      title: 'Statement',
      file: 'statement',
      namedAfter: 'month',
      money: ['amount', 'balance_after'],
      columns: ['at', 'type', 'description', 'amount', 'balance_after', 'transaction_id'],
    },
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
}
