import {
  type Authentication,
  type AuthenticationResult,
  REPORT_DAYS,
  type adminReports as routes,
} from '@portal/contract/admin-reports'
import { isoDateDaysBefore, toIsoDate } from '@portal/format/dates'
import { toMajor } from '@portal/format/money'
import { percentOf } from '@portal/format/numbers'
import { includedTax } from '@portal/format/tax'
import { CURRENCY } from './currency.ts'
import { paginateRows } from './paginate-rows.ts'
import { earnedMinor } from './payments.ts'
import type { HandlersOf } from './serve.ts'
import type { MockPayment, MockState } from './state.ts'
import { listTransactions } from './transactions.ts'

function resultOf({ status, verification_status }: MockPayment): AuthenticationResult {
  if (status === 'pending') return 'pending'
  return verification_status === 'success' ? 'success' : 'failed'
}

/** Returns the organisation that paid from its balance; null for personal payments. */
function organisationOf(state: MockState, payment: MockPayment) {
  const found = state.organisations?.find(organisation => organisation.id === payment.user_id)
  return found ? { id: found.id, name: found.name } : null
}

/** Returns what the API sends in place of the payer's email address and name if an organisation paid. */
const organisationAccount = (state: MockState, payment: MockPayment) => {
  const found = organisationOf(state, payment)
  return found ? { email: 'Organisation', firstname: found.name, lastname: '' } : {}
}

function authenticationOf(state: MockState, payment: MockPayment): Authentication {
  const {
    email = '',
    firstname = '',
    lastname = '',
  } = state.users.find(user => user.id === payment.user_id) ?? organisationAccount(state, payment)
  return {
    id: `${payment.transaction_id}-${payment.certificate_number}`,
    user: { email, firstname, lastname },
    organisation: organisationOf(state, payment),
    certificate_number: payment.certificate_number,
    payment_status: payment.status,
    amount_paid: payment.status === 'paid' ? toMajor(payment.amount_minor) : null,
    payment_reference: payment.payment_reference,
    authentication_result: resultOf(payment),
    authenticated_at: (payment.status === 'paid' && payment.ended_at) || payment.initiated_at,
    bpms_transaction_id: payment.transaction_id,
  }
}

/** Returns the tax included in the revenue, which is rounded for each payment. */
function taxWithin(paid: readonly MockPayment[]): number {
  const byId = Map.groupBy(paid, item => item.transaction_id)
  const taxes = [...byId.values()].map(rows =>
    includedTax(earnedMinor(rows), rows[0]?.tax?.basis_points ?? 0),
  )
  return taxes.reduce((sum, item) => sum + item, 0)
}

/** Returns the total of the fees that the gateway has reported so far. */
function feesOf(payments: readonly MockPayment[]): { gateway_fees?: number } {
  const knownFees = payments.flatMap(({ gateway_fee_minor: fee }) => (fee === undefined ? [] : [fee]))
  return knownFees.length === 0 ? {} : { gateway_fees: toMajor(knownFees.reduce((sum, fee) => sum + fee, 0)) }
}

export const adminReports: HandlersOf<typeof routes> = {
  authentications({ query, state }) {
    const { status, date_from: from, date_to: to } = query
    const upper = query.search.toUpperCase()
    // A transaction ID may have been typed with the dashes that screens show.
    const id = upper.replaceAll('-', '')
    const day = (row: Authentication) => row.authenticated_at.slice(0, 10)
    const { certificate_number: number, user_id: account, organisation_id: organisation } = query
    const found = state.payments
      .filter(item => account === undefined || item.user_id === account)
      .filter(item => number === undefined || item.certificate_number === number)
      .filter(item => organisation === undefined || item.user_id === organisation)
      .map(payment => authenticationOf(state, payment))
      .filter(row => status === undefined || row.authentication_result === status)
      .filter(row => (!from || day(row) >= from) && (!to || day(row) <= to))
      .filter(
        row =>
          [row.certificate_number, row.user.email.toUpperCase()].some(text => text.startsWith(upper)) ||
          row.bpms_transaction_id.startsWith(id) ||
          row.payment_reference === upper,
      )
      .sort((a, b) => b.authenticated_at.localeCompare(a.authenticated_at))
    const { rows: authentications, pagination } = paginateRows(found, query)
    return { authentications, pagination }
  },

  transactions({ query, state, user }) {
    const found = listTransactions(state, user, {
      ...query,
      idOrReference: query.transaction_id ?? query.search ?? '',
    })
    const { rows: transactions, pagination } = paginateRows(found, query)
    return { transactions, pagination }
  },

  summary({ query, state, user, now }) {
    const to = query.date_to ?? toIsoDate(now)
    const from = query.date_from ?? isoDateDaysBefore(REPORT_DAYS, to)
    const isInPeriod = (at: string | null) => at !== null && at.slice(0, 10) >= from && at.slice(0, 10) <= to
    const paid = state.payments.filter(item => item.status === 'paid' && isInPeriod(item.ended_at))
    const successful = paid.filter(item => item.certificate !== null).length
    const records = listTransactions(state, user, { idOrReference: '', date_from: from, date_to: to })
    const dueRefunds = state.refunds.filter(refund => refund.status !== 'processed')
    return {
      report: {
        date_from: from,
        date_to: to,
        currency: CURRENCY,
        verifications: paid.length,
        successful,
        not_found: paid.length - successful,
        success_rate: percentOf(successful, paid.length),
        revenue: toMajor(earnedMinor(paid)),
        ...(state.settings.updated.tax && { tax: toMajor(taxWithin(paid)) }),
        ...feesOf(state.payments),
        payments: (['paid', 'pending', 'failed'] as const).map(status => {
          const rows = records.filter(record => record.status === status)
          return {
            status,
            count: rows.length,
            amount_due: rows.reduce((sum, item) => sum + item.amount_due, 0),
            amount_paid: rows.reduce((sum, item) => sum + (item.amount_paid ?? 0), 0),
          }
        }),
        refunds_due: {
          count: dueRefunds.length,
          amount: dueRefunds.reduce((sum, item) => sum + item.amount, 0),
        },
      },
    }
  },
}
