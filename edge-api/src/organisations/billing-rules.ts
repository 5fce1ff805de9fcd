import type { Invoice, Movement, Statement, Topup } from '@portal/contract/organisation-billing'
import { toMajor } from '@portal/format/money'
import { isOpen } from '../db/schema/payment-states.ts'
import type { Payment } from '../payments/store.ts'
import { CURRENCY } from '../settings/rules.ts'
import { statusOfPayment } from '../verification/rules.ts'
import { topupMessageOf } from '../verification/topup-message.ts'
import { iso, isoOrNull, majorOrNull } from '../wire.ts'
import type { InvoiceRow, MovementRow, Period } from './billing-store.ts'

/** Offset of the time zone in which months are counted: West Africa Time is UTC+1 all year. */
const WAT_OFFSET_MS = 3_600_000

/** Returns the calendar month of a time, `YYYY-MM`. */
export const monthOf = (at: number): string => new Date(at + WAT_OFFSET_MS).toISOString().slice(0, 7)

/** Returns the start and end of a calendar month. @param month `YYYY-MM` */
export function boundsOf(month: string): Period {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { from: Date.UTC(year, number - 1) - WAT_OFFSET_MS, before: Date.UTC(year, number) - WAT_OFFSET_MS }
}

/** Lists the calendar months between two times, including those of the times themselves, newest first. */
export function monthsBetween(from: number, until: number): string[] {
  const months: string[] = []
  const firstMonth = monthOf(from)
  for (let month = monthOf(until); month >= firstMonth; month = monthOf(boundsOf(month).from - 1))
    months.push(month)
  return months
}

export const toMovement = (row: MovementRow): Movement => ({
  id: row.id,
  type: row.type,
  amount: toMajor(row.amountMinor),
  balance_after: toMajor(row.balanceAfterMinor),
  at: iso(row.at),
  description: row.description,
  transaction_id: row.transactionId,
})

export const toStatement = (
  month: string,
  {
    openingMinor,
    creditsMinor,
    debitsMinor,
  }: { openingMinor: number; creditsMinor: number; debitsMinor: number },
  now: number,
): Statement => ({
  month,
  opening: toMajor(openingMinor),
  credits: toMajor(creditsMinor),
  debits: toMajor(debitsMinor),
  closing: toMajor(openingMinor + creditsMinor - debitsMinor),
  currency: CURRENCY,
  final: month < monthOf(now),
})

export const formatInvoiceNumber = ({
  year,
  numberInYear,
}: Pick<InvoiceRow, 'year' | 'numberInYear'>): string =>
  `INV-${year}-${String(numberInYear).padStart(6, '0')}`

export const toInvoice = (row: InvoiceRow, now: number): Invoice => ({
  id: row.id,
  number: formatInvoiceNumber(row),
  amount: toMajor(row.amountMinor),
  currency: CURRENCY,
  state: row.state === 'open' && row.expiresAt <= now ? 'expired' : row.state,
  due_on: row.dueOn,
  created_at: iso(row.createdAt),
  paid_at: isoOrNull(row.paidAt),
  // The cast is safe, because this is always stored as a list of lines.
  bank_details: row.bankDetails as string[],
})

export const toTopup = (payment: Payment): Topup => ({
  transaction_id: payment.transactionId,
  payment_reference: payment.providerReference,
  status: statusOfPayment(payment),
  ...topupMessageOf(payment),
  resolution: payment.resolution,
  amount_due: toMajor(payment.amountMinor),
  amount_paid: majorOrNull(payment.amountPaidMinor),
  currency: payment.currency,
  initiated_at: iso(payment.createdAt),
  expires_at: isOpen(payment.status) ? iso(payment.expiresAt) : null,
  paid_at: isoOrNull(payment.paidAt),
})
