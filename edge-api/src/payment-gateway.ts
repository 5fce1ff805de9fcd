import type { ErrorCode } from '@portal/contract/errors'

/** An amount in integer minor units (kobo). Only gateway adapters convert amounts. */
export interface Money {
  minor: number
  currency: 'NGN'
}

/**
 * The state of a payment at the gateway. It is `reversed` if the amounts show that all of the money was returned; after a
 * partial return it stays `succeeded`.
 */
export type Outcome =
  | 'pending'
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'not_found'
  | 'reversed'
  | 'unknown'

export interface Customer {
  firstname: string
  lastname: string
  email: string
  phone: string
  address: string
}

export interface Order {
  /** Our reference, at most 15 characters. */
  reference: string
  amount: Money
  customer: Customer
  /** The subject of the payment, e.g. the certificate number. */
  description: string
  /** Texts for the payment page of a gateway that does not have them in its merchant's account. */
  display?: { purpose: string; payee: string }
  returnUrl: string
  expiresAt: Date
  idempotencyKey: string
}

export interface Initiation {
  paymentUrl: string
  /** Posted to `paymentUrl` unchanged; if empty, the browser simply opens it. */
  fields: Record<string, string>
  providerRef?: string
  /** The gateway's own expiry, if it has one. */
  expiresAt?: Date
}

export interface Requery {
  outcome: Outcome
  reference: string
  amountPaid?: { minor: number; currency: string }
  /** The amount requested from the gateway, if it reports that: less than `amountPaid` if it adds its fee for the payer. */
  requestedMinor?: number
  /** The gateway's fee, taken from `amountPaid`, if it reports that. */
  feeMinor?: number
  /** The part of `amountPaid` that the gateway has refunded, ordered here or not, if it reports that. */
  returnedMinor?: number
  /** Amount being refunded. */
  returningMinor?: number
  /** The gateway's ids of the refunds that were made. */
  returnedIds?: readonly string[]
  providerTxnId?: string
  mode: 'test' | 'live'
  code?: string
  /** The gateway's own word, shown as `bpms_status`. */
  status?: string
  declineCode?: ErrorCode
  raw: string
}

export interface WebhookHint {
  verified: boolean
  /** Unique per delivered event, for the inbox. */
  eventKey: string
  reference?: string
  /** The gateway's ID of the dispute, if the event is about one. */
  disputeId?: string
}

export interface RefundOrder {
  /** Our reference of the payment. */
  reference: string
  /** The gateway's own ID of the payment, from its requery. */
  providerTxnId: string
  /** The gateway's own ID of this refund. Once there is one, nothing is sent, and only the state is requeried. */
  refundId?: string
  amount: Money
  /** The same key never refunds twice. */
  idempotencyKey: string
}

export interface Refund {
  refundId: string
  status: 'pending' | 'processed' | 'failed' | 'needs_attention'
}

/** Account for a refund that could not be returned to the payment's source. */
export interface BankAccount {
  /** The gateway's ID of the bank. */
  bankId: string
  number: string
}

export interface Bank {
  id: string
  /** The code with which the gateway looks up account names. */
  code: string
  name: string
}

/** For gateways that can pay a refund that needs attention to the payer's bank account. */
export interface RefundAccounts {
  banks(signal: AbortSignal): Promise<Bank[]>
  /** The name of an account; undefined if the gateway does not know it. */
  nameOf(account: { bankCode: string; number: string }, signal: AbortSignal): Promise<string | undefined>
  /**
   * Sends the account if the refund needs attention; otherwise it sends nothing and only returns the refund's state.
   * @throws GatewayRefusal if the gateway refuses this account
   */
  retry(order: { refundId: string; account: BankAccount }, signal: AbortSignal): Promise<Refund>
}

/**
 * State of a dispute: `open` waits for our answer, `declined` was contested and closed in our favour but can be reopened
 * by the bank, `expired` was accepted because it was not answered.
 */
export type DisputeOutcome =
  | 'open'
  | 'contested'
  | 'declined'
  | 'accepted'
  | 'won'
  | 'lost'
  | 'expired'
  | 'unknown'

/** A dispute (chargeback) as the gateway's API reports it. */
export interface GatewayDispute {
  id: string
  /** Our reference of the payment. */
  reference: string
  outcome: DisputeOutcome
  /** The state in the gateway's own words. */
  status: string
  /** Amount that the bank claims back. */
  amount: { minor: number; currency: string }
  /** The gateway's fee for the dispute, if it reports one. */
  feeMinor?: number
  category?: string
  /** Reason given by the payer or their bank. */
  reason?: string
  openedAt: Date
  /** Deadline for an answer. */
  dueAt?: Date
  closedAt?: Date
  mode: 'test' | 'live'
}

