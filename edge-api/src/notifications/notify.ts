import { errorCatalogue, errorCodes } from '@portal/contract/errors'
import type { LetterLink } from '@portal/contract/letter'
import type { Role } from '@portal/contract/shapes'
import {
  bulkNotice,
  emailVerifiedNotice,
  expiredNotice,
  failedNotice,
  letterStatusNotices,
  mismatchNotice,
  outcomeNotices,
  passwordChangedNotice,
  reversedNotice,
  staffMismatchNotice,
  topupReversedNotice,
} from '@portal/format/notices'
import type { Tx } from '../db/database.ts'
import type { ItemOutcome } from '../db/schema/payment-states.ts'
import { type LinkedPayment, linkForPayer, linkTo, linkToPayment } from './links.ts'
import { notify, notifyStaff } from './store.ts'

/*
 * One function for each event that causes a notification in the portal. They are called in the transaction of the event.
 * Amounts are in minor units, times in milliseconds.
 */

interface Person {
  id: string
  role: Role
}

interface PaymentFacts extends LinkedPayment {
  transactionId: string
  providerReference: string
  amountMinor: number
  currency: string
}

/** Notifies the payer of the result of a payment, if its amount and currency were as expected. */
export async function notifyOutcome(
  db: Tx,
  {
    payer,
    payment,
    deliveredItems,
    resolution,
    receivedMinor,
    excessMinor,
    at,
  }: {
    payer: Person
    payment: PaymentFacts
    deliveredItems: readonly { certificateNumber: string; outcome: ItemOutcome }[]
    resolution: ItemOutcome
    receivedMinor: number
    excessMinor: number
    at: number
  },
): Promise<void> {
  const count = (outcome: ItemOutcome) => deliveredItems.filter(item => item.outcome === outcome).length
  const counts = {
    verified: count('verified'),
    not_found: count('not_found'),
    refund_due: count('refund_due'),
  }
  const facts = {
    numbers: deliveredItems.map(item => item.certificateNumber),
    reference: payment.providerReference,
    receivedMinor,
    excessMinor,
    currency: payment.currency,
  }
  const isMixed = counts[resolution] < deliveredItems.length
  const notice = isMixed ? bulkNotice(counts, facts) : outcomeNotices[resolution](facts)
  await notify(db, { ...notice, userId: payer.id, link: linkTo('history', payer.role), at })
}

const getDeclineMessage = (declineCode: string | undefined): string =>
  errorCatalogue[errorCodes.find(code => code === declineCode) ?? 'PAYMENT_FAILED'].message

/** Notifies the payer that a payment failed or expired. A payer who cancelled it is not notified. */
export async function notifyFailure(
  db: Tx,
  {
    payer,
    payment,
    numbers,
    status,
    declineCode,
    at,
  }: {
    payer: Person
    payment: LinkedPayment
    numbers: readonly string[]
    status: 'failed' | 'expired'
    declineCode: string | undefined
    at: number
  },
): Promise<void> {
  const notice =
    status === 'expired' ? expiredNotice(numbers) : failedNotice(numbers, getDeclineMessage(declineCode))
  await notify(db, { ...notice, userId: payer.id, link: linkForPayer(payment, 'verify', payer.role), at })
}

/** Notifies the payer and all staff that money was received that does not match the payment. */
export async function notifyMismatch(
  db: Tx,
  {
    payer,
    payment,
    numbers,
    received,
    at,
  }: {
    payer: Person
    payment: PaymentFacts
    numbers: readonly string[]
    received: { minor: number; currency: string } | undefined
    at: number
  },
): Promise<void> {
  const facts = {
    numbers,
    reference: payment.providerReference,
    expected: { minor: payment.amountMinor, currency: payment.currency },
    received,
  }
  const link = linkForPayer(payment, 'history', payer.role)
  await notify(db, { ...mismatchNotice(facts), userId: payer.id, link, at })
  await notifyStaff(db, { ...staffMismatchNotice(facts), link: linkToPayment(payment.transactionId), at })
}

/** Notifies the payer that the gateway reversed a payment. */
export async function notifyReversal(
  db: Tx,
  {
    payer,
    payment,
    numbers,
    at,
  }: { payer: Person; payment: PaymentFacts; numbers: readonly string[]; at: number },
): Promise<void> {
  const { providerReference } = payment
  const notice = (payment.purpose === 'topup' ? topupReversedNotice : reversedNotice)(
    numbers,
    providerReference,
  )
  await notify(db, { ...notice, userId: payer.id, link: linkForPayer(payment, 'history', payer.role), at })
}

/** Notifies a letter holder of the new status of some letters; `numbers` are their certificate numbers. */
export async function notifyLetterStatus(
  db: Tx,
  {
    holder,
    numbers,
    status,
    at,
  }: { holder: Person; numbers: readonly string[]; status: LetterLink['status']; at: number },
): Promise<void> {
  const notice = letterStatusNotices[status](numbers)
  await notify(db, { ...notice, userId: holder.id, link: linkTo('history', holder.role), at })
}

/** Welcomes the owner of an account whose address has been confirmed for the first time. */
export const notifyWelcome = (db: Tx, user: Person, at: number): Promise<void> =>
  notify(db, { ...emailVerifiedNotice, userId: user.id, link: linkTo('verify', user.role), at })

export const notifyPasswordChanged = (db: Tx, user: Person, at: number): Promise<void> =>
  notify(db, { ...passwordChangedNotice, userId: user.id, link: linkTo('profile', user.role), at })
