import { saveFile } from '@portal/account-ui/save-file'
import { download } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import { toIsoDate } from '@portal/format/dates'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { settlements } from './endpoints.ts'
import type { SettlementParams } from './settlement-params.ts'

const listed = { placeholderData: keepPreviousData }
const PER_PAGE = 20
const LINES_PER_PAGE = 50

const differencesQuery = ({ state, kind, search }: SettlementParams) => ({
  ...(state !== 'all' && { state }),
  ...(kind !== '' && { kind }),
  ...(search.trim() !== '' && { search: search.trim() }),
})

const settlementsQuery = ({ from, to }: SettlementParams) => ({
  ...(from !== '' && { date_from: from }),
  ...(to !== '' && { date_to: to }),
})

export function useDifferences(params: SettlementParams) {
  const query = { ...differencesQuery(params), page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(settlements.differences, { query }), ...listed })
}

export function useSettlements(params: SettlementParams) {
  const query = { ...settlementsQuery(params), page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(settlements.list, { query }), ...listed })
}

export function useLines(id: string, page: number) {
  return useQuery({
    ...q(settlements.lines, { params: { id }, query: { page, per_page: LINES_PER_PAGE } }),
    ...listed,
  })
}

/** Downloads all matching rows of the view. */
export function useExport(params: SettlementParams, total: number | undefined) {
  const csv = { headers: { accept: 'text/csv' } }
  const file = useMutation({
    mutationFn: () =>
      params.view === 'differences'
        ? download(settlements.differences, { query: differencesQuery(params), ...csv })
        : download(settlements.list, { query: settlementsQuery(params), ...csv }),
    onSuccess: ({ blob, filename }) =>
      saveFile(blob, filename ?? `${params.view}_${toIsoDate(Date.now())}.csv`),
  })
  return {
    busy: file.isPending,
    failure: file.error ? messageOf(file.error) : undefined,
    dismiss: file.reset,
    start: () => (total === 0 ? window.alert('No data to export') : file.mutate()),
  }
}
