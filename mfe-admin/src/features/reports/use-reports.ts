import { call, download } from '@portal/api/call'
import { q, queryKey } from '@portal/api/query'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { reconciliation, transactionLogs } from '../../parts/money-endpoints.ts'
import { requireData } from '../../parts/require-data.ts'
import { reports } from '../../parts/screen-endpoints.ts'
import { ledgerAccounts, omitEmpty, PER_PAGE, type ReportParams, refundStatuses } from './report-params.ts'

const keepsPreviousPage = { placeholderData: keepPreviousData }
const periodOf = ({ from, to }: ReportParams) => ({ date_from: from, date_to: to })

export function useSummary(params: ReportParams) {
  return useQuery({
    ...q(reports.summary, { query: omitEmpty(periodOf(params)) }),
    ...keepsPreviousPage,
    select: requireData(({ report }) => report),
  })
}

const toAuthenticationsQuery = (params: ReportParams) =>
  omitEmpty({ status: params.status, ...periodOf(params), search: params.search })

export function useAuthentications(params: ReportParams) {
  const query = { ...toAuthenticationsQuery(params), page: params.page, per_page: PER_PAGE.authentications }
  return useQuery({ ...q(reports.authentications, { query }), ...keepsPreviousPage })
}

const toTransactionsQuery = (params: ReportParams) =>
  omitEmpty({ status: params.status, ...periodOf(params), transaction_id: params.search })

export function useTransactions(params: ReportParams) {
  const query = { ...toTransactionsQuery(params), page: params.page, per_page: PER_PAGE.transactions }
  return useQuery({ ...q(reports.transactions, { query }), ...keepsPreviousPage })
}

function toRefundsQuery(params: ReportParams) {
  const status = refundStatuses.find(item => item === params.status)
  return { ...(status && { status }), ...omitEmpty({ search: params.search }) }
}

export function useRefunds(params: ReportParams) {
  const query = { ...toRefundsQuery(params), page: params.page, per_page: PER_PAGE.refunds }
  return useQuery({ ...q(reconciliation.refunds, { query }), ...keepsPreviousPage })
}

function toLedgerQuery(params: ReportParams) {
  const account = ledgerAccounts.find(item => item === params.account)
  return { ...(account && { account }), ...omitEmpty({ ...periodOf(params), transaction_id: params.search }) }
}

export function useLedger(params: ReportParams) {
  const query = { ...toLedgerQuery(params), page: params.page, per_page: PER_PAGE.ledger }
  return useQuery({ ...q(reconciliation.ledger, { query }), ...keepsPreviousPage })
}

const POLL_MS = 2000

/** Fetches recent reconciliations, polling while one is running. */
export function useRuns() {
  return useQuery({
    ...q(reconciliation.runs, { query: { per_page: 5 } }),
    refetchInterval: query =>
      query.state.data?.reconciliations?.some(run => run.finished_at === null) ? POLL_MS : false,
  })
}

/** Fetches one transaction by its full ID, with its history. */
export function useTransaction(id: string) {
  const record = useQuery(q(reports.transactions, { query: { transaction_id: id, per_page: 1 } }))
  const history = useQuery(q(transactionLogs, { params: { id } }))
  return { record, history }
}

/** Returns the success message of a reconciliation. The specification fixes it for every response (section 8). */
export const reconciledText = (id: string) => `Transaction ${id} reconciled successfully.`

/** Returns a mutation that requeries one payment, then refetches the lists, the totals and the payment's history. */
export function useReconcilePayment() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (transaction_id: string) => call(reconciliation.one, { params: { transaction_id } }),
    onSettled: () => {
      const affectedRoutes = [
        ...Object.values(reports),
        transactionLogs,
        reconciliation.refunds,
        reconciliation.ledger,
      ]
      for (const route of affectedRoutes) client.invalidateQueries({ queryKey: queryKey(route) })
    },
  })
}

const csv = { headers: { accept: 'text/csv' } }

/** Fetches all matching rows of a tab as a file. */
export function fetchFile(params: ReportParams) {
  switch (params.tab) {
    case 'authentications':
      return download(reports.authentications, { query: toAuthenticationsQuery(params), ...csv })
    case 'refunds':
      return download(reconciliation.refunds, { query: toRefundsQuery(params), ...csv })
    case 'ledger':
      return download(reconciliation.ledger, { query: toLedgerQuery(params), ...csv })
    default:
      return download(reports.transactions, { query: toTransactionsQuery(params), ...csv })
  }
}
