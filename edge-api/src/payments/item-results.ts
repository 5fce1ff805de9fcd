import type { PaymentState } from '../db/schema/payment-states.ts'
import type { paymentItems } from '../db/schema/payments.ts'

type ItemResult = Pick<typeof paymentItems.$inferSelect, 'result' | 'tally'>

/** The facts that determine the result of one item of a payment. */
export interface ItemFacts {
  status: PaymentState
  /** Outcome of the item's fulfilment; null if there is none. */
  outcome: 'verified' | 'not_found' | 'refund_due' | null
  /** True if the account already had a valid letter for this number at that time. */
  isRepeated: boolean
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

function computeTally({ status, outcome, isRepeated }: ItemFacts): ItemResult['tally'] {
  if (!DELIVERED_STATES.includes(status) || outcome === null) return 'none'
  if (outcome === 'verified') return 'found'
  if (outcome === 'not_found') return 'not_found'
  // A second payment for a verified certificate is refunded, but that does not mean that the verification failed.
  return status === 'paid' && isRepeated ? 'again' : 'due'
}

/** Returns the result that lists show for an item, and the category in which its account's totals count it. */
export function computeItemResult(facts: ItemFacts): ItemResult {
  const tally = computeTally(facts)
  if (PENDING_STATES.includes(facts.status)) return { result: 'pending', tally }
  return { result: tally === 'found' || tally === 'again' ? 'success' : 'failed', tally }
}
