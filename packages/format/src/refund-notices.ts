import { formatMinor } from './money.ts'
import { subjectOf } from './notices.ts'

/* Notices about refunds, and about payments that exist only at the gateway. */

interface RefundFacts {
  /** The certificate numbers that were paid for. */
  numbers: readonly string[]
  /** Payment reference sent to the gateway. */
  reference: string
  /** Refunded amount in minor units. */
  minor: number
  currency: string
}

/** Returns the notice to the payer that a refund was sent. */
export const refundNotice = ({ numbers, reference, minor, currency }: RefundFacts) => ({
  kind: 'refund_sent' as const,
  title: 'Refund sent',
  body:
    `${subjectOf(numbers)}: ` +
    `${formatMinor(minor, currency)} was refunded to you. Payment reference ${reference}.`,
})

/** Returns the notice to the payer about a late payment or an overpayment. */
export const overpaymentNotice = ({ numbers, reference, minor, currency }: RefundFacts) => ({
  kind: 'refund_due' as const,
  title: 'Refund due',
  body:
    `${subjectOf(numbers)}: ` +
    `we received ${formatMinor(minor, currency)} more than was due. It will be refunded. Payment reference ${reference}.`,
})

/** Returns the notice to the payer about a reversed chargeback. */
export const chargebackReversedNotice = ({ numbers, reference, minor, currency }: RefundFacts) => ({
  kind: 'refund_due' as const,
  title: 'Refund due',
  body:
    `${subjectOf(numbers)}: ` +
    `the reversed payment was returned to us. ${formatMinor(minor, currency)} will be refunded. Payment reference ${reference}.`,
})

/** Returns the notice to staff about a refund that failed, with the reason. */
export const refundFailedNotice = (
  { reference, minor, currency }: Omit<RefundFacts, 'numbers'>,
  note: string,
) => ({
  kind: 'refund_trouble' as const,
  title: 'Refund needs attention',
  body: `Payment ${reference}, ${formatMinor(minor, currency)}: ${note}`,
})

/** Returns the notice to staff about payments that exist only at the gateway; it names one of them. */
export const unknownPaymentNotice = ({
  provider,
  count,
  reference,
}: {
  provider: string
  count: number
  reference: string
}) => ({
  kind: 'payment_orphan' as const,
  title: count === 1 ? 'Unknown payment at the gateway' : 'Unknown payments at the gateway',
  body:
    count === 1
      ? `${provider} has a payment ${reference} that is not in the portal.`
      : `${provider} has ${count} payments that are not in the portal, including ${reference}.`,
})
