import {
  type GatewayPage,
  GatewayRefusal,
  type GatewayTransaction,
  type Initiation,
  type Order,
  type Outcome,
  type Refund,
  type RefundOrder,
  type Requery,
} from '../src/payment-gateway.ts'
import { type Charge, ScriptedGateway } from './payment-setup.ts'

interface OrderedRefund {
  providerTxnId: string
  minor: number
  refund: Refund
}

const OPEN_FOR_MS = 30 * 60_000
const PAGE_SIZE = 3

/** A fake gateway that refunds and lists its payments, and reports a fully refunded payment as reversed. */
export class RefundingGateway extends ScriptedGateway {
  /** The ordered refunds, by idempotency key. */
  readonly orderedRefunds = new Map<string, OrderedRefund>()
  readonly refundOrders: RefundOrder[] = []
  /** When each charge was started at the gateway, in milliseconds. */
  readonly startedAt = new Map<string, number>()
  /** The state of each reversed charge before its reversal. */
  readonly reversedCharges = new Map<string, Charge>()
  /** The status with which the next refund ends. */
  nextRefund: Refund['status'] = 'processed'
  /** Wraps the gateway's work: throws or changes the result, as a fault would. */
  onRefund: (order: RefundOrder, proceed: () => Refund) => Promise<Refund> = async (_, proceed) => proceed()
  onList: () => void = () => undefined

  override async initiate(order: Order): Promise<Initiation> {
    this.startedAt.set(order.reference, order.expiresAt.getTime() - OPEN_FOR_MS)
    return super.initiate(order)
  }

  async refund(order: RefundOrder): Promise<Refund> {
    this.refundOrders.push(order)
    return this.onRefund(order, () => {
      const existing = this.orderedRefunds.get(order.idempotencyKey)
      if (existing) return existing.refund
      const reference = order.providerTxnId.replace('TXN-', '')
      const { minor } = order.amount
      if (this.refundedMinorOf(reference) + minor > this.receivedMinorOf(reference))
        throw new GatewayRefusal('more than was paid')
      const refund = { refundId: `R${this.orderedRefunds.size + 1}`, status: this.nextRefund }
      this.orderedRefunds.set(order.idempotencyKey, { providerTxnId: order.providerTxnId, minor, refund })
      return refund
    })
  }

  /** Ends all refunds in progress with this status. */
  endRefunds(status: Refund['status']): void {
    for (const { refund } of this.orderedRefunds.values())
      if (refund.status === 'pending') refund.status = status
  }

  /** Reverses the rest of a charge, as after a lost dispute; refunds in progress fail. */
  reversePayment(reference: string): void {
    const charge = this.charges.get(reference)
    if (!charge) throw new Error(`no charge ${reference}`)
    for (const { providerTxnId, refund } of this.orderedRefunds.values())
      if (providerTxnId === `TXN-${reference}` && refund.status === 'pending') refund.status = 'failed'
    this.reversedCharges.set(reference, charge)
    this.setOutcome(reference, 'reversed')
  }

  /** Returns the reversed amount to the payment, as after a dispute that was won. */
  undoReversal(reference: string): void {
    const charge = this.reversedCharges.get(reference)
    if (!charge) throw new Error(`${reference} was not reversed`)
    this.reversedCharges.delete(reference)
    this.charges.set(reference, charge)
  }

  receivedMinorOf(reference: string): number {
    const charge = this.charges.get(reference)
    return charge?.outcome === 'succeeded' ? (charge.answer.amountPaid?.minor ?? charge.minor) : 0
  }

  /** Returns the amount of a payment that was refunded or is being refunded. */
  refundedMinorOf(
    reference: string,
    statuses: readonly Refund['status'][] = ['pending', 'processed'],
  ): number {
    return [...this.orderedRefunds.values()]
      .filter(
        ({ providerTxnId, refund }) =>
          providerTxnId === `TXN-${reference}` && statuses.includes(refund.status),
      )
      .reduce((sum, { minor }) => sum + minor, 0)
  }

  #isFullyRefunded(reference: string): boolean {
    const received = this.receivedMinorOf(reference)
    return received > 0 && this.refundedMinorOf(reference, ['processed']) >= received
  }

  override async requery(reference: string): Promise<Requery> {
    const answer = await super.requery(reference)
    if (answer.outcome !== 'succeeded' || !this.#isFullyRefunded(reference)) return answer
    const { amountPaid: _, ...rest } = answer
    return { ...rest, outcome: 'reversed' }
  }

  /** Adds a charge that the portal does not know. */
  addUnknownCharge(reference: string, at: number, outcome: Outcome = 'succeeded'): void {
    this.charges.set(reference, { minor: 500_000, outcome, answer: {} })
    this.startedAt.set(reference, at)
  }

  async list(from: Date, to: Date, cursor: string | undefined): Promise<GatewayPage> {
    this.onList()
    const chargesInPeriod = [...this.charges].filter(([reference]) => {
      const at = this.startedAt.get(reference) ?? 0
      return at >= from.getTime() && at <= to.getTime()
    })
    const start = Number(cursor ?? 0)
    const items = chargesInPeriod
      .slice(start, start + PAGE_SIZE)
      .map(([reference, charge]): GatewayTransaction => {
        const outcome = this.#isFullyRefunded(reference) ? 'reversed' : charge.outcome
        const amountPaid = charge.answer.amountPaid ?? { minor: charge.minor, currency: 'NGN' }
        return {
          reference,
          outcome,
          mode: charge.answer.mode ?? 'test',
          providerTxnId: `TXN-${reference}`,
          ...(outcome === 'succeeded' && { amountPaid }),
          ...(outcome === 'succeeded' &&
            charge.answer.feeMinor !== undefined && { feeMinor: charge.answer.feeMinor }),
        }
      })
    const next = start + PAGE_SIZE
    return { items, ...(next < chargesInPeriod.length && { nextCursor: String(next) }) }
  }
}
