import { download } from '@portal/api/call'
import { q } from '@portal/api/query'
import { useSession } from '@portal/session/store'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { activityLogs } from '../../parts/endpoints.ts'
import { type LogParams, PER_PAGE, toFilterQuery } from './log-params.ts'

/** Returns true for admins, whose log contains only their own entries and those of ordinary users and the system. */
export const useIsAdminView = () => useSession(session => session.user?.role !== 'super_admin')

/** Fetches one page of the log, keeping the previous one while the next loads. */
export function useLogs(params: LogParams) {
  const filter = toFilterQuery(params, useIsAdminView())
  const query = { ...filter, page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(activityLogs.list, { query }), placeholderData: keepPreviousData })
}

/** Returns a function that fetches all matching entries as a file. */
export function useFetchFile(params: LogParams) {
  const query = toFilterQuery(params, useIsAdminView())
  return () => download(activityLogs.list, { query, headers: { accept: 'text/csv' } })
}
