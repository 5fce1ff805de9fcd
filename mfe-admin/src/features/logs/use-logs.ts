import { saveFile } from '@portal/account-ui/save-file'
import { download } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { q } from '@portal/api/query'
import { toIsoDate } from '@portal/format/dates'
import { fullName } from '@portal/format/text'
import { useSession } from '@portal/session/store'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { accounts } from '../../parts/accounts/endpoints.ts'
import { activityLogs } from '../../parts/endpoints.ts'
import { filterQuery, type LogParams, PER_PAGE } from './log-params.ts'

/** Accounts offered by the user filter (specification, section 9). */
const USERS_OFFERED = 100

const useAdminView = () => useSession(session => session.user?.role !== 'super_admin')

/** Fetches one page of the log, keeping the previous one while the next loads. */
export function useLogs(params: LogParams) {
  const filter = filterQuery(params, useAdminView())
  const query = { ...filter, page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(activityLogs.list, { query }), placeholderData: keepPreviousData })
}

/** Accounts for the user filter; admins see ordinary users only, as they cannot see other entries. */
export function useLogUsers() {
  const adminView = useAdminView()
  const query = { per_page: USERS_OFFERED, ...(adminView && { role: 'user' }) }
  const { data } = useQuery(q(accounts.list, { query }))
  return (data?.users ?? []).map(user => ({ value: user.id, label: `${fullName(user)} (${user.email})` }))
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
