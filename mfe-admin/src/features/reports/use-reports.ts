import { call, download } from '@portal/api/call'
import { q, queryKey } from '@portal/api/query'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { reconciliation, transactionLogs } from '../../parts/money-endpoints.ts'
import { requireData } from '../../parts/require-data.ts'
import { reports } from '../../parts/screen-endpoints.ts'
import { ledgerAccounts, PER_PAGE, type ReportParams, refundStatuses, toQuery } from './report-params.ts'

const keepsPreviousPage = { placeholderData: keepPreviousData }
const period = ({ from, to }: ReportParams) => ({ date_from: from, date_to: to })

export function useSummary(params: ReportParams) {
  return useQuery({
    ...q(reports.summary, { query: toQuery(period(params)) }),
    ...keepsPreviousPage,
    select: requireData(({ report }) => report),
  })
}

const authenticationsQuery = (params: ReportParams) =>
  toQuery({ status: params.status, ...period(params), search: params.search })

export function useAuthentications(params: ReportParams) {
  const query = { ...authenticationsQuery(params), page: params.page, per_page: PER_PAGE.authentications }
  return useQuery({ ...q(reports.authentications, { query }), ...keepsPreviousPage })
}

const transactionsQuery = (params: ReportParams) =>
  toQuery({ status: params.status, ...period(params), transaction_id: params.search })

export function useTransactions(params: ReportParams) {
  const query = { ...transactionsQuery(params), page: params.page, per_page: PER_PAGE.transactions }
  return useQuery({ ...q(reports.transactions, { query }), ...keepsPreviousPage })
}

function refundsQuery(params: ReportParams) {
  const status = refundStatuses.find(item => item === params.status)
  return { ...(status && { status }), ...toQuery({ search: params.search }) }
}

export function useRefunds(params: ReportParams) {
  const query = { ...refundsQuery(params), page: params.page, per_page: PER_PAGE.refunds }
  return useQuery({ ...q(reconciliation.refunds, { query }), ...keepsPreviousPage })
}

function ledgerQuery(params: ReportParams) {
  const account = ledgerAccounts.find(item => item === params.account)
  return { ...(account && { account }), ...toQuery({ ...period(params), transaction_id: params.search }) }
}

export function useLedger(params: ReportParams) {
  const query = { ...ledgerQuery(params), page: params.page, per_page: PER_PAGE.ledger }
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

/** Returns the message that the specification fixes, whatever the response contains (section 8). */
export const reconciledText = (id: string) => `Transaction ${id} reconciled successfully.`

/** Requeries one payment, then refetches the lists, the totals and the payment's history. */
export function useReconcileOne() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (transaction_id: string) => call(reconciliation.one, { params: { transaction_id } }),
    onSettled: () => {
      const changed = [
        ...Object.values(reports),
        transactionLogs,
        reconciliation.refunds,
        reconciliation.ledger,
      ]
      for (const route of changed) client.invalidateQueries({ queryKey: queryKey(route) })
    },
  })
}

const csv = { headers: { accept: 'text/csv' } }

/** Fetches all matching rows of a tab as a file. */
export function fetchFile(params: ReportParams) {
  switch (params.tab) {
    case 'authentications':
      return download(reports.authentications, { query: authenticationsQuery(params), ...csv })
    case 'refunds':
      return download(reconciliation.refunds, { query: refundsQuery(params), ...csv })
    case 'ledger':
      return download(reconciliation.ledger, { query: ledgerQuery(params), ...csv })
    default:
      return download(reports.transactions, { query: transactionsQuery(params), ...csv })
  }
}
