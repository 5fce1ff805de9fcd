import type {
  RefundBank,
  RefundMethod,
  RefundReason,
  RefundRecord,
  RefundStatus,
} from '@portal/contract/refunds'
import { toMajor } from '@portal/format/money'
import { refundMessages } from '@portal/rules/messages'
import { CURRENCY } from './currency.ts'

/** The fields of a payment that are used here; see `state.ts`. */
interface DemoPayment {
  transaction_id: string
  payment_reference: string
  user_id: string
  status: string
  certificate: object | null
  amount_minor: number
  initiated_at: string
  ended_at: string | null
}

interface Scenario {
  status: RefundStatus
  reason: RefundReason
  way: RefundMethod | null
  provider: string
  note?: string
}

/** Refunds in every status. */
const EXAMPLES: readonly Scenario[] = [
  { status: 'due', reason: 'duplicate', way: 'bank', provider: 'sandbox' },
  { status: 'due', reason: 'certificate_vanished', way: 'gateway', provider: 'paystack' },
  { status: 'approved', reason: 'duplicate', way: null, provider: 'paystack' },
  {
    status: 'failed',
    reason: 'certificate_vanished',
    way: 'gateway',
    provider: 'paystack',
    note: refundMessages.refused,
  },
  {
    status: 'needs_attention',
    reason: 'duplicate',
    way: 'bank',
    provider: 'paystack',
    note: refundMessages.needsManualAction,
  },
  { status: 'processed', reason: 'mismatch', way: null, provider: 'sandbox' },
  { status: 'processed', reason: 'duplicate', way: null, provider: 'paystack' },
]

/** Banks that the mocked gateway offers for refunds. */
export const demoBanks: readonly RefundBank[] = [
  { id: '174', code: '801', name: 'Abbey Mortgage Bank' },
  { id: '173', code: '559', name: 'Coronation Merchant Bank' },
  { id: '170', code: '50746', name: 'Petra Microfinance Bank Plc' },
]

/** Returns the refund that is due for a payment whose certificate was deleted before the payment was completed. */
export const deletedCertificateRefund = (
  payment: DemoPayment,
  { id, email, amount, now }: { id: string; email: string; amount: number; now: Date },
): RefundRecord => ({
  id,
  transaction_id: payment.transaction_id,
  payment_reference: payment.payment_reference,
  email,
  amount,
  currency: CURRENCY,
  reason: 'certificate_vanished',
  status: 'due',
  way: 'bank',
  takes_account: false,
  provider: 'sandbox',
  gateway_refund_id: null,
  bank_reference: null,
  attempts: 0,
  note: null,
  approved_by: null,
  approved_at: null,
  processed_at: null,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})

/** Returns refunds for some of the demo's past payments that had no result, newest first. */
export function demoRefunds(
  payments: readonly DemoPayment[],
  users: readonly { id: string; email: string }[],
): RefundRecord[] {
  const paidWithoutResult = payments.filter(item => item.status === 'paid' && item.certificate === null)
  return EXAMPLES.flatMap((example, index) => {
    const payment = paidWithoutResult[index]
    if (!payment) return []
    const { status, reason, way, provider, note = null } = example
    const at = payment.ended_at ?? payment.initiated_at
    const isApproved = status !== 'due'
    const byGateway = provider === 'paystack'
    const isProcessed = status === 'processed'
    return [
      {
        id: `refund-${index + 1}`,
        transaction_id: payment.transaction_id,
        payment_reference: payment.payment_reference,
        email: users.find(user => user.id === payment.user_id)?.email ?? '',
        amount: toMajor(payment.amount_minor),
        currency: CURRENCY,
        reason,
        status,
        way,
        takes_account: status === 'needs_attention' && byGateway,
        provider,
        gateway_refund_id: isApproved && byGateway ? `R${7000 + index}` : null,
        bank_reference: isProcessed && !byGateway ? `FT-2024-00${index}71` : null,
        attempts: isApproved && byGateway ? 1 : 0,
        note,
        approved_by: isApproved ? 'super@demo.test' : null,
        approved_at: isApproved ? at : null,
        processed_at: isProcessed ? at : null,
        created_at: at,
        updated_at: at,
      },
    ]
  })
}
