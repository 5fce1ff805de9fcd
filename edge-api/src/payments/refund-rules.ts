import type { RefundWay } from '@portal/contract/refunds'
import type { PaymentGateway, RefundAccounts } from '../payment-gateway.ts'
import type { RefundView } from './refund-store.ts'
import type { Account, Entry } from './rules.ts'

/*
 * Rules of refunds; uses no database or clock.
 */

const MINUTE = 60_000
/** Longest delay between two requeries of one order. */
export const MAX_REQUERY_DELAY_MS = 6 * 60 * MINUTE

/** The gateway that can make a refund: the one that received the payment, in the same mode and currency. */
export function refundingGateway(
  { refund, payment }: RefundView,
  gateways: Readonly<Record<string, PaymentGateway>>,
): Required<Pick<PaymentGateway, 'refund'>> | undefined {
  const gateway = gateways[payment.provider]
  if (!gateway?.refund || gateway.mode !== payment.mode) return undefined
  if (payment.providerTxnId === null || refund.currency !== 'NGN') return undefined
  return { refund: gateway.refund.bind(gateway) }
}

/**
 * Returns how a refund may be approved now, or null if there is nothing to approve. A refund that needs attention is approved as
 * a bank transfer: with a second order, the gateway could refund twice.
 */
export function refundMethodOf(
  view: RefundView,
  gateways: Readonly<Record<string, PaymentGateway>>,
): RefundWay | null {
  const { refund } = view
  if (refund.status === 'approved' || refund.status === 'processed') return null
  if (refund.status === 'needs_attention') return 'bank'
  return refundingGateway(view, gateways) ? 'gateway' : 'bank'
}

/** The gateway's calls for the payer's bank account, if it accepts one for this refund now. */
export function accountsFor(
  view: RefundView,
  gateways: Readonly<Record<string, PaymentGateway>>,
): RefundAccounts | undefined {
  const { refund, payment } = view
  if (refund.status !== 'needs_attention' || refund.providerRefundId === null) return undefined
  return refundingGateway(view, gateways) && gateways[payment.provider]?.refundAccounts
}

/** Delay until an order that is still open at the gateway is requeried, in milliseconds. */
export const requeryDelay = (tries: number): number =>
  Math.min(MINUTE * 2 ** Math.min(tries, 10), MAX_REQUERY_DELAY_MS)

/** Returns the idempotency key of an order: retries use the same key, and an order after a failed one gets a new key. */
export const orderKey = ({ idempotencyKey, attempts }: { idempotencyKey: string; attempts: number }) =>
  attempts <= 1 ? idempotencyKey : `${idempotencyKey}:${attempts}`

/** Ledger rows of a refund, by the party that sent it. */
export const bookRefund = (minor: number, from: Extract<Account, 'gateway_clearing' | 'bank'>): Entry[] => [
  { account: 'refund_payable', minor, reason: 'refund processed' },
  { account: from, minor: -minor, reason: 'refund processed' },
]
