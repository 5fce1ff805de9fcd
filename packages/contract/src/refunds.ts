import './zod-setup.ts'
import * as z from 'zod'
import { money, timestamp } from './shapes.ts'

/* Refunds to payers, as shown to staff. */

export const refundStatuses = ['due', 'approved', 'processed', 'failed', 'needs_attention'] as const
export type RefundStatus = (typeof refundStatuses)[number]
export const refundReasons = [
  'mismatch',
  'certificate_vanished',
  'duplicate',
  /** The certificate contains characters that the letter cannot print. */
  'letter_not_printable',
  'over_payment',
  'organisation_closed',
  /** The gateway returned money because a chargeback was reversed; the payer gets what has not been refunded yet. */
  'reversal_undone',
] as const
export type RefundReason = (typeof refundReasons)[number]
/** How the refund is made: by the gateway after approval, or by bank transfer with a recorded reference. */
export const refundMethods = ['gateway', 'bank'] as const
export type RefundMethod = (typeof refundMethods)[number]

export const refund = z.object({
  id: z.string(),
  transaction_id: z.string(),
  payment_reference: z.string(),
  email: z.string(),
  amount: money,
  currency: z.string(),
  reason: z.enum(refundReasons),
  status: z.enum(refundStatuses),
  /**
   * How the refund can be made; null if there is nothing to approve, because the refund is completed or in progress, or the
   * gateway has already returned the money.
   */
  way: z.enum(refundMethods).nullable(),
  /** True if the refund needs attention and the gateway can pay it to a bank account of the payer. */
  takes_account: z.boolean(),
  provider: z.string(),
  /** The gateway's ID of the refund. */
  gateway_refund_id: z.string().nullable(),
  bank_reference: z.string().nullable(),
  /** Number of refund requests sent to the gateway. */
  attempts: z.int(),
  /** Why it failed or needs attention, for staff. */
  note: z.string().nullable(),
  approved_by: z.string().nullable(),
  approved_at: timestamp.nullable(),
  processed_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type RefundRecord = z.infer<typeof refund>

export const refundBank = z.object({
  id: z.string(),
  code: z.string().describe('Bank code for looking up the account name.'),
  name: z.string(),
})
export type RefundBank = z.infer<typeof refundBank>
