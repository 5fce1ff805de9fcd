import { formatMinor } from '@portal/format/money'
import { findUser } from '../accounts/store.ts'
import type { Tx } from '../db/database.ts'
import { recordLogEntry } from '../logs/store.ts'
import { notifyReversal } from '../notifications/notify.ts'
import { notifyChargebackReversed, notifyRefundNeedsAttention } from '../notifications/notify-money.ts'
import type { Requery } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { sumLostInDisputes } from './disputed-store.ts'
import { notifyDoubleRefund } from './double-refund-alert.ts'
import {
  balancesOf,
  findMoneyAtGateway,
  insertEntries,
  insertRefunds,
  type MoneyAtGateway,
  stopRefunds,
} from './money-store.ts'
import { listPaymentSubjects } from './payment-subjects.ts'
import { listRefundsByStatus } from './refund-store.ts'
import { bookReversal, bookUndoneReversal } from './rules.ts'
import { appendEvent, appendNewEvent, compareAndSet, type Payment, type PaymentEvent } from './store.ts'
import { creditTopup, reverseTopup } from './topup.ts'

/*
 * Handles payments that a gateway reverses itself, e.g. after a lost dispute, and reversals that it undoes, e.g. after a won
 * dispute. After the first reversal or a refund, further events do not change the payment's state; ledger and history show
 * them.
 */

/** Reverses a payment in the ledger. Nothing is owed for it any more. */
export async function reverseInLedger(
  ports: Ports,
  db: Tx,
  { payment, at }: { payment: Payment; at: number },
): Promise<void> {
  const paymentId = payment.id
  const balances = await balancesOf(db, { paymentId })
  for (const currency of new Set(balances.map(balance => balance.currency))) {
    const currencyBalances = balances.filter(balance => balance.currency === currency)
    const organisationBalances = currencyBalances.filter(({ account }) => isOrganisationAccount(account))
    const minor = -organisationBalances.reduce((sum, balance) => sum + balance.minor, 0)
    const entries = [
      ...bookReversal(currencyBalances.filter(balance => !organisationBalances.includes(balance))),
      ...(minor > 0 ? await reverseTopup(ports, db, { payment, minor, at }) : []),
    ]
    await insertEntries(db, { paymentId, entries, currency, at })
  }
  await stopRefunds(db, { paymentId, at })
}

/**
 * True for ledger accounts that contain a credited top-up. The part of it that was spent, or used to pay debt, is also taken
 * from the balance.
 */
const isOrganisationAccount = (account: string) =>
  account === 'organisation_balances' || account === 'organisation_debts'

type Payer = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** Logs a chargeback, and notifies the payer. */
export async function notifyChargeback(
  db: Tx,
  { payer, payment, numbers, at }: { payer: Payer; payment: Payment; numbers: readonly string[]; at: number },
): Promise<void> {
  await recordLogEntry(db, {
    userId: payer.id,
    userEmail: payer.email,
    activity: 'Payment reversed',
    details: payment.transactionId,
    at,
  })
  await notifyReversal(db, { payer, payment, numbers, at })
}

/** Returns a key that makes each occurrence of an event unique, even within the same transaction of the gateway. */
const occurrenceKey = (seen: Payment, event: EventDetails) => `${event.providerTxnId ?? ''}:${seen.version}`

type EventDetails = Omit<PaymentEvent, 'type'>

async function readPayerAndNumbers(db: Tx, seen: Payment) {
  const payer = await findUser(db, { id: seen.userId })
  if (!payer) throw new Error('the user of a payment does not exist')
  return { payer, numbers: await listPaymentSubjects(db, seen) }
}

/**
 * Books a further reversal of a payment: of all its money that the gateway still has, or has received again. The payment keeps
 * its state.
 */
export async function recordRepeatedReversal(
  ports: Ports,
  db: Tx,
  seen: Payment,
  event: EventDetails,
): Promise<void> {
  const received = (await findMoneyAtGateway(db, { paymentIds: [seen.id] })).get(seen.id)
  if (!received || received.remainingMinor <= 0) return
  const { at } = event
  await compareAndSet(db, seen, { updatedAt: at })
  const amountMinor = received.remainingMinor
  await appendEvent(db, {
    ...event,
    type: 'reversed',
    providerTxnId: occurrenceKey(seen, event),
    amountMinor,
  })
  await notifyDoubleRefund(ports, db, seen, at)
  await reverseInLedger(ports, db, { payment: seen, at })
  // A payer whose refund was completed has been notified of it. A payer who was promised a refund must be told that there will
  // be none.
  if (seen.status === 'reversed')
    await notifyChargeback(db, { ...(await readPayerAndNumbers(db, seen)), payment: seen, at })
}

/**
 * Books that the gateway returned an amount that it had reversed. The letter has been withdrawn, and the numbers may have been
 * paid for since, so everything that the payer does not owe is refunded.
 * @returns the payment's current state
 */
