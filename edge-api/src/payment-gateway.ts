import type { ErrorCode } from '@portal/contract/errors'

/** Integer minor units (kobo) inside; conversion happens only inside gateway adapters. */
export interface Money {
  minor: number
  currency: 'NGN'
}

/** `reversed`: all of the money was returned, by its amounts; after a partial return it stays `succeeded`. */
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
  /** Ours, at most 15 characters. */
  reference: string
  amount: Money
  customer: Customer
  /** What the payment is for, e.g. the certificate number. */
  description: string
  returnUrl: string
  expiresAt: Date
  idempotencyKey: string
}

export interface Initiation {
  paymentUrl: string
  /** Posted to `paymentUrl` as they are; none means that the browser simply opens it. */
  fields: Record<string, string>
  providerRef?: string
  /** The gateway's own expiry, when it names one. */
  expiresAt?: Date
}

export interface Requery {
  outcome: Outcome
  reference: string
  amountPaid?: { minor: number; currency: string }
  /** What the gateway was asked for, where it reports that: less than `amountPaid` where it adds its fee for the payer. */
  requestedMinor?: number
  /** What the gateway keeps of `amountPaid`, where it reports that. */
  feeMinor?: number
  /** Amount of `amountPaid` that the gateway has refunded, on anyone's order, if it reports that. */
  returnedMinor?: number
  /** Amount being refunded. */
  returningMinor?: number
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
  /** Unique a delivered event, for the inbox. */
  eventKey: string
  reference?: string
  /** The gateway's id of the dispute, where the event is about one. */
  disputeId?: string
}

export interface RefundOrder {
  /** Ours, of the payment. */
  reference: string
  /** The gateway's own id of the payment, as its requery gave it. */
  providerTxnId: string
  /** The gateway's own id of this refund, once it has given one: then nothing is sent, and only its state is asked for. */
  refundId?: string
  amount: Money
  /** The same key never gives the money back twice. */
  idempotencyKey: string
}

export interface Refund {
  refundId: string
  status: 'pending' | 'processed' | 'failed' | 'needs_attention'
}

/** Account for a refund that could not be returned to the payment's source. */
export interface BankAccount {
  /** The gateway's id of the bank. */
  bankId: string
  number: string
}

export interface Bank {
  id: string
  /** By which the gateway looks up names of accounts. */
  code: string
  name: string
}

/** For gateways that pay a refund which needs attention to the payer's bank account. */
export interface RefundAccounts {
  banks(signal: AbortSignal): Promise<Bank[]>
  /** The name of an account; undefined where the gateway does not know it. */
  nameOf(account: { bankCode: string; number: string }, signal: AbortSignal): Promise<string | undefined>
  /**
   * Sends the account for a refund that needs attention; of any other only the state is returned, and nothing is sent.
   * `GatewayRefusal`: it said no to this account.
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
  /** Ours, of the payment. */
  reference: string
  outcome: DisputeOutcome
  /** The gateway's own word. */
  status: string
  /** What the bank claims back. */
  amount: { minor: number; currency: string }
  /** What the gateway charges for the dispute, where it names that. */
  feeMinor?: number
  category?: string
  /** What the payer or their bank says. */
  reason?: string
  openedAt: Date
  /** Until when an answer counts. */
  dueAt?: Date
  closedAt?: Date
  mode: 'test' | 'live'
}

/** What shows that the payer got what they paid for. */
export interface Evidence {
  customer: { name: string; email: string; phone: string }
  /** What was delivered, in a sentence or two. */
  service: string
  deliveredAt?: Date
  /** What staff add. */
  note: string
  file: EvidenceFile
}

export interface EvidenceFile {
  name: string
  type: 'application/pdf'
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * For gateways with an API for disputes. Both answers ask for the dispute's state first and send nothing unless it still
 * waits for one, so that an answer whose confirmation was lost is found before it is sent again. `GatewayRefusal`: the
 * gateway said no, and nothing was answered.
 */
export interface Disputes {
  fetch(id: string, signal: AbortSignal): Promise<GatewayDispute>
  /** Disputes opened since `from`, a page at a time. */
  list(
    from: Date,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: GatewayDispute[]; nextCursor?: string }>
  /** Returns `amountMinor` to the payer. */
  accept(
    order: { id: string; amountMinor: number; note: string; file: EvidenceFile },
    signal: AbortSignal,
  ): Promise<GatewayDispute>
  contest(order: { id: string; evidence: Evidence }, signal: AbortSignal): Promise<GatewayDispute>
}

/** One payment as the gateway's own list has it, for reconciliation. */
export interface GatewayTransaction {
  reference: string
  outcome: Outcome
  /** What was received; only where `outcome` is `succeeded`. */
  amountPaid?: { minor: number; currency: string }
  /** As in `Requery`. */
  feeMinor?: number
  providerTxnId?: string
  mode: 'test' | 'live'
}

export interface GatewayPage {
  items: GatewayTransaction[]
  /** None: this was the last page. */
  nextCursor?: string
}

/** One payout of a gateway to the institution's bank account. */
export interface GatewaySettlement {
  /** The gateway's own name of it. */
  reference: string
  currency: string
  settledAt: Date
  /** What was paid out in all, deductions taken off. */
  paidOutMinor?: number
}

/** One payment within a settlement, in minor units. */
export interface GatewaySettlementLine {
  reference: string
  amountMinor: number
  feeMinor?: number
}

/** For gateways that report their settlements. Both answer a page at a time. */
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

/** Raised by `initiate` when the gateway refused (a 4xx): nothing was created there. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal'
  /** What staff should know of it, where that is more than that it said no. */
  staffNote?: string
}

/** A payment gateway. Anything thrown but `GatewayRefusal` means: not known what happened there. */
export interface PaymentGateway {
  readonly mode: 'test' | 'live'
  /** The least that it accepts, in kobo, where that is published. */
  readonly minimumMinor?: number
  initiate(order: Order, signal: AbortSignal): Promise<Initiation>
  /** Asks the gateway, with authority, what became of `reference`. */
  requery(reference: string, expected: Money, signal: AbortSignal): Promise<Requery>
  /** Checks the signature over the raw bytes. What it says is a hint only. */
  parseWebhook(raw: Uint8Array, headers: Headers, now: number): Promise<WebhookHint>
  /** Throws when the gateway cannot be reached. */
  check(signal: AbortSignal): Promise<void>
  /** Gives money back; only where the gateway offers it. `GatewayRefusal`: it said no, and nothing was refunded. */
  refund?(order: RefundOrder, signal: AbortSignal): Promise<Refund>
  refundAccounts?: RefundAccounts
  settlements?: GatewaySettlements
  disputes?: Disputes
  /** Payments started within [from, to], a page at a time; only where the gateway offers it. */
  list?(from: Date, to: Date, cursor: string | undefined, signal: AbortSignal): Promise<GatewayPage>
}
