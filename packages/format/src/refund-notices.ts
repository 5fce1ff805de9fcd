import { formatMinor } from './money.ts'
import { subject } from './notices.ts'

/* What people are told of money that goes back, and of money that only a gateway knows. */

interface RefundFacts {
  /** Certificate numbers that were paid for. */
  numbers: readonly string[]
  /** The payment's reference given to the gateway. */
  reference: string
  /** What went back, in minor units. */
  minor: number
  currency: string
}

/** To the payer: money that went back. */
export const refundNotice = ({ numbers, reference, minor, currency }: RefundFacts) => ({
  kind: 'refund_sent' as const,
  title: 'Refund sent',
  body:
    `${subject(numbers)}: ` +
    `${formatMinor(minor, currency)} was sent back to you. Payment reference ${reference}.`,
})

/** To the payer: money that came after the payment had been booked. */
export const moreMoneyNotice = ({ numbers, reference, minor, currency }: RefundFacts) => ({
  kind: 'refund_due' as const,
  title: 'Refund due',
  body:
    `${subject(numbers)}: ` +
    `${formatMinor(minor, currency)} more came than we had booked. It is due back to you. Payment reference ${reference}.`,
})

/** To the payer: money that had been taken back and came again. */
export const broughtAgainNotice = ({ numbers, reference, minor, currency }: RefundFacts) => ({
  kind: 'refund_due' as const,
  title: 'Refund due',
  body:
    `${subject(numbers)}: ` +
    `the payment that had been taken back came to us again. ${formatMinor(minor, currency)} is due back to you. Payment reference ${reference}.`,
})

/** To staff: money that could not go back, and why. */
export const refundTroubleNotice = (
  { reference, minor, currency }: Omit<RefundFacts, 'numbers'>,
  note: string,
) => ({
  kind: 'refund_trouble' as const,
  title: 'Refund needs attention',
  body: `Payment ${reference}, ${formatMinor(minor, currency)}: ${note}`,
})

/** To staff: payments that only a gateway knows, one of them named. */
export const orphanNotice = ({
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
      ? `${provider} has a payment ${reference} that the portal knows nothing of.`
      : `${provider} has ${count} payments that the portal knows nothing of, ${reference} among them.`,
})
