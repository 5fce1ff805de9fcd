import type { Mismatch, MismatchKind } from '@portal/contract/admin-reconciliation'
import { toMajor } from '@portal/format/money'
import { refundMessages } from '@portal/rules/messages'
import { isOpen, isUnpaid } from '../db/schema/payment-states.ts'
import type { GatewayTransaction } from '../payment-gateway.ts'
import type { MoneyAtGateway } from './money-store.ts'
import type { Payment } from './store.ts'

/* Compares the ledger with the gateway's records, as pure functions without a database or clock. */

/** The data that a gateway reports about a payment, both in its list and in a requery. */
export type ListedTransaction = Pick<GatewayTransaction, 'outcome' | 'amountPaid' | 'feeMinor' | 'mode'>

export interface PortalPayment {
  payment: Pick<
    Payment,
    'transactionId' | 'providerReference' | 'status' | 'currency' | 'mode' | 'gatewayFeeMinor'
  >
  /** The money received according to the ledger; undefined if there is none. */
  received: MoneyAtGateway | undefined
}

const MESSAGES: Record<Exclude<MismatchKind, 'missing_here'>, string> = {
  missing_at_gateway: 'The portal recorded this payment, but the gateway does not have it.',
  status_differs: 'The portal and the gateway report different states for this payment.',
  amount_differs: 'The gateway received a different amount than the portal recorded.',
  unanswered: 'The gateway did not respond to a query about this payment. The query will be repeated later.',
}

/** Returns how our record of a payment differs from the gateway's report, or undefined if they agree. */
export function compare(ours: PortalPayment, theirs: ListedTransaction | undefined): Mismatch | undefined {
  const kind = theirs ? findDifference(ours, theirs) : 'unanswered'
  if (!kind) return undefined
  const { payment, received } = ours
  return {
    transaction_id: payment.transactionId,
    payment_reference: payment.providerReference,
    kind,
    ours: payment.status,
    gateways: theirs?.outcome ?? null,
    amount_ours: received ? toMajor(received.minor) : null,
    amount_gateway: theirs?.amountPaid ? toMajor(theirs.amountPaid.minor) : null,
    message: MESSAGES[kind],
  }
}

const RETURNED_STATES = new Set<Payment['status']>(['refunded', 'reversed'])

function findDifference(
  { payment, received }: PortalPayment,
  theirs: ListedTransaction,
): keyof typeof MESSAGES | undefined {
  const { status } = payment
  // If money was received and returned before we learned of it, there is nothing to book.
  if (isUnpaid(status)) return theirs.outcome === 'succeeded' ? 'status_differs' : undefined
  switch (theirs.outcome) {
    case 'succeeded':
      if (status === 'reversed' && !received) return 'status_differs'
      if (received && received.reversedMinor > 0) return 'status_differs'
      // A success in the wrong mode does not count as money received.
      if (theirs.mode !== payment.mode) return received ? 'amount_differs' : undefined
      return theirs.amountPaid?.minor === (received?.minor ?? 0) &&
        (!received || theirs.amountPaid.currency === received.currency)
        ? undefined
        : 'amount_differs'
    case 'reversed':
      // Some gateways report a full refund that we requested as a reversal.
      return RETURNED_STATES.has(status) && (received?.remainingMinor ?? 0) <= 0
        ? undefined
        : 'status_differs'
    case 'not_found':
      return status === 'reversed' ? 'status_differs' : 'missing_at_gateway'
    default:
      return 'status_differs'
  }
}

/** True if no requery is needed: the entry in the gateway's list agrees with our record, and a requery would add nothing. */
export function needsNoRequery(ours: PortalPayment, theirs: ListedTransaction): boolean {
  if (compare(ours, theirs)) return false
  const { status, gatewayFeeMinor } = ours.payment
  // A fee that became known later, or was corrected, must be booked by a requery.
  if (ours.received && theirs.feeMinor !== undefined && theirs.feeMinor !== gatewayFeeMinor) return false
  const isWaiting = isOpen(status) || status === 'review'
  return !isWaiting || theirs.outcome === 'pending' || theirs.outcome === 'processing'
}

/** Returns the mismatch for a payment that exists only at the gateway; undefined if no money was received. */
export function toOrphanMismatch(theirs: GatewayTransaction): Mismatch | undefined {
  if (['pending', 'failed', 'cancelled', 'expired', 'not_found'].includes(theirs.outcome)) return undefined
  return {
    transaction_id: null,
    payment_reference: theirs.reference,
    kind: 'missing_here',
    ours: null,
    gateways: theirs.outcome,
    amount_ours: null,
    amount_gateway: theirs.amountPaid ? toMajor(theirs.amountPaid.minor) : null,
    message: refundMessages.unknownPayment,
  }
}

/** Returns the mismatch for a gateway whose list could not be read, so payments that exist only there cannot be found. */
export const toUnreadableListMismatch = (provider: string): Mismatch => ({
  transaction_id: null,
  payment_reference: provider,
  kind: 'unanswered',
  ours: null,
  gateways: null,
  amount_ours: null,
  amount_gateway: null,
  message: "The gateway's list could not be read, so payments that only the gateway has are not listed here.",
})
