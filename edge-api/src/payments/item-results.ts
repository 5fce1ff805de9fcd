import type { PaymentState } from '../db/schema/payment-states.ts'
import type { paymentItems } from '../db/schema/payments.ts'

type ItemResult = Pick<typeof paymentItems.$inferSelect, 'result' | 'tally'>

/** What determines the result of one certificate number of a payment. */
export interface ItemFacts {
  status: PaymentState
  /** From its fulfilment; null if there is none. */
  outcome: 'verified' | 'not_found' | 'refund_due' | null
  /** True when the same account had received a letter for the number before, and the letter was valid at that time. */
  repeated: boolean
}

const PENDING_STATES: readonly PaymentState[] = [
  'created',
  'pending',
  'unknown',
  'processing',
  'review',
  'mismatched',
]
const DELIVERED_STATES: readonly PaymentState[] = ['paid', 'refunded']

function tallyOf({ status, outcome, repeated }: ItemFacts): ItemResult['tally'] {
  if (!DELIVERED_STATES.includes(status) || outcome === null) return 'none'
  if (outcome === 'verified') return 'found'
  if (outcome === 'not_found') return 'not_found'
  // A second payment for a verified certificate is refunded, and the verification did not fail.
  return status === 'paid' && repeated ? 'again' : 'due'
}

/** The result that lists show for an item, and its category in its account's totals. */
export function resultOfItem(facts: ItemFacts): ItemResult {
  const tally = tallyOf(facts)
  if (PENDING_STATES.includes(facts.status)) return { result: 'pending', tally }
  return { result: tally === 'found' || tally === 'again' ? 'success' : 'failed', tally }
}
