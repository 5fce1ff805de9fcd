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
import { authenticationOf, buildReport, daysOf } from './rules.ts'
import {
  type AuthenticationFilter,
  countAuthentications,
  deliveredOn,
  gatewayFees,
  hasOrganisations,
  listAuthentications,
  sumOutstandingRefunds,
  sumTax,
  totalsByState,
} from './store.ts'

type Domain = typeof adminReports

/** Number of rows that an export reads per query. */
const EXPORT_BATCH = 500

const authenticationFilter = ({ query }: Call<Domain['authentications']>): AuthenticationFilter => ({
  result: query.status,
  search: query.search,
  certificateNumber: query.certificate_number,
  userId: query.user_id,
  organisationId: query.organisation_id,
  ...periodOf(query),
})

async function authentications(call: Call<Domain['authentications']>) {
  const { page, per_page: limit } = call.query
  const filter = authenticationFilter(call)
  const rows = await listAuthentications(call.db.read, { ...filter, limit, offset: (page - 1) * limit })
  const total = await countAuthentications(call.db.read, filter)
  return { authentications: rows.map(authenticationOf), pagination: paginate(page, limit, total) }
}

async function* exportAuthentications(call: Call<Domain['authentications']>) {
  const filter = authenticationFilter(call)
  for (let below: { at: number; id: string } | undefined; ; ) {
    const rows = await listAuthentications(call.db.read, { ...filter, below, limit: EXPORT_BATCH })
    yield rows.map(row => {
      const { user, organisation, ...record } = authenticationOf(row)
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

const transactionFilter = ({ query }: Call<Domain['transactions']>): TransactionFilter => ({
  userId: undefined,
  status: query.status,
  search: query.transaction_id ?? query.search ?? '',
  ...periodOf(query),
})

async function transactions(call: Call<Domain['transactions']>) {
  const { page, per_page: limit } = call.query
  const filter = transactionFilter(call)
  const rows = await listTransactions(call.db.read, { ...filter, limit, offset: (page - 1) * limit })
  const total = await countTransactions(call.db.read, filter)
  return { transactions: rows.map(toStaffTransaction), pagination: paginate(page, limit, total) }
}

async function* exportTransactions(call: Call<Domain['transactions']>) {
  const filter = transactionFilter(call)
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
  const days = daysOf(query, ports.clock.now())
  const { from = 0, before = 0 } = periodOf({ date_from: days.first, date_to: days.last })
  const delivered = await deliveredOn(db.read, days)
  const totals = await totalsByState(db.read, { from, before })
  const outstanding = await sumOutstandingRefunds(db.read, { currency: CURRENCY })
  const feesMinor = await gatewayFees(db.read, { from, before, currency: CURRENCY })
  const taxMinor = (await hasTaxEverBeenSet(db.read)) ? await sumTax(db.read, { from, before }) : undefined
  return { report: buildReport(days, delivered, totals, outstanding, { taxMinor, feesMinor }) }
}

export const reportHandlers: HandlersOf<Domain> = {
  authentications: withCsv(authentications, exportAuthentications, ({ db }) => hasOrganisations(db.read)),
  transactions: withCsv(transactions, exportTransactions, ({ db }) => hasTaxEverBeenSet(db.read)),
  summary,
}
