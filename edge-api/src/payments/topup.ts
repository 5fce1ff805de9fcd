import { formatMinor } from '@portal/format/money'
import { findUser } from '../accounts/store.ts'
import type { Tx } from '../db/database.ts'
import { recordLogEntry } from '../logs/store.ts'
import { findOrganisation } from '../membership/store.ts'
import { chargeBack, credit } from '../organisation-money/credit.ts'
import type { Ports } from '../ports.ts'
import { insertEntries, insertRefunds } from './money-store.ts'
import { type Entry, withoutZeros } from './rules.ts'
import type { Payment } from './store.ts'

/* Top-ups of organisations: how card payments, chargebacks and late receipts affect a balance. */

/** Returns the ID of the organisation to credit; undefined if it has been closed, or the payment is not a top-up. */
async function findCreditableOrganisation(db: Tx, payment: Payment): Promise<string | undefined> {
  if (payment.purpose !== 'topup' || payment.organisationId === null) return undefined
  const organisation = await findOrganisation(db, { id: payment.organisationId })
  return organisation && organisation.state !== 'closed' ? organisation.id : undefined
}

const describeTopup = (payment: Payment) =>
  payment.provider === 'bank' ? 'Bank transfer' : `Card top-up ${payment.providerReference}`

/**
 * Credits money received for a top-up.
 * @param key identifies the receipt
 * @returns the organisation's ledger entries, or undefined if it cannot be credited
 */
export async function creditTopup(
  ports: Ports,
  db: Tx,
  { payment, minor, key, at }: { payment: Payment; minor: number; key: string; at: number },
): Promise<Entry[] | undefined> {
  const organisationId = await findCreditableOrganisation(db, payment)
  if (organisationId === undefined) return undefined
  return await credit(ports, db, 'topup', {
    organisationId,
    amountMinor: minor,
    paymentId: payment.id,
    description: describeTopup(payment),
    key: `topup:${payment.id}:${key}`,
    at,
  })
}

/** Deducts from the balance a top-up that the gateway has reversed. @returns the organisation's ledger entries */
export async function reverseTopup(
  ports: Ports,
  db: Tx,
  { payment, minor, at }: { payment: Payment; minor: number; at: number },
): Promise<Entry[]> {
  if (payment.organisationId === null) throw new Error('a top-up has no organisation')
  return await chargeBack(ports, db, {
    organisationId: payment.organisationId,
    amountMinor: minor,
    paymentId: payment.id,
    description: `Chargeback of card top-up ${payment.providerReference}`,
    key: `chargeback:${payment.id}@${payment.version}`,
    at,
  })
}

/** For a top-up, replaces revenue entries with entries of the organisation's balance; for a verification, keeps them. */
export async function applyToBalance(
  ports: Ports,
  db: Tx,
  { payment, entries, at }: { payment: Payment | undefined; entries: readonly Entry[]; at: number },
): Promise<Entry[]> {
  const minor = entries.find(({ account }) => account === 'revenue')?.minor ?? 0
  if (payment?.purpose !== 'topup' || minor === 0) return [...entries]
  const others = entries.filter(({ account }) => account !== 'revenue')
  if (minor > 0) return [...others, ...(await reverseTopup(ports, db, { payment, minor, at }))]
  const key = `returned@${payment.version}:${at}`
  const creditEntries = await creditTopup(ports, db, { payment, minor: -minor, key, at })
  return creditEntries ? [...others, ...creditEntries] : [...entries]
}

/** Returns the resolution of a paid top-up: a refund is due if the organisation has been closed. */
export const planTopup = async (db: Tx, payment: Payment): Promise<'refund_due' | null> =>
  (await findCreditableOrganisation(db, payment)) === undefined ? 'refund_due' : null

/**
 * Books a paid top-up: credits the amount received, less a gateway fee that the payer bore. If the organisation has been
 * closed, the amount becomes a refund due.
 */
export async function fulfilTopup(
  ports: Ports,
  db: Tx,
  {
    payment,
    receivedMinor,
    passedOnMinor,
    at,
  }: { payment: Payment; receivedMinor: number; passedOnMinor: number; at: number },
): Promise<void> {
  const { id: paymentId, currency, organisationId } = payment
  const minor = receivedMinor - passedOnMinor
  const receiptEntry = {
    account: 'gateway_clearing' as const,
    minor: receivedMinor,
    reason: 'payment received',
  }
  const creditEntries = await creditTopup(ports, db, { payment, minor, key: 'paid', at })
  const reason = 'organisation_closed' as const
  const entries: Entry[] = creditEntries
    ? [receiptEntry, { account: 'fees', minor: -passedOnMinor, reason: 'fee passed on' }, ...creditEntries]
    : [receiptEntry, { account: 'refund_payable', minor: -receivedMinor, reason }]
  await insertEntries(db, { paymentId, entries: withoutZeros(entries), currency, at })
  if (!creditEntries) {
    const due = [{ reason, minor: receivedMinor, key: reason }]
    await insertRefunds(db, { paymentId, due, currency, at })
  }
  const payer = await findUser(db, { id: payment.userId })
  await recordLogEntry(db, {
    userId: payment.userId,
    userEmail: payer?.email ?? null,
    ipAddress: payment.ipAddress,
    activity: 'Organisation payment received',
    details: `${payment.transactionId}: ${formatMinor(receivedMinor, currency)}${creditEntries ? '' : ', refund due'}`,
    organisationId,
    at,
  })
}