/** Evidence that the payer received what they paid for. */
export interface Evidence {
  customer: { name: string; email: string; phone: string }
  /** A description of the delivery, in a sentence or two. */
  service: string
  deliveredAt?: Date
  /** Note by staff. */
  note: string
  file: EvidenceFile
}

export interface EvidenceFile {
  name: string
  type: 'application/pdf'
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * For gateways with an API for disputes. `accept` and `contest` requery the dispute first and send nothing unless it still
 * awaits an answer, so that an answer whose confirmation was lost is not sent twice. They throw `GatewayRefusal` if the
 * gateway refuses the answer.
 */
export interface Disputes {
  fetch(id: string, signal: AbortSignal): Promise<GatewayDispute>
  /** Disputes opened since `from`, a page at a time. `unreadable` counts malformed entries of the page. */
  list(
    from: Date,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: GatewayDispute[]; unreadable: number; nextCursor?: string }>
  /** Returns `amountMinor` to the payer. */
  accept(
    order: { id: string; amountMinor: number; note: string; file: EvidenceFile },
    signal: AbortSignal,
  ): Promise<GatewayDispute>
  contest(order: { id: string; evidence: Evidence }, signal: AbortSignal): Promise<GatewayDispute>
}

/** One payment in the gateway's own list, for reconciliation. */
export interface GatewayTransaction {
  reference: string
  outcome: Outcome
  /** The amount received; only if `outcome` is `succeeded`. */
  amountPaid?: { minor: number; currency: string }
  /** As in `Requery`. */
  feeMinor?: number
  providerTxnId?: string
  mode: 'test' | 'live'
}

export interface GatewayPage {
  items: GatewayTransaction[]
  /** Undefined on the last page. */
  nextCursor?: string
}

/** One payout of a gateway to the institution's bank account. */
export interface GatewaySettlement {
  /** The gateway's own reference of the payout. */
  reference: string
  currency: string
  settledAt: Date
  /** The amount paid out, net of deductions. */
  paidOutMinor?: number
}

/** One payment within a settlement, in minor units. */
export interface GatewaySettlementLine {
  reference: string
  amountMinor: number
  feeMinor?: number
}

/** For gateways that report their settlements. Both methods return one page at a time. */
export interface GatewaySettlements {
  /** Settlements that were paid out within [from, to]. */
  list(
    from: Date,
    to: Date,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: GatewaySettlement[]; nextCursor?: string }>
  lines(
    reference: string,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: GatewaySettlementLine[]; nextCursor?: string }>
}

/** Thrown if the gateway refused a call (a 4xx), which then had no effect. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal'
  /** Additional information for staff, if there is any. */
  staffNote?: string
}

/** A payment gateway. Any exception other than `GatewayRefusal` means that the outcome is unknown. */
export interface PaymentGateway {
  readonly mode: 'test' | 'live'
  /** Minimum amount, in kobo, if it is published. */
  readonly minimumMinor?: number
  /**
   * True if `initiate` makes no call and has no effect: it only signs the form that the browser posts. An
   * attempt is then written together with its form.
   */
  readonly isSignedForm?: boolean
  initiate(order: Order, signal: AbortSignal): Promise<Initiation>
  /** Asks the gateway for the authoritative state of `reference`. */
  requery(reference: string, expected: Money, signal: AbortSignal): Promise<Requery>
  /** Checks the signature over the raw bytes. The content is not trusted; only a requery is. */
  parseWebhook(raw: Uint8Array, headers: Headers, now: number): Promise<WebhookHint>
  /** Throws if the gateway cannot be reached. */
  check(signal: AbortSignal): Promise<void>
  /** Refunds a payment; only if the gateway supports it. Throws `GatewayRefusal` if the gateway refuses the refund. */
  refund?(order: RefundOrder, signal: AbortSignal): Promise<Refund>
  /** Returns the amount in kobo of a completed refund; undefined if the payment has no refund with this ID. */
  findRefund?(
    refund: { providerTxnId: string; refundId: string },
    signal: AbortSignal,
  ): Promise<number | undefined>
  refundAccounts?: RefundAccounts
  settlements?: GatewaySettlements
  disputes?: Disputes
  /** Payments started within [from, to], a page at a time; only if the gateway supports it. */
  list?(from: Date, to: Date, cursor: string | undefined, signal: AbortSignal): Promise<GatewayPage>
}
