import { saveFile } from '@portal/account-ui/save-file'
import { call, download } from '@portal/api/call'
import { q, queryKey } from '@portal/api/query'
import type { Dispute } from '@portal/contract/admin-disputes'
import { disputeStates } from '@portal/format/disputes'
import { parseChoice, readPage, toSearchParams } from '@portal/router/params'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { reconciliation, transactionLogs } from '../../parts/money-endpoints.ts'
import { reports } from '../../parts/screen-endpoints.ts'
import { disputes } from './endpoints.ts'

export const PER_PAGE = 20
/** Polling interval while an answer is being sent, in milliseconds. */
const POLL_MS = 5000
const MINUTE_MS = 60_000

/** URL parameters of the dispute list: `?state=…&search=…&page=…&dispute=…`. */
export interface DisputeParams {
  state: string
  search: string
  page: number
  /** ID of the dispute open in the drawer. */
  dispute: string
}

export function readDisputeParams(query: URLSearchParams): DisputeParams {
  return {
    state: parseChoice(disputeStates, query.get('state')),
    search: query.get('search') ?? '',
    page: readPage(query),
    dispute: query.get('dispute') ?? '',
  }
}

export const writeDisputeParams = (params: DisputeParams) => toSearchParams({ ...params })

function toListQuery({ state, search }: DisputeParams) {
  const knownState = disputeStates.find(status => status === state)
  return { ...(knownState && { state: knownState }), ...(search.trim() !== '' && { search: search.trim() }) }
}

export function useDisputes(params: DisputeParams) {
  const query = { ...toListQuery(params), page: params.page, per_page: PER_PAGE }
  return useQuery({
    ...q(disputes.list, { query }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: MINUTE_MS,
  })
}

export function useDispute(id: string) {
  return useQuery({
    ...q(disputes.detail, { params: { id } }),
    staleTime: 0,
    refetchInterval: query => (query.state.data?.dispute?.answer_pending ? POLL_MS : MINUTE_MS),
  })
}

/** Returns a function that refetches what an answer may have changed, and resolves once the screens are up to date. */
export function useRefresh() {
  const client = useQueryClient()
  const affectedRoutes = [
    disputes.list,
    disputes.detail,
    reconciliation.refunds,
    reconciliation.ledger,
    transactionLogs,
    ...Object.values(reports),
  ]
  return () =>
    Promise.all(affectedRoutes.map(route => client.invalidateQueries({ queryKey: queryKey(route) })))
}

/** Fetches all matching disputes as a file. */
export const fetchFile = (params: DisputeParams) =>
  download(disputes.list, { query: toListQuery(params), headers: { accept: 'text/csv' } })

/** Returns a mutation that saves the evidence as the file that is sent to the bank. */
export function useEvidenceFile({ id, payment_reference }: Pick<Dispute, 'id' | 'payment_reference'>) {
  return useMutation({
    mutationFn: () => download(disputes.evidenceFile, { params: { id } }),
    onSuccess: ({ blob, filename }) => saveFile(blob, filename ?? `evidence-${payment_reference}.pdf`),
  })
}

/** Sends an answer to the gateway; the API queues it if the gateway is down. */
export function sendAnswer(kind: 'accept' | 'contest', id: string, note: string) {
  const answer = { params: { id }, body: { note } }
  return kind === 'accept' ? call(disputes.accept, answer) : call(disputes.contest, answer)
}

/** Returns the current time, updated every 30 seconds, for countdowns in minutes. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 2)
    return () => clearInterval(timer)
  }, [])
  return now
}
