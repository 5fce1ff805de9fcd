import type { Dispute, DisputeState } from '@portal/contract/admin-disputes'
import { toMajor } from '@portal/format/money'
import { CURRENCY } from './currency.ts'

/** The fields of a payment that are used here; see `MockPayment`. */
interface DemoPayment {
  transaction_id: string
  payment_reference: string
  user_id: string
  status: string
  certificate: object | null
  amount_minor: number
}

const HOUR_MS = 3_600_000

interface Scenario {
  state: DisputeState
  source: Dispute['source']
  provider: string
  /**
   * Hours since the dispute was opened, and hours until its deadline: negative if the deadline has passed, null if there is
   * none.
   */
  openedHoursAgo: number
  dueInHours: number | null
  reason: string
  category?: string
  answer?: Dispute['answer']
  note?: string
  pending?: boolean
}

/** Disputes in every state. */
const EXAMPLES: readonly Scenario[] = [
  {
    state: 'open',
    source: 'gateway',
    provider: 'paystack',
    openedHoursAgo: 13,
    dueInHours: 3,
    category: 'chargeback',
    reason: 'Customer complained about debit without value',
  },
  {
    state: 'open',
    source: 'gateway',
    provider: 'paystack',
    openedHoursAgo: 2,
    dueInHours: 14,
    category: 'fraud',
    reason: 'The cardholder does not recognise this payment.',
  },
  {
    state: 'open',
    source: 'gateway',
    provider: 'paystack',
    openedHoursAgo: 5,
    dueInHours: 11,
    category: 'chargeback',
    reason: 'Duplicate debit',
    answer: 'contest',
    note: 'The letter was opened by three people.',
    pending: true,
  },
  {
    state: 'open',
    source: 'manual',
    provider: 'interswitch',
    openedHoursAgo: 30,
    dueInHours: 40,
    reason: 'The cardholder says that the service was never delivered (letter from the bank, Monday).',
  },
  {
    state: 'contested',
    source: 'gateway',
    provider: 'paystack',
    openedHoursAgo: 80,
    dueInHours: -60,
    category: 'chargeback',
    reason: 'Customer complained about debit without value',
    answer: 'contest',
    note: 'The letter was delivered within a minute and opened twice.',
  },
  {
    state: 'accepted',
    source: 'gateway',
    provider: 'paystack',
    openedHoursAgo: 200,
    dueInHours: -180,
    category: 'chargeback',
    reason: 'Duplicate debit',
    answer: 'accept',
  },
  {
    state: 'lost',
    source: 'gateway',
    provider: 'paystack',
    openedHoursAgo: 500,
    dueInHours: -484,
    category: 'fraud',
    reason: 'The cardholder does not recognise this payment.',
    answer: 'contest',
  },
  {
    state: 'won',
    source: 'manual',
    provider: 'bpms',
    openedHoursAgo: 900,
    dueInHours: -800,
    reason: 'Not recognised',
  },
  {
    state: 'expired',
    source: 'gateway',
    provider: 'paystack',
    openedHoursAgo: 1200,
    dueInHours: -1184,
    category: 'chargeback',
    reason: '',
  },
]

/** The gateway's status for each state of a dispute. */
const GATEWAY_STATUSES: Record<DisputeState, string> = {
  open: 'awaiting-merchant-feedback',
  accepted: 'resolved, merchant-accepted',
  contested: 'awaiting-bank-feedback',
  won: 'resolved, declined',
  lost: 'resolved',
  expired: 'resolved, auto-accepted',
}

/** Creates a dispute; by default, an open one that staff entered. */
export function createDispute(
  payment: DemoPayment,
  { email, id, now, changes = {} }: { email: string; id: string; now: Date; changes?: Partial<Dispute> },
): Dispute {
  const at = now.toISOString()
  return {
    id,
    transaction_id: payment.transaction_id,
    payment_reference: payment.payment_reference,
    email,
    provider: 'demo',
    source: 'manual',
    gateway_reference: id,
    gateway_status: null,
    state: 'open',
    amount: toMajor(payment.amount_minor),
    currency: CURRENCY,
    fee: 0,
    refunded: 0,
    category: null,
    reason: '',
    opened_at: at,
    due_at: null,
    answer: null,
    answered_by: null,
    answered_at: null,
    answer_pending: false,
    note: '',
    closed_at: null,
    can_answer: false,
    can_record: true,
    created_at: at,
    updated_at: at,
    ...changes,
  }
}

/** Creates disputes about some of the demo's past payments. */
export function demoDisputes(
  payments: readonly DemoPayment[],
  users: readonly { id: string; email: string }[],
  now: Date,
): Dispute[] {
  const deliveredPayments = payments.filter(item => item.status === 'paid' && item.certificate !== null)
  return EXAMPLES.flatMap((example, index) => {
    const payment = deliveredPayments[index * 3]
    if (!payment) return []
    const { state, source, provider, openedHoursAgo, dueInHours, answer = null, pending = false } = example
    const hoursFromNow = (hours: number) => new Date(now.getTime() + hours * HOUR_MS).toISOString()
    const isFromGateway = source === 'gateway'
    const isClosed = state !== 'open' && state !== 'contested'
    return [
      createDispute(payment, {
        email: users.find(user => user.id === payment.user_id)?.email ?? '',
        id: `dispute-${index + 1}`,
        now,
        changes: {
          provider,
          source,
          state,
          gateway_reference: isFromGateway ? String(358_950 + index) : `CB-2026-00${index}`,
          gateway_status: isFromGateway ? GATEWAY_STATUSES[state] : null,
          category: example.category ?? null,
          reason: example.reason,
          // Part of this payment had been refunded before the dispute.
          refunded: index === 2 ? 1000 : 0,
          opened_at: hoursFromNow(-openedHoursAgo),
          due_at: dueInHours === null ? null : hoursFromNow(dueInHours),
          answer,
          answered_by: answer ? 'super@demo.test' : null,
          answered_at: answer ? hoursFromNow(-openedHoursAgo + 1) : null,
          answer_pending: pending,
          note: example.note ?? '',
          closed_at: isClosed ? hoursFromNow(-openedHoursAgo + 2) : null,
          can_answer: isFromGateway && state === 'open',
          can_record: !isFromGateway,
          created_at: hoursFromNow(-openedHoursAgo),
          updated_at: hoursFromNow(-openedHoursAgo + (answer ? 1 : 0)),
        },
      }),
    ]
  })
}
