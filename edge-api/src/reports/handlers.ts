import type { adminReports } from '@portal/contract/admin-reports'
import { paginate } from '@portal/contract/shapes'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { periodOf } from '../logs/rules.ts'
import { CURRENCY } from '../settings/rules.ts'
import { hasTaxEverBeenSet } from '../settings/tax.ts'
import { toStaffTransaction } from '../verification/transaction-record.ts'
import {
  countTransactions,
  listTransactions,
  type TransactionFilter,
} from '../verification/transactions-store.ts'
import { buildReport, reportDaysOf, toAuthentication } from './rules.ts'
import {
  type AuthenticationFilter,
  countAuthentications,
  hasOrganisations,
  listAuthentications,
  sumDeliveries,
  sumGatewayFees,
  sumOutstandingRefunds,
  sumPaymentsByState,
  sumTax,
} from './store.ts'

type Domain = typeof adminReports

/** Number of rows that an export reads per query. */
const EXPORT_BATCH = 500

const toAuthenticationFilter = ({ query }: Call<Domain['authentications']>): AuthenticationFilter => ({
  result: query.status,
  search: query.search,
  certificateNumber: query.certificate_number,
  userId: query.user_id,
  organisationId: query.organisation_id,
  ...periodOf(query),
})

async function authentications(call: Call<Domain['authentications']>) {
  const { page, per_page: limit } = call.query
  const filter = toAuthenticationFilter(call)
  const rows = await listAuthentications(call.db.read, { ...filter, limit, offset: (page - 1) * limit })
  const total = await countAuthentications(call.db.read, filter)
  return { authentications: rows.map(toAuthentication), pagination: paginate(page, limit, total) }
}

async function* exportAuthentications(call: Call<Domain['authentications']>) {
  const filter = toAuthenticationFilter(call)
  for (let below: { at: number; id: string } | undefined; ; ) {
    const rows = await listAuthentications(call.db.read, { ...filter, below, limit: EXPORT_BATCH })
    yield rows.map(row => {
      const { user, organisation, ...record } = toAuthentication(row)
      return {
        ...record,
        user_email: user.email,
        user_firstname: user.firstname,
        user_lastname: user.lastname,
        organisation_name: organisation?.name ?? null,
      }
    })
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_BATCH) return
    below = { at: last.item.resultAt, id: last.item.id }
  }
}

const toTransactionFilter = ({ query }: Call<Domain['transactions']>): TransactionFilter => ({
  userId: undefined,
  status: query.status,
  search: query.transaction_id ?? query.search ?? '',
  ...periodOf(query),
})

async function transactions(call: Call<Domain['transactions']>) {
  const { page, per_page: limit } = call.query
  const filter = toTransactionFilter(call)
  const rows = await listTransactions(call.db.read, { ...filter, limit, offset: (page - 1) * limit })
  const total = await countTransactions(call.db.read, filter)
  return { transactions: rows.map(toStaffTransaction), pagination: paginate(page, limit, total) }
}

async function* exportTransactions(call: Call<Domain['transactions']>) {
  const filter = toTransactionFilter(call)
  for (let below: { at: number; id: string } | undefined; ; ) {
    const rows = await listTransactions(call.db.read, { ...filter, below, limit: EXPORT_BATCH })
    yield rows.map(row => {
      const { tax, ...record } = toStaffTransaction(row)
      return {
        ...record,
        ...(tax && { tax_name: tax.name, tax_basis_points: tax.basis_points, tax_amount: tax.amount }),
      }
    })
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_BATCH) return
    below = { at: last.payment.createdAt, id: last.payment.id }
  }
}

async function summary({ query, db, ports }: Call<Domain['summary']>) {
  const days = reportDaysOf(query, ports.clock.now())
  const { from = 0, before = 0 } = periodOf({ date_from: days.first, date_to: days.last })
  const delivered = await sumDeliveries(db.read, days)
  const totals = await sumPaymentsByState(db.read, { from, before })
  const outstanding = await sumOutstandingRefunds(db.read, { currency: CURRENCY })
  const feesMinor = await sumGatewayFees(db.read, { from, before, currency: CURRENCY })
  const taxMinor = (await hasTaxEverBeenSet(db.read)) ? await sumTax(db.read, { from, before }) : undefined
  return { report: buildReport(days, delivered, totals, outstanding, { taxMinor, feesMinor }) }
}

export const reportHandlers: HandlersOf<Domain> = {
  authentications: withCsv(authentications, exportAuthentications, ({ db }) => hasOrganisations(db.read)),
  transactions: withCsv(transactions, exportTransactions, ({ db }) => hasTaxEverBeenSet(db.read)),
  summary,
}
