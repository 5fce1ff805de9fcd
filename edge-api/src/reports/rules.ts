import { type Authentication, REPORT_DAYS, type Report } from '@portal/contract/admin-reports'
import { isoDateDaysBefore, toIsoDate } from '@portal/format/dates'
import { toMajor } from '@portal/format/money'
import { percentOf } from '@portal/format/numbers'
import { displayEmail } from '../erased.ts'
import { CURRENCY } from '../settings/rules.ts'
import { getPaidAmount, statusOfPayment } from '../verification/rules.ts'
import { iso, majorOrNull } from '../wire.ts'
import type { AuthenticationRow, DeliveryTotals, StateTotal } from './store.ts'

/** Converts a verification to a row in the list of everyone's verifications. */
export function toAuthentication({ payment, item, user, organisation }: AuthenticationRow): Authentication {
  const paidMinor = getPaidAmount(payment, item)
  return {
    id: item.id,
    user: { ...user, email: displayEmail(user.email) },
    organisation,
    certificate_number: item.certificateNumber,
    payment_status: statusOfPayment(payment),
    amount_paid: majorOrNull(paidMinor),
    payment_reference: payment.providerReference,
    authentication_result: item.result,
    authenticated_at: iso(item.resultAt),
    bpms_transaction_id: payment.transactionId,
  }
}

/** Returns the first and last day of a report. By default, the last is today, and the first `REPORT_DAYS` days before it. */
export function reportDaysOf(
  filter: { date_from?: string | undefined; date_to?: string | undefined },
  now: number,
): { first: string; last: string } {
  const last = filter.date_to ?? toIsoDate(now)
  return { first: filter.date_from ?? isoDateDaysBefore(REPORT_DAYS, last), last }
}

const statuses = ['paid', 'pending', 'failed'] as const

/** Builds a report in the API's format. @param totals payments by state; several states may have the same label */
export function buildReport(
  { first, last }: { first: string; last: string },
  delivered: DeliveryTotals,
  totals: readonly StateTotal[],
  outstanding: { count: number; minor: number },
  { taxMinor, feesMinor }: { taxMinor?: number | undefined; feesMinor?: number | undefined } = {},
): Report {
  return {
    date_from: first,
    date_to: last,
    currency: CURRENCY,
    verifications: delivered.verifications,
    successful: delivered.successful,
    not_found: delivered.notFound,
    success_rate: percentOf(delivered.successful, delivered.verifications),
    revenue: toMajor(delivered.revenueMinor),
    ...(taxMinor !== undefined && { tax: toMajor(taxMinor) }),
    ...(feesMinor !== undefined && { gateway_fees: toMajor(feesMinor) }),
    payments: statuses.map(status => {
      const rows = totals.filter(row => statusOfPayment(row) === status)
      const sum = (key: 'count' | 'dueMinor' | 'paidMinor') =>
        rows.reduce((total, row) => total + row[key], 0)
      return {
        status,
        count: sum('count'),
        amount_due: toMajor(sum('dueMinor')),
        amount_paid: status === 'paid' ? toMajor(sum('paidMinor')) : 0,
      }
    }),
    refunds_due: { count: outstanding.count, amount: toMajor(outstanding.minor) },
  }
}
