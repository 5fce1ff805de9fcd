import type { TaxLine } from '@portal/contract/tax'
import type { Tx } from '../db/database.ts'
import type { ItemOutcome } from '../db/schema/payment-states.ts'
import { withdrawLettersOf } from '../letters/store.ts'
import { recordLogEntry } from '../logs/store.ts'
import { sendMailOnCommit } from '../mail/outbox.ts'
import { readSender, toSender } from '../mail/sender.ts'
import type { Sender } from '../mail/templates.ts'
import { notifyFailure, notifyMismatch, notifyOutcome } from '../notifications/notify.ts'
import { formatNumberList } from '../number-list.ts'
import { recordLetterStatus } from '../organisation-events/letter-events.ts'
import type { Ports } from '../ports.ts'
import type { Settings } from '../settings/rules.ts'
import { toTaxRate } from '../settings/tax-line.ts'
import { type DeliveredItem, type Delivery, deliver, findPayer, type Payer } from './delivery.ts'
import { insertEntries, insertRefunds } from './money-store.ts'
import { composeOutcomeMail } from './outcome-mail.ts'
import { listPaymentSubjects } from './payment-subjects.ts'
import { notifyChargeback, reverseInLedger } from './reversals.ts'
import { bookMismatch, bookReceipt } from './rules.ts'
import { listPaymentItems, type Payment } from './store.ts'

/**
 * Applies all effects of a payment whose money matched: fulfilment and letter of each item, refunds due, ledger, mail and an
 * entry in the activity log. Runs in the transaction that marks the payment as paid.
 * @param delivery as planned in this transaction
 * @param receivedMinor amount received, in minor units of the payment's currency; 0 for a free verification
 * @param passedOnMinor the gateway's fee that is included in that amount and borne by the payer
 */
export async function fulfil(
  ports: Ports,
  db: Tx,
  {
    payment,
    delivery,
    receivedMinor,
    passedOnMinor,
    at,
  }: { payment: Payment; delivery: Delivery; receivedMinor: number; passedOnMinor: number; at: number },
): Promise<void> {
  const { payer, resolution, settings } = delivery
  const deliveredItems = await deliver(db, { payment, delivery, at })
  const { refunds, entries } = bookReceipt(receivedMinor, deliveredItems, passedOnMinor)
  const { currency } = payment
  await insertEntries(db, { paymentId: payment.id, entries, currency, at })
  await insertRefunds(db, { paymentId: payment.id, due: refunds, currency, at })

  const excessMinor = refunds.find(({ reason }) => reason === 'over_payment')?.minor ?? 0
  const money = { receivedMinor, passedOnMinor, excessMinor }
  await notifyPayer(ports, db, { payment, payer, settings, resolution, deliveredItems, ...money, at })
}

/**
 * Books money that does not match its payment; all of it is due to the payer. A success in the wrong mode does not count as
 * money received.
 * @returns the payment's resolution
 */
export async function storeMismatch(
  ports: Ports,
  db: Tx,
  {
    payment,
    received,
    at,
  }: { payment: Payment; received: { minor: number; currency: string } | undefined; at: number },
): Promise<'refund_due' | 'review'> {
  const { refunds, entries } = bookMismatch(received?.minor ?? 0)
  const currency = received?.currency ?? payment.currency
  await insertEntries(db, { paymentId: payment.id, entries, currency, at })
  await insertRefunds(db, { paymentId: payment.id, due: refunds, currency, at })
  const resolution = refunds.length > 0 ? 'refund_due' : 'review'
  const payer = await findPayer(db, payment)
  await recordLogEntry(db, {
    userId: payer.id,
    userEmail: payer.email,
    ipAddress: payment.ipAddress,
    activity: 'Payment does not match',
    details: `${payment.transactionId}: ${outcomeLabels[resolution]}`,
    at,
  })
  const numbers = await listPaymentSubjects(db, payment)
  await notifyMismatch(db, { payer, payment, numbers, received, at })
  if (received && resolution === 'refund_due') {
    const sender = await readSender(db, ports)
    await mailOutcome(ports, db, { payment, payer, sender, resolution: 'mismatched', numbers, received })
  }
  return resolution
}