export async function recordReturnedReversal(
  ports: Ports,
  db: Tx,
  { seen, answer, event }: { seen: Payment; answer: Requery | undefined; event: EventDetails },
): Promise<Payment> {
  const amountPaid = answer?.amountPaid
  const received = (await findMoneyAtGateway(db, { paymentIds: [seen.id] })).get(seen.id)
  if (!amountPaid || !received || answer.mode !== seen.mode || amountPaid.currency !== received.currency)
    return seen
  // If a dispute was only partly won, the rest stays reversed.
  const lostInDisputesMinor = await sumLostInDisputes(db, { paymentId: seen.id })
  const stillTakenMinor = Math.max(
    0,
    (answer.returnedMinor ?? 0) - computeRefundedByPortal(received),
    lostInDisputesMinor,
  )
  const amountMinor =
    received.reversedMinor - Math.max(0, received.minor - amountPaid.minor) - stillTakenMinor
  if (amountMinor <= 0) return seen
  const { at } = event
  const { currency } = received
  await compareAndSet(db, seen, { updatedAt: at })
  const type = 'reversal_undone'
  await appendEvent(db, { ...event, type, providerTxnId: occurrenceKey(seen, event), amountMinor })
  ports.log({ level: 'error', event: type, payment: seen.id })
  const returnEntries = bookUndoneReversal(amountMinor)
  const key = `undone@${seen.version}`
  const creditEntries = await creditTopup(ports, db, { payment: seen, minor: amountMinor, key, at })
  const entries = creditEntries ? [...returnEntries.slice(0, 1), ...creditEntries] : returnEntries
  await insertEntries(db, { paymentId: seen.id, entries, currency, at })
  const owedMinor = await calculateOwedWithoutRefund(db, { paymentId: seen.id, currency })
  if (owedMinor > 0) {
    const refund = { reason: type, minor: owedMinor, key: `${type}@${seen.version}` } as const
    await insertRefunds(db, { paymentId: seen.id, due: [refund], currency, at })
  }
  const { payer, numbers } = await readPayerAndNumbers(db, seen)
  await recordLogEntry(db, {
    userId: payer.id,
    userEmail: payer.email,
    activity: 'Reversed payment received again',
    details: `${seen.transactionId}: ${formatMinor(amountMinor, currency)}${owedMinor > 0 ? ', refund due' : ''}`,
    at,
  })
  await notifyChargebackReversed(db, {
    payer,
    payment: seen,
    returnedMoney: { amountMinor, currency },
    refundDueMinor: owedMinor,
    numbers,
    at,
  })
  return { ...seen, version: seen.version + 1, updatedAt: at }
}

/** Returns the amount that the gateway has refunded at the portal's request. */
const computeRefundedByPortal = ({ minor, remainingMinor, reversedMinor }: MoneyAtGateway) =>
  minor - remainingMinor - reversedMinor

/** True if the gateway has made a refund that the portal requested, but the portal has not recorded that yet. */
export async function hasUnrecordedRefund(
  db: Tx,
  { paymentId, answer }: { paymentId: string; answer: Requery | undefined },
): Promise<boolean> {
  const returnedIds = answer?.returnedIds ?? []
  if (returnedIds.length === 0) return false
  const requested = await listRefundsByStatus(db, { paymentId, statuses: ['approved', 'needs_attention'] })
  return requested.some(({ providerRefundId: id }) => id !== null && returnedIds.includes(id))
}

const RETURNED_ELSEWHERE =
  'The gateway refunded this amount without an order from the portal. Check there before you approve a refund.'

/**
 * Handles a partial refund that the portal did not request; staff can make one in the gateway's dashboard. The letter stays
 * valid. Staff are notified once per amount, because a refund that is due here may be for the same money.
 */
export async function alertUnrequestedRefund(
  ports: Ports,
  db: Tx,
  { seen, answer, event }: { seen: Payment; answer: Requery | undefined; event: EventDetails },
): Promise<void> {
  const returnedMinor = answer?.returnedMinor
  const received = returnedMinor && (await findMoneyAtGateway(db, { paymentIds: [seen.id] })).get(seen.id)
  if (!received || answer?.mode !== seen.mode) return
  const { currency } = received
  const requested = await listRefundsByStatus(db, {
    paymentId: seen.id,
    statuses: ['approved', 'needs_attention'],
  })
  const inProgressMinor = requested.reduce((sum, refund) => sum + refund.amountMinor, 0)
  const amountMinor =
    returnedMinor - received.reversedMinor - computeRefundedByPortal(received) - inProgressMinor
  if (amountMinor <= 0) return
  const providerTxnId = `${event.providerTxnId ?? ''}:${returnedMinor}`
  if (!(await appendNewEvent(db, { ...event, type: 'returned_elsewhere', providerTxnId, amountMinor })))
    return
  ports.log({ level: 'error', event: 'returned_elsewhere', payment: seen.id })
  const refund = { amountMinor, currency }
  await notifyRefundNeedsAttention(db, { payment: seen, refund, note: RETURNED_ELSEWHERE, at: event.at })
}

/** Returns the amount that the ledger owes to the payer and for which no refund is stored yet. */
async function calculateOwedWithoutRefund(
  db: Tx,
  { paymentId, currency }: { paymentId: string; currency: string },
): Promise<number> {
  const balances = await balancesOf(db, { paymentId })
  const owed = balances.find(row => row.account === 'refund_payable' && row.currency === currency)?.minor ?? 0
  const open = await listRefundsByStatus(db, {
    paymentId,
    statuses: ['due', 'approved', 'failed', 'needs_attention'],
  })
  return -owed - open.reduce((sum, refund) => sum + refund.amountMinor, 0)
}
