import type { adminLogs } from '@portal/contract/admin-logs'
import type { QueryIn } from '@portal/contract/route'
import { type ActivityType, activityTypes } from '@portal/format/activity'

/** URL parameters of the log: `?user=…&type=…&from=…&to=…&search=…&page=…`. */
export interface LogParams {
  userId: string
  type: ActivityType | ''
  /** `YYYY-MM-DD`, inclusive; so is `to`. */
  from: string
  to: string
  search: string
  page: number
}

/** Page size of the log (specification, section 9). */
export const PER_PAGE = 50

const isType = (text: string): text is ActivityType => activityTypes.some(type => type === text)
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readLogParams(query: URLSearchParams): LogParams {
  const text = (name: string) => query.get(name) ?? ''
  const day = (name: string) => (isDay(text(name)) ? text(name) : '')
  const page = Number(query.get('page') ?? '1')
  const type = text('type')
  return {
    userId: text('user'),
    type: isType(type) ? type : '',
    from: day('from'),
    to: day('to'),
    search: text('search'),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export function writeLogParams(params: LogParams): URLSearchParams {
  const named = {
    user: params.userId,
    type: params.type,
    from: params.from,
    to: params.to,
    search: params.search,
    page: params.page > 1 ? String(params.page) : '',
  }
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''))
}

export const isFiltered = ({ userId, type, from, to, search }: LogParams) =>
  [userId, type, from, to, search].some(value => value !== '')

type LogQuery = QueryIn<typeof adminLogs.list>

/** Builds the query without empty filters; admins add `admin_view` (specification, section 6). */
export function filterQuery(params: LogParams, adminView: boolean): LogQuery {
  const search = params.search.trim()
  return {
    ...(params.userId !== '' && { user_id: params.userId }),
    ...(params.type !== '' && { activity_type: params.type }),
    ...(params.from !== '' && { date_from: params.from }),
    ...(params.to !== '' && { date_to: params.to }),
    ...(search !== '' && { search }),
    ...(adminView && { admin_view: 'true' }),
  }
}