/** Applies the reversal of a payment by its gateway: reverses the ledger entries, and withdraws the letters. */
export async function applyReversal(
  ports: Ports,
  db: Tx,
  { payment, at }: { payment: Payment; at: number },
): Promise<void> {
  await reverseInLedger(ports, db, { payment, at })
  const items = await listPaymentItems(db, { paymentId: payment.id })
  const codes = await withdrawLettersOf(db, { itemIds: items.map(({ id }) => id), at })
  await recordLetterStatus(db, ports, { codes, status: 'withdrawn', at })
  const numbers = await listPaymentSubjects(db, payment)
  await notifyChargeback(db, { payer: await findPayer(db, payment), payment, numbers, at })
}

/** Names of a payment's resolutions in the activity log. */
export const outcomeLabels: Readonly<Record<ItemOutcome | 'review', string>> = {
  verified: 'verified',
  not_found: 'not found',
  refund_due: 'refund due',
  review: 'to be reviewed',
}

/** Activities in the log for a payment that was paid, and for payments that ended without money. */
export const PAID_ACTIVITY = 'Certificate verification paid'
export const UNPAID_ACTIVITIES = {
  failed: 'Payment declined',
  cancelled: 'Payment cancelled',
  expired: 'Payment expired',
} as const

/** Records that a payment ended without money, and notifies its payer, unless the payer cancelled it. */
export async function endUnpaid(
  db: Tx,
  {
    payment,
    to,
    declineCode,
    at,
  }: { payment: Payment; to: keyof typeof UNPAID_ACTIVITIES; declineCode?: string; at: number },
): Promise<void> {
  const payer = await findPayer(db, payment)
  const numbers = await listPaymentSubjects(db, payment)
  await recordLogEntry(db, {
    userId: payer.id,
    userEmail: payer.email,
    ipAddress: payment.ipAddress,
    activity: UNPAID_ACTIVITIES[to],
    details: formatNumberList(numbers),
    organisationId: payment.organisationId,
    at,
  })
  if (to === 'cancelled') return
  await notifyFailure(db, { payer, payment, numbers, status: to, declineCode, at })
}

const listNumbers = (items: readonly { certificateNumber: string }[]) =>
  items.map(item => item.certificateNumber)

async function notifyPayer(
  ports: Ports,
  db: Tx,
  {
    payment,
    payer,
    settings,
    resolution,
    deliveredItems,
    receivedMinor,
    passedOnMinor,
    excessMinor,
    at,
  }: {
    payment: Payment
    payer: Payer
    settings: Settings
    resolution: ItemOutcome
    deliveredItems: readonly DeliveredItem[]
    receivedMinor: number
    passedOnMinor: number
    excessMinor: number
    at: number
  },
): Promise<void> {
  await recordLogEntry(db, {
    userId: payer.id,
    userEmail: payer.email,
    ipAddress: payment.ipAddress,
    activity: PAID_ACTIVITY,
    details: `${formatNumberList(listNumbers(deliveredItems))}: ${outcomeLabels[resolution]}`,
    at,
  })
  await notifyOutcome(db, { payer, payment, deliveredItems, resolution, receivedMinor, excessMinor, at })
  await mailOutcome(ports, db, {
    payment,
    payer,
    sender: toSender(settings, ports),
    resolution,
    numbers: listNumbers(deliveredItems),
    outcomes: deliveredItems.map(item => item.outcome),
    received: { minor: receivedMinor, currency: payment.currency },
    passedOnMinor,
    ...toTaxRate(payment),
  })
}

/** Sends the result and the receipt in one mail, only once per payment. */
async function mailOutcome(
  ports: Ports,
  db: Tx,
  {
    payment,
    payer,
    sender,
    resolution,
    numbers,
    outcomes,
    received,
    passedOnMinor = 0,
    tax,
  }: {
    payment: Payment
    payer: Payer
    sender: Sender
    resolution: ItemOutcome | 'mismatched'
    numbers: readonly string[]
    outcomes?: readonly ItemOutcome[]
    received: { minor: number; currency: string }
    passedOnMinor?: number
    tax?: TaxLine
  },
): Promise<void> {
  const mail = composeOutcomeMail(sender, payer, {
    transactionId: payment.transactionId,
    reference: payment.providerReference,
    purpose: payment.purpose,
    organisationId: payment.organisationId,
    numbers,
    ...(outcomes && { outcomes }),
    receivedMinor: received.minor,
    passedOnMinor,
    currency: received.currency,
    tax,
    resolution,
  })
  await sendMailOnCommit(db, ports, { ...mail, dedupeKey: `payment:${payment.id}` })
}
