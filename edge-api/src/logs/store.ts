import { type ActivityType, classifyActivity } from '@portal/format/activity'
import { and, count, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { activityLog } from '../db/schema/activity.ts'
import { countByCounters, type LogCount } from './counter-store.ts'
import { escapeControls, type LogView } from './rules.ts'

/** One entry of the activity log; `userId` is null for what the system did by itself. */
export interface Activity {
  userId: string | null
  userEmail: string | null
  /** What happened, e.g. `Certificate created`. */
  activity: string
  details?: string
  ipAddress?: string | null
  requestId?: string | null
  at: number
}

/** Writes one entry, in the transaction of the change that it tells of. Line breaks and the like are escaped. */
export async function record(db: Tx, entry: Activity): Promise<void> {
  const { type, status } = classifyActivity(entry.activity)
  await db.insert(activityLog).values({
    ...entry,
    activity: escapeControls(entry.activity),
    details: escapeControls(entry.details ?? ''),
    userEmail: entry.userEmail === null ? null : escapeControls(entry.userEmail),
    type,
    status,
  })
}

export interface LogFilter {
  view: LogView
  userId?: string | undefined
  type?: ActivityType | undefined
  /** In activity, details and e-mail; empty for all. */
  search: string
  /** Milliseconds, inclusive. */
  from?: number | undefined
  /** Milliseconds, exclusive. */
  before?: number | undefined
}

// Named by table: inside the subquery a bare `user_id` would be looked for in `users` first.
const ofOrdinaryUser = sql`exists (select 1 from users where users.id = activity_log.user_id and users.role = 'user')`

function visible(view: LogView): SQL | undefined {
  if (view.all) return undefined
  return or(sql`activity_log.user_id is null`, eq(activityLog.userId, view.viewerId), ofOrdinaryUser)
}

function containing(search: string): SQL | undefined {
  if (search === '') return undefined
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(activity like ${pattern} escape '\\' or details like ${pattern} escape '\\' or user_email like ${pattern} escape '\\')`
}

const matching = (filter: LogFilter) =>
  and(
    visible(filter.view),
    filter.userId === undefined ? undefined : eq(activityLog.userId, filter.userId),
    filter.type === undefined ? undefined : eq(activityLog.type, filter.type),
    filter.from === undefined ? undefined : gte(activityLog.at, filter.from),
    filter.before === undefined ? undefined : lt(activityLog.at, filter.before),
    containing(filter.search),
  )

const shown = {
  id: activityLog.id,
  userId: activityLog.userId,
  userEmail: activityLog.userEmail,
  activity: activityLog.activity,
  details: activityLog.details,
  ipAddress: activityLog.ipAddress,
  at: activityLog.at,
}

export type LogRow = Pick<typeof activityLog.$inferSelect, keyof typeof shown>

/** One page of the entries that match, newest first. */
export async function listLogs(
  db: Reader,
  { page, perPage, ...filter }: LogFilter & { page: number; perPage: number },
): Promise<LogRow[]> {
  return await db
    .select(shown)
    .from(activityLog)
    .where(matching(filter))
    .orderBy(desc(activityLog.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
}

/** The entries that match below an id, newest first: pages of an export, each found by key. */
export async function listLogsBelow(
  db: Reader,
  { below, limit, ...filter }: LogFilter & { below: number; limit: number },
): Promise<LogRow[]> {
  return await db
    .select(shown)
    .from(activityLog)
    .where(and(lt(activityLog.id, below), matching(filter)))
    .orderBy(desc(activityLog.id))
    .limit(limit)
}

/** How many entries match, by type and status. Counters know it of any days and type; words and people are counted. */
export async function countLogs(db: Reader, filter: LogFilter): Promise<LogCount[]> {
  if (filter.search === '' && filter.userId === undefined) return await countByCounters(db, filter)
  const rows = await db
    .select({ type: activityLog.type, status: activityLog.status, total: count() })
    .from(activityLog)
    .where(matching(filter))
    .groupBy(activityLog.type, activityLog.status)
  return rows.map(({ type, status, total }) => ({ type: type ?? 'other', status: status ?? 'info', total }))
}
