import type { ErrorCode } from '@portal/contract/errors'

/** An amount in integer minor units (kobo). Only gateway adapters convert amounts. */
export interface Money {
  minor: number
  currency: 'NGN'
}

/**
 * The outcome of a payment at the gateway. It is `reversed` if the amounts show that all of the money was returned; if only
 * part of it was returned, it stays `succeeded`.
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
  /** What the payment is for, e.g. the certificate number. */
  description: string
  /** Texts for the payment page of a gateway that does not take them from the merchant's account. */
  display?: { purpose: string; payee: string }
  returnUrl: string
  expiresAt: Date
  idempotencyKey: string
}

export interface Initiation {
  paymentUrl: string
  /** Form fields that are posted to `paymentUrl` unchanged; if there are none, the browser simply opens it. */
  fields: Record<string, string>
  providerRef?: string
  /** When the payment expires at the gateway, if the gateway sets its own time. */
  expiresAt?: Date
}

export interface Requery {
  outcome: Outcome
  reference: string
  amountPaid?: { minor: number; currency: string }
  /**
   * The amount requested from the gateway, if it reports this. It is less than `amountPaid` if the gateway adds its fee for the
   * payer.
   */
  requestedMinor?: number
  /** The gateway's fee, which it deducts from `amountPaid`, if it reports this. */
  feeMinor?: number
  /** The part of `amountPaid` that the gateway has refunded, whether this portal requested it or not, if it reports this. */
  returnedMinor?: number
  /** The part of `amountPaid` that is being refunded. */
  returningMinor?: number
  /** The gateway's IDs of completed refunds. */
  returnedIds?: readonly string[]
  providerTxnId?: string
  mode: 'test' | 'live'
  code?: string
  /** The status in the gateway's own words, shown as `bpms_status`. */
  status?: string
  declineCode?: ErrorCode
  raw: string
}

export interface ParsedWebhook {
  verified: boolean
  /** Identifies the event, so that the inbox stores it only once. */
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
  /** The gateway's own ID of this refund. If set, the refund is not requested again, but only requeried. */
  refundId?: string
  amount: Money
  /** Prevents a second refund: a request with the same key has no further effect. */
  idempotencyKey: string
}

export interface Refund {
  refundId: string
  status: 'pending' | 'processed' | 'failed' | 'needs_attention'
}

/** Bank account for a refund that could not be returned to where the payment came from. */
export interface BankAccount {
  /** The gateway's ID of the bank. */
  bankId: string
  number: string
}

export interface Bank {
  id: string
  /** The bank's code, with which the gateway looks up account names. */
  code: string
  name: string
}

/** For gateways that can transfer a refund that needs attention to the payer's bank account. */
export interface RefundAccounts {
  listBanks(signal: AbortSignal): Promise<Bank[]>
  /** Returns the name of an account's holder; undefined if the gateway does not know the account. */
  findAccountName(
    account: { bankCode: string; number: string },
    signal: AbortSignal,
  ): Promise<string | undefined>
  /**
   * Sends the account if the refund needs attention; otherwise it sends nothing and only returns the refund's state.
   * @throws GatewayRefusal if the gateway rejects this account
   */
  retry(order: { refundId: string; account: BankAccount }, signal: AbortSignal): Promise<Refund>
}

/**
 * State of a dispute. `open` waits for our answer; `declined` was contested and closed in our favour, but the bank can reopen
 * it; `expired` counts as accepted, because it was not answered.
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
  /** The dispute's state in the gateway's own words. */
  status: string
  /** Amount that the bank demands back. */
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
  /** A note by staff. */
  note: string
  file: EvidenceFile
}

export interface EvidenceFile {
  name: string
  type: 'application/pdf'
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Calls for gateways with an API for disputes. `accept` and `contest` requery the dispute first, and send nothing unless it
 * still awaits an answer, so that an answer whose confirmation was lost is not sent twice. Both throw `GatewayRefusal` if the
 * gateway rejects the answer.
 */
export interface Disputes {
  fetch(id: string, signal: AbortSignal): Promise<GatewayDispute>
  /** Lists disputes opened since `from`, one page at a time. `unreadable` is the number of malformed entries on the page. */
  list(
    from: Date,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: GatewayDispute[]; unreadable: number; nextCursor?: string }>
  /** Accepts the dispute, which returns `amountMinor` to the payer. */
  accept(
    order: { id: string; amountMinor: number; note: string; file: EvidenceFile },
    signal: AbortSignal,
  ): Promise<GatewayDispute>
  contest(order: { id: string; evidence: Evidence }, signal: AbortSignal): Promise<GatewayDispute>
}

/** A payment in the gateway's own list, for reconciliation. */
export interface GatewayTransaction {
  reference: string
  outcome: Outcome
  /** The amount received; set only if `outcome` is `succeeded`. */
  amountPaid?: { minor: number; currency: string }
  /** The gateway's fee, as in `Requery`. */
  feeMinor?: number
  providerTxnId?: string
  mode: 'test' | 'live'
}

export interface GatewayPage {
  items: GatewayTransaction[]
  /** Cursor of the next page; undefined on the last one. */
  nextCursor?: string
}

/** A payout from a gateway to the institution's bank account. */
export interface GatewaySettlement {
  /** The gateway's own reference for the payout. */
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
  /** Lists settlements paid out within [from, to]. */
  list(
    from: Date,
    to: Date,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: GatewaySettlement[]; nextCursor?: string }>
  listLines(
    reference: string,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: GatewaySettlementLine[]; nextCursor?: string }>
}

/** Thrown if the gateway refused a call (a 4xx), so that the call had no effect. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal'
  /** Additional information for staff, if there is any. */
  staffNote?: string
}

/** A payment gateway. Any exception other than `GatewayRefusal` means that the outcome is unknown. */
export interface PaymentGateway {
  readonly mode: 'test' | 'live'
  /** Minimum amount in kobo, if the gateway publishes one. */
  readonly minimumMinor?: number
  /**
   * True if `initiate` makes no call and has no effect, but only signs the form that the browser posts. A payment attempt can
   * then be stored together with its form.
   */
  readonly isSignedForm?: boolean
  initiate(order: Order, signal: AbortSignal): Promise<Initiation>
  /** Requests the authoritative state of the payment `reference` from the gateway. */
  requery(reference: string, expected: Money, signal: AbortSignal): Promise<Requery>
  /** Checks the signature over the raw bytes, and parses them. The content is never trusted: only a requery is. */
  parseWebhook(raw: Uint8Array, headers: Headers, now: number): Promise<ParsedWebhook>
  /** Checks that the gateway can be reached. @throws if it cannot */
  check(signal: AbortSignal): Promise<void>
  /** Refunds a payment; missing if the gateway does not support refunds. @throws GatewayRefusal if it refuses the refund */
  refund?(order: RefundOrder, signal: AbortSignal): Promise<Refund>
  /** Returns the amount of a completed refund in kobo; undefined if the payment has no refund with this ID. */
  findRefund?(
    refund: { providerTxnId: string; refundId: string },
    signal: AbortSignal,
  ): Promise<number | undefined>
  refundAccounts?: RefundAccounts
  settlements?: GatewaySettlements
  disputes?: Disputes
  /** Lists payments started within [from, to], one page at a time; missing if the gateway does not support this. */
  list?(from: Date, to: Date, cursor: string | undefined, signal: AbortSignal): Promise<GatewayPage>
}
