import { saveFile } from '@portal/account-ui/save-file'
import { download } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { q } from '@portal/api/query'
import { toIsoDate } from '@portal/format/dates'
import { useSession } from '@portal/session/store'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { activityLogs } from '../../parts/endpoints.ts'
import { filterQuery, type LogParams, PER_PAGE } from './log-params.ts'

/** True for admins, who see their own entries, and those of ordinary users and the system. */
export const useAdminView = () => useSession(session => session.user?.role !== 'super_admin')

/** Fetches one page of the log, keeping the previous one while the next loads. */
export function useLogs(params: LogParams) {
  const filter = filterQuery(params, useAdminView())
  const query = { ...filter, page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(activityLogs.list, { query }), placeholderData: keepPreviousData })
}

/** Downloads all matching entries; a failure or an empty list shows as a browser alert. */
export function useExport(params: LogParams) {
  const query = filterQuery(params, useAdminView())
  return useMutation({
    mutationFn: () => download(activityLogs.list, { query, headers: { accept: 'text/csv' } }),
    onSuccess: ({ blob, filename }) =>
      saveFile(blob, filename ?? `activity_logs_${toIsoDate(Date.now())}.csv`),
    onError: error => window.alert(alertText(error)),
  })
}
