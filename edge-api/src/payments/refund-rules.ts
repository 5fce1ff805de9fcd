import type { RefundMethod } from '@portal/contract/refunds'
import type { PaymentGateway, RefundAccounts } from '../payment-gateway.ts'
import type { RefundView } from './refund-store.ts'
import type { Account, Entry } from './rules.ts'

/* Rules of refunds, as pure functions without a database or clock. */

const MINUTE = 60_000
/** Longest delay between two requeries of a refund, in milliseconds. */
export const MAX_REQUERY_DELAY_MS = 6 * 60 * MINUTE

/**
 * Returns the gateway that can make a refund: the one that received the payment, if it is still in the payment's mode and the
 * refund is in naira.
 */
export function findRefundingGateway(
  { refund, payment }: RefundView,
  gateways: Readonly<Record<string, PaymentGateway>>,
): Required<Pick<PaymentGateway, 'refund'>> | undefined {
  const gateway = gateways[payment.provider]
  if (!gateway?.refund || gateway.mode !== payment.mode) return undefined
  if (payment.providerTxnId === null || refund.currency !== 'NGN') return undefined
  return { refund: gateway.refund.bind(gateway) }
}

/**
 * Returns the method with which a refund can be approved now, or null if it cannot be approved. A refund that needs attention
 * can only be made by bank transfer: if it were requested again, the gateway could refund twice.
 */
export function refundMethodOf(
  view: RefundView,
  gateways: Readonly<Record<string, PaymentGateway>>,
): RefundMethod | null {
  const { refund } = view
  if (refund.status === 'approved' || refund.status === 'processed') return null
  if (refund.status === 'needs_attention') return 'bank'
  return findRefundingGateway(view, gateways) ? 'gateway' : 'bank'
}

/** Returns the gateway's bank-account API if the gateway can currently take the payer's account details for this refund. */
export function findRefundAccounts(
  view: RefundView,
  gateways: Readonly<Record<string, PaymentGateway>>,
): RefundAccounts | undefined {
  const { refund, payment } = view
  if (refund.status !== 'needs_attention' || refund.providerRefundId === null) return undefined
  return findRefundingGateway(view, gateways) && gateways[payment.provider]?.refundAccounts
}

/** Returns the delay until the next requery of a refund that is still in progress at the gateway, in milliseconds. */
export const requeryDelay = (tries: number): number =>
  Math.min(MINUTE * 2 ** Math.min(tries, 10), MAX_REQUERY_DELAY_MS)

/**
 * Returns the idempotency key of a request to the gateway. Retries use the same key; a new request after a failed refund gets a
 * new one.
 */
export const requestKey = ({ idempotencyKey, attempts }: { idempotencyKey: string; attempts: number }) =>
  attempts <= 1 ? idempotencyKey : `${idempotencyKey}:${attempts}`

/** Returns the ledger entries that book a refund. @param sourceAccount the account from which the money was sent */
export const bookRefund = (
  amountMinor: number,
  sourceAccount: Extract<Account, 'gateway_clearing' | 'bank'>,
): Entry[] => [
  { account: 'refund_payable', minor: amountMinor, reason: 'refund processed' },
  { account: sourceAccount, minor: -amountMinor, reason: 'refund processed' },
]
