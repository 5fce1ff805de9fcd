import type { adminLogs } from '@portal/contract/admin-logs'
import type { QueryIn } from '@portal/contract/route'
import { type ActivityType, activityTypes } from '@portal/format/activity'
import { parseChoice, parseDay, readPage, toSearchParams } from '@portal/router/params'

/** URL parameters of the log: `?user=…&type=…&from=…&to=…&search=…&page=…`. */
export interface LogParams {
  userId: string
  type: ActivityType | ''
  /** `YYYY-MM-DD`, the first day; both days are included. */
  from: string
  to: string
  search: string
  page: number
}

/** Page size of the log (specification, section 9). */
export const PER_PAGE = 50

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readLogParams(query: URLSearchParams): LogParams {
  return {
    userId: query.get('user') ?? '',
    type: parseChoice(activityTypes, query.get('type')),
    from: parseDay(query.get('from')),
    to: parseDay(query.get('to')),
    search: query.get('search') ?? '',
    page: readPage(query),
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export const writeLogParams = ({ userId, ...rest }: LogParams) => toSearchParams({ user: userId, ...rest })

export const isFiltered = ({ userId, type, from, to, search }: LogParams) =>
  [userId, type, from, to, search].some(value => value !== '')

type LogQuery = QueryIn<typeof adminLogs.list>

/** Builds the query without empty filters; for admins it includes `admin_view` (specification, section 6). */
export function toFilterQuery(params: LogParams, isAdminView: boolean): LogQuery {
  const search = params.search.trim()
  return {
    ...(params.userId !== '' && { user_id: params.userId }),
    ...(params.type !== '' && { activity_type: params.type }),
    ...(params.from !== '' && { date_from: params.from }),
    ...(params.to !== '' && { date_to: params.to }),
    ...(search !== '' && { search }),
    ...(isAdminView && { admin_view: 'true' }),
  }
}
