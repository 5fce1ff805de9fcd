import type { Tx } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import {
  bookDispute,
  bookDisputeFee,
  bookDisputeLost,
  bookDisputeWon,
  bookEndedDispute,
} from './dispute-rules.ts'
import { reverse } from './enter-state.ts'
import { balancesOf, findMoneyAtGateway, insertEntries, stopRefunds } from './money-store.ts'
import { listRefundsByStatus } from './refund-store.ts'
import type { Entry } from './rules.ts'
import { findPaymentById, type SyncSource } from './store.ts'
import { applyToBalance } from './topup.ts'

/*
 * Effects of a dispute on the ledger and the payment. Disputed money is reserved in a separate ledger account until the dispute
 * ends. The amount decides whether a lost dispute reverses the payment, as with other reversals (decision 080).
 */

interface DisputedAmount {
  paymentId: string
  currency: string
  /** Amount in minor units. */
  minor: number
  at: number
}

const insertIfPositive = (db: Tx, { minor, ...entry }: DisputedAmount, book: (minor: number) => Entry[]) =>
  minor > 0 ? insertEntries(db, { ...entry, entries: book(minor) }) : undefined

/** Reserves the disputed amount, as far as the gateway still has it. @returns the amount that was reserved */
export async function holdDisputed(db: Tx, { minor, ...entry }: DisputedAmount): Promise<number> {
  const balances = await balancesOf(db, entry)
  const clearingBalance = balances.find(
    ({ account, currency }) => account === 'gateway_clearing' && currency === entry.currency,
  )
  const heldMinor = Math.max(0, Math.min(minor, clearingBalance?.minor ?? 0))
  await insertIfPositive(db, { ...entry, minor: heldMinor }, bookDispute)
  return heldMinor
}

/** Returns how much of a reserved amount is left. It can be less than was reserved, because a reversal also takes from it. */
async function findStillHeld(db: Tx, { paymentId, currency, minor }: DisputedAmount): Promise<number> {
  const balances = await balancesOf(db, { paymentId })
  const heldMinor = balances.find(row => row.account === 'disputes' && row.currency === currency)?.minor ?? 0
  return Math.max(0, Math.min(minor, heldMinor))
}

/** Releases what was reserved for a dispute that ended without taking any money. */
export async function releaseDisputed(db: Tx, held: DisputedAmount): Promise<void> {
  await insertIfPositive(db, { ...held, minor: await findStillHeld(db, held) }, bookEndedDispute)
}

/**
 * Books the amount that a dispute took. If the gateway then has nothing left of the payment, the payment is reversed and its
 * letters are withdrawn; otherwise the letters stay valid.
 * @param minor the amount taken; `heldMinor` is the part that was reserved for it
 * @returns the amount booked: `minor`, or less if the gateway had less of the payment
 */
export async function bookLostDispute(
  ports: Ports,
  db: Tx,
  {
    minor,
    heldMinor,
    source,
    actorId,
    ...entry
  }: DisputedAmount & {
    heldMinor: number
    source: SyncSource
    actorId?: string | undefined
  },
): Promise<number> {
  const { paymentId, currency, at } = entry
  const received = (await findMoneyAtGateway(db, { paymentIds: [paymentId] })).get(paymentId)
  const remainingMinor = received?.currency === currency ? received.remainingMinor : 0
  const takenMinor = Math.min(minor, remainingMinor)
  if (takenMinor <= 0) {
    await releaseDisputed(db, { ...entry, minor: heldMinor })
    return 0
  }
  if (takenMinor >= remainingMinor) {
    const payment = await findPaymentById(db, { id: paymentId })
    if (payment && (await reverse(ports, db, payment, { source, actorId, amountMinor: takenMinor, at })))
      return takenMinor
  }
  const reservedMinor = await findStillHeld(db, { ...entry, minor: heldMinor })
  const owedMinor = await findOwedIfCovered(db, { paymentId, currency, minor: takenMinor })
  const payment = await findPaymentById(db, { id: paymentId })
  const entries = bookDisputeLost(takenMinor, { heldMinor: reservedMinor, owedMinor })
  const bookedEntries = await applyToBalance(ports, db, { payment, entries, at })
  await insertEntries(db, { paymentId, currency, at, entries: bookedEntries })
  if (owedMinor > 0) await stopRefunds(db, { paymentId, at })
  await releaseDisputed(db, { ...entry, minor: reservedMinor - Math.min(reservedMinor, takenMinor) })
  return takenMinor
}

/**
 * Returns the amount owed to the payer, if the amount that was taken covers it and no part of it is being refunded; otherwise
 * 0.
 */
async function findOwedIfCovered(
  db: Tx,
  { paymentId, currency, minor }: { paymentId: string; currency: string; minor: number },
): Promise<number> {
  const balances = await balancesOf(db, { paymentId })
  const owedMinor = -(
    balances.find(row => row.account === 'refund_payable' && row.currency === currency)?.minor ?? 0
  )
  const inProgress = await listRefundsByStatus(db, { paymentId, statuses: ['approved'] })
  return owedMinor > 0 && owedMinor <= minor && inProgress.length === 0 ? owedMinor : 0
}

/**
 * Books that part of an amount taken by a dispute was returned. For a reversed payment, this is left to the requery, which
 * finds the returned money as after any other reversal.
 */
export async function bookReturnedDispute(
  ports: Ports,
  db: Tx,
  { paymentId, currency, minor, at }: DisputedAmount,
): Promise<void> {
  const payment = await findPaymentById(db, { id: paymentId })
  if (payment?.status === 'reversed' || minor <= 0) return
  const entries = await applyToBalance(ports, db, { payment, entries: bookDisputeWon(minor), at })
  await insertEntries(db, { paymentId, currency, at, entries })
}

/** Books the gateway's fee for a dispute. */
export async function bookFeeForDispute(db: Tx, fee: DisputedAmount): Promise<void> {
  await insertIfPositive(db, fee, bookDisputeFee)
}
