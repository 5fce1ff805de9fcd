import { download } from '@portal/api/call'
import { q } from '@portal/api/query'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { settlements } from './endpoints.ts'
import type { SettlementParams } from './settlement-params.ts'

const keepsPreviousPage = { placeholderData: keepPreviousData }
const PER_PAGE = 20
const LINES_PER_PAGE = 50

const toDifferencesQuery = ({ state, kind, search }: SettlementParams) => ({
  ...(state !== 'all' && { state }),
  ...(kind !== '' && { kind }),
  ...(search.trim() !== '' && { search: search.trim() }),
})

const toSettlementsQuery = ({ from, to }: SettlementParams) => ({
  ...(from !== '' && { date_from: from }),
  ...(to !== '' && { date_to: to }),
})

export function useDifferences(params: SettlementParams) {
  const query = { ...toDifferencesQuery(params), page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(settlements.differences, { query }), ...keepsPreviousPage })
}

export function useSettlements(params: SettlementParams) {
  const query = { ...toSettlementsQuery(params), page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(settlements.list, { query }), ...keepsPreviousPage })
}

export function useLines(id: string, page: number) {
  return useQuery({
    ...q(settlements.lines, { params: { id }, query: { page, per_page: LINES_PER_PAGE } }),
    ...keepsPreviousPage,
  })
}

/** Fetches all matching rows of the view as a file. */
export function fetchFile(params: SettlementParams) {
  const csv = { headers: { accept: 'text/csv' } }
  return params.view === 'differences'
    ? download(settlements.differences, { query: toDifferencesQuery(params), ...csv })
    : download(settlements.list, { query: toSettlementsQuery(params), ...csv })
}
