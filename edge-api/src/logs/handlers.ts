import type { adminLogs } from '@portal/contract/admin-logs'
import { paginate } from '@portal/contract/shapes'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { toActivityLog } from './log-response.ts'
import { buildStatistics, periodOf, toLogView } from './rules.ts'
import {
  countLogs,
  type LogFilter,
  type LogKey,
  listLogs,
  listLogsBelow,
  searchMatchingIds,
} from './store.ts'

type List = typeof adminLogs.list

/** Number of rows that an export reads per query. */
const EXPORT_BATCH = 1000

const filterOf = ({ user, query }: Call<List>): LogFilter => ({
  view: toLogView(user, query.admin_view ?? false),
  userId: query.user_id,
  organisationId: query.organisation_id,
  type: query.activity_type,
  search: query.search,
  ...periodOf(query),
})

async function list(call: Call<List>) {
  const { page, per_page: perPage } = call.query
  const filter = filterOf(call)
  const matchingIds = searchMatchingIds(call.db.read, filter)
  const rows = await listLogs(call.db.read, { ...filter, page, perPage }, matchingIds)
  const statistics = buildStatistics(await countLogs(call.db.read, filter, matchingIds))
  return { logs: rows.map(toActivityLog), pagination: paginate(page, perPage, statistics.total), statistics }
}

async function* exportLogs(call: Call<List>) {
  const filter = filterOf(call)
  for (let below: LogKey | undefined; ; ) {
    const { rows, next } = await listLogsBelow(call.db.read, { ...filter, below, limit: EXPORT_BATCH })
    yield rows.map(toActivityLog)
    if (!next) return
    below = next
  }
}

export const logHandlers: HandlersOf<{ list: List }> = { list: withCsv(list, exportLogs) }
