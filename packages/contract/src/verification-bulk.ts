import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { money, timestamp } from './shapes.ts'
import { suggestion } from './verification.ts'

/** Maximum number of certificates in one bulk verification. */
export const BULK_MAX = 500

export const bulkStatuses = [
  'payment_required',
  'already_paid',
  'not_found',
  'invalid',
  /** Not checked, because too many unknown numbers were looked up in the last hour. */
  'limited',
  /** A payment for it is in progress; it is not charged again. */
  'pending',
] as const
export type BulkStatus = (typeof bulkStatuses)[number]

export const bulkResult = z.object({
  /** The normalised number; each appears only once in the results. */
  certificate_number: z.string(),
  status: z.enum(bulkStatuses),
  message: z.string().optional(),
  suggestion,
  /** The payment that covers it, for `already_paid` and `pending`. */
  transaction_id: z.string().optional(),
  authentication_date: timestamp.optional(),
})
export type BulkResult = z.infer<typeof bulkResult>

export const bulkSummary = z.object({
  /** How many numbers were submitted, and how many of them are duplicates. */
  given: z.int(),
  duplicates: z.int(),
  /** How many distinct numbers were submitted, which is the number of results. */
  total: z.int(),
  payment_required: z.int(),
  already_paid: z.int(),
  not_found: z.int(),
  invalid: z.int(),
  limited: z.int(),
  pending: z.int(),
})
export type BulkSummary = z.infer<typeof bulkSummary>

export const bulkNumbers = z.object({
  certificate_numbers: z
    .array(z.string({ error: 'Please give each certificate number as text.' }), {
      error: 'Please give the certificate numbers as a list.',
    })
    .min(1, { error: 'Please enter a certificate number.' })
    .max(BULK_MAX, { error: `Please enter at most ${BULK_MAX} certificate numbers at a time.` }),
})

const resultFields = { results: z.array(bulkResult), summary: bulkSummary }

export const bulkCheckReply = z.object({
  ...resultFields,
  amount_due: money.describe('Total for all numbers that need a payment, in major units.'),
  currency: z.string(),
})
export type BulkCheckReply = z.infer<typeof bulkCheckReply>

export const bulkInitiationReply = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('payment_initiated'),
    payment_url: z.string(),
    /** Fields to post to `payment_url` unchanged, as for `process-payment`. */
    payment_data: z.record(z.string(), z.string()),
    transaction_id: z.string(),
    payment_reference: z.string(),
    amount_paid: money.describe('Amount due in major units.'),
    currency: z.string(),
    expires_at: timestamp,
    /** Certificates that this payment covers. */
    items: z.array(z.object({ certificate_number: z.string(), amount: money })),
    ...resultFields,
  }),
  z.object({
    /**
     * Nothing has to be paid: `already_paid` if at least one of the numbers has already been paid for, otherwise `not_found`.
     */
    status: z.enum(['already_paid', 'not_found']),
    message: z.string(),
    /** The transaction, if this call completed verifications for a fee of 0. */
    transaction_id: z.string().optional(),
    payment_reference: z.null(),
    amount_paid: z.null(),
    ...resultFields,
  }),
])
export type BulkInitiationReply = z.infer<typeof bulkInitiationReply>

export const bulkVerification = {
  check: route({
    method: 'POST',
    path: '/verification/verify-bulk',
    access: 'user',
    summary: `Check up to ${BULK_MAX} certificate numbers: which can be verified, and what that costs.`,
    body: bulkNumbers,
    reply: bulkCheckReply,
  }),
  pay: route({
    method: 'POST',
    path: '/verification/process-bulk-payment',
    access: 'user',
    summary: 'Start or resume one payment for all numbers that need one. Honours Idempotency-Key.',
    body: bulkNumbers,
    reply: bulkInitiationReply,
    refusals: ['IDEMPOTENCY_MISMATCH', 'LETTER_NOT_PRINTABLE', 'FEE_BELOW_MINIMUM'],
  }),
}
