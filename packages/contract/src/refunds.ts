import './zod-setup.ts'
import * as z from 'zod'
import { money, timestamp } from './shapes.ts'

/* Money that goes back to payers, as staff see it. */

export const refundStatuses = ['due', 'approved', 'processed', 'failed', 'needs_attention'] as const
export type RefundStatus = (typeof refundStatuses)[number]
export const refundReasons = [
  'mismatch',
  'certificate_vanished',
  'duplicate',
  /** Its data contains characters that no letter can print. */
  'letter_not_printable',
  'over_payment',
  /** The gateway had taken the payment back, and brought the money again. */
  'reversal_undone',
] as const
export type RefundReason = (typeof refundReasons)[number]
/** How the money can go back now: the gateway does it on approval, or a bank's reference is recorded. */
export const refundWays = ['gateway', 'bank'] as const
export type RefundWay = (typeof refundWays)[number]

export const refund = z.object({
  id: z.string(),
  transaction_id: z.string(),
  payment_reference: z.string(),
  email: z.string(),
  amount: money,
  currency: z.string(),
  reason: z.enum(refundReasons),
  status: z.enum(refundStatuses),
  /** Null where nothing is to be approved: done, under way, or taken back by the gateway itself. */
  way: z.enum(refundWays).nullable(),
  /** It needs attention, and the gateway pays it to the payer's bank account once it has that. */
  takes_account: z.boolean(),
  provider: z.string(),
  /** The gateway's own id of the refund. */
  gateway_refund_id: z.string().nullable(),
  bank_reference: z.string().nullable(),
  /** How often the gateway was given the order. */
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
  code: z.string().describe('By which the name of an account is asked for.'),
  name: z.string(),
})
export type RefundBank = z.infer<typeof refundBank>
