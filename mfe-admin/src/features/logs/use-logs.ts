import { download } from '@portal/api/call'
import { q } from '@portal/api/query'
import { useSession } from '@portal/session/store'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { activityLogs } from '../../parts/endpoints.ts'
import { filterQuery, type LogParams, PER_PAGE } from './log-params.ts'

/** True for admins, whose log contains only their own entries and those of ordinary users and the system. */
export const useAdminView = () => useSession(session => session.user?.role !== 'super_admin')

/** Fetches one page of the log, keeping the previous one while the next loads. */
export function useLogs(params: LogParams) {
  const filter = filterQuery(params, useAdminView())
  const query = { ...filter, page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(activityLogs.list, { query }), placeholderData: keepPreviousData })
}

/** Fetches all matching entries as a file. */
export function useFetchFile(params: LogParams) {
  const query = filterQuery(params, useAdminView())
  return () => download(activityLogs.list, { query, headers: { accept: 'text/csv' } })
}
