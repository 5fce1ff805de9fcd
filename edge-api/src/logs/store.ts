import { MAX_COUNTED } from '@portal/contract/list-limits'
import { type ActivityType, classifyActivity } from '@portal/format/activity'
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { writeDeferred } from '../db/deferred-writes.ts'
import { containsPattern } from '../db/like.ts'
import { findPagePosition, intersectPeriods, type PagePosition } from '../db/pages.ts'
import { quote } from '../db/quote.ts'
import { activityCounters, activityLog } from '../db/schema/activity.ts'
import { countByCounters, type LogCount, selectEntriesByDay } from './counter-store.ts'
import { escapeControls, type LogView } from './rules.ts'

/** An entry of the activity log. `userId` is null for actions by the system. */
export interface Activity {
  userId: string | null
  userEmail: string | null
  /** The action, e.g. `Certificate created`. */
  activity: string
  details?: string
  ipAddress?: string | null
  requestId?: string | null
  /** The organisation that the action concerns. Its owners and managers can also see the entry. */
  organisationId?: string | null
  at: number
}

function insertEntry(db: Tx, entry: Activity) {
  const { type, status } = classifyActivity(entry.activity)
  return db.insert(activityLog).values({
    ...entry,
    activity: escapeControls(entry.activity),
    details: escapeControls(entry.details ?? ''),
    userEmail: entry.userEmail === null ? null : escapeControls(entry.userEmail),
    type,
    status,
  })
}

/** Writes one entry, in the transaction of the change. Line breaks and other control characters are escaped. */
export async function recordLogEntry(db: Tx, entry: Activity): Promise<void> {
  await writeDeferred(db, insertEntry(db, entry))
}

/** Writes one entry like `recordLogEntry`. @returns its ID */
export async function recordWithId(db: Tx, entry: Activity): Promise<number> {
  const [row] = await insertEntry(db, entry).returning({ id: activityLog.id })
  if (!row) throw new Error('the insert returned no row')
  return row.id
}

export interface LogFilter {
  view: LogView
  userId?: string | undefined
  organisationId?: string | undefined
  type?: ActivityType | undefined
  /** Text to find in the activity, details or email address; empty for all entries. */
  search: string
  /** In milliseconds, inclusive. */
  from?: number | undefined
  /** In milliseconds, exclusive. */
  before?: number | undefined
}

/**
 * Query for the accounts whose entries are hidden from admins: staff and deleted accounts. It finds them among the counters,
 * one after another, by searching the index.
 */
const HIDDEN_IDS = sql`(with recursive hidden(id) as (
    select min(user_id) from ${activityCounters} where user_id > ''
    union all select (select min(user_id) from ${activityCounters} where user_id > hidden.id) from hidden where id is not null)
  select id from hidden where id is not null)`

function isVisible(view: LogView): SQL | undefined {
  if (view.all) return undefined
  return sql`(activity_log.user_id is null or activity_log.user_id = ${view.viewerId} or activity_log.user_id not in ${HIDDEN_IDS})`
}

/** By how many places an entry's position by ID may differ from its position by time, because of parallel writes. */
const MAX_POSITION_SHIFT = 100

type Period = Pick<LogFilter, 'from' | 'before'>

const isWithin = ({ from, before }: Period) =>
  and(
    from === undefined ? undefined : gte(activityLog.at, from),
    before === undefined ? undefined : lt(activityLog.at, before),
  )

const newestFirst = [desc(activityLog.at), desc(activityLog.id)] as const

function containsCondition(search: string): SQL {
  const pattern = containsPattern(search)
  return sql`(activity like ${pattern} escape '\\' or details like ${pattern} escape '\\' or user_email like ${pattern} escape '\\')`
}

/** Returns the search expression for these words in this order, of which the last may be incomplete. */
const prefixExpressionOf = (search: string) => `${quote(search)} *`

/**
 * Searches for the words of a filter, once for all queries that need the result. Whole words are searched for first; only if
 * they find too few entries, incomplete words are searched for too, which takes longer.
 * @returns a query of the matching IDs, limited to the newest matches; undefined if there are no words
 */
export async function searchMatchingIds(db: Reader, filter: LogFilter): Promise<SQL | undefined> {
  if (filter.search === '') return undefined
  if (!isIndexed(filter)) return scanEntries(filter)
  const selectMatches = (expression: string) => sql`select rowid as id from activity_search
    where activity_search match ${expression} and ${idsWithin(filter)}`
  const selectNewestMatches = (expression: string) =>
    sql`${selectMatches(expression)} order by rowid desc limit ${MAX_COUNTED}`
  const wholeWords = quote(filter.search)
  const [wholeWordMatches] = await db.all<{ total: number }>(
    sql`select count(*) as total from (${selectMatches(wholeWords)} limit ${MAX_COUNTED})`,
  )
  if (wholeWordMatches?.total === MAX_COUNTED) return selectNewestMatches(wholeWords)
  // With descending order, SQLite reads all entries that contain the most common word, while with ascending order it can skip
  // entries. If the result contains all matches, the order does not matter.
  const expression = prefixExpressionOf(filter.search)
  const [matches] = await db.all<{ total: number; ids: string }>(
    sql`select count(*) as total, json_group_array(id) as ids from (${selectMatches(expression)} limit ${MAX_COUNTED})`,
  )
  return matches && matches.total < MAX_COUNTED
    ? sql`select value as id from json_each(${matches.ids})`
    : selectNewestMatches(expression)
}

const isOfOwner = ({ userId, organisationId }: LogFilter) =>
  and(
    userId === undefined ? undefined : eq(activityLog.userId, userId),
    organisationId === undefined ? undefined : eq(activityLog.organisationId, organisationId),
  )

/**
 * Returns a query for the IDs of entries that contain the search text. It checks the entries of an account or organisation, or
 * the newest of all, one by one.
 */
function scanEntries(filter: LogFilter): SQL {
  return sql`select id from (select id, activity, details, user_email from ${activityLog}
    where ${and(sql`true`, isOfOwner(filter), isWithin(filter))} order by at desc, id desc limit ${MAX_COUNTED})
    where ${containsCondition(filter.search)}`
}

/** Returns the condition that an ID is within a period, which is derived from the first and last entry of the period. */
function idsWithin({ from, before }: Period): SQL {
  const idAtEdge = (condition: SQL, order: SQL) =>
    sql`coalesce((select id from ${activityLog} where ${condition} order by ${order} limit 1), 0)`
  const firstId =
    from === undefined ? sql`0` : sql`${idAtEdge(sql`at >= ${from}`, sql`at, id`)} - ${MAX_POSITION_SHIFT}`
  const lastId =
    before === undefined
      ? sql`${Number.MAX_SAFE_INTEGER}`
      : sql`${idAtEdge(sql`at < ${before}`, sql`at desc, id desc`)} + ${MAX_POSITION_SHIFT}`
  return sql`rowid between ${firstId} and ${lastId}`
}

const coversAllOwners = ({ userId, organisationId }: LogFilter) =>
  userId === undefined && organisationId === undefined

/**
 * True if a search can use the word index. Searches for a single letter, and those within one account or organisation, scan the
 * entries instead.
 */
const isIndexed = (filter: LogFilter) => coversAllOwners(filter) && [...filter.search].length > 1

const matchesSelection = (filter: LogFilter) =>
  and(
    isVisible(filter.view),
    isOfOwner(filter),
    filter.type === undefined ? undefined : eq(activityLog.type, filter.type),
    isWithin(filter),
  )

/**
 * Returns the `from` and `where` clauses for matching entries. The cross join makes SQLite start with the search index and then
 * look up the entries, and not the other way round.
 */
const matchingClauses = (filter: LogFilter, matchingIds: SQL | undefined): SQL =>
  matchingIds === undefined
    ? sql`from ${activityLog} where ${and(sql`true`, matchesSelection(filter))}`
    : sql`from (${matchingIds}) as found cross join ${activityLog} on activity_log.id = found.id
        where ${and(sql`true`, matchesSelection(filter))}`

const columns = {
  id: activityLog.id,
  userId: activityLog.userId,
  userEmail: activityLog.userEmail,
  activity: activityLog.activity,
  details: activityLog.details,
  ipAddress: activityLog.ipAddress,
  at: activityLog.at,
}

export type LogRow = Pick<typeof activityLog.$inferSelect, keyof typeof columns>

/** Returns one page of the matching entries, newest first. @param matchingIds result of `searchMatchingIds` for the filter */
export async function listLogs(
  db: Reader,
  { page, perPage, ...filter }: LogFilter & { page: number; perPage: number },
  matchingIds = searchMatchingIds(db, filter),
): Promise<LogRow[]> {
  const requestedPage: PagePosition = { offset: (page - 1) * perPage, limit: perPage }
  const position = isCounted(filter)
    ? await findPagePosition(db, selectEntriesByDay(filter), requestedPage)
    : requestedPage
  if (!position) return []
  // Skips rows in a narrow index; the wide rows are only read for the page itself.
  const keys = sql`(select activity_log.id ${matchingClauses({ ...filter, ...intersectPeriods(filter, position) }, await matchingIds)}
    order by at desc, activity_log.id desc limit ${position.limit} offset ${position.offset})`
  return await db
    .select(columns)
    .from(activityLog)
    .where(sql`${activityLog.id} in ${keys}`)
    .orderBy(...newestFirst)
}

/** Position of the last row that an export has read. */
export interface LogKey {
  at: number
  id: number
}

/**
 * Returns the matching entries after a position, newest first, for an export.
 * @returns `next`: the position after the last row, undefined at the end
 */
export async function listLogsBelow(
  db: Reader,
  { below, limit, ...filter }: LogFilter & { below: LogKey | undefined; limit: number },
): Promise<{ rows: LogRow[]; next: LogKey | undefined }> {
  if (filter.search !== '' && isIndexed(filter)) return await searchBelow(db, filter, below, limit)
  const rows = await db
    .select(columns)
    .from(activityLog)
    .where(
      and(
        below && sql`(${activityLog.at}, ${activityLog.id}) < (${below.at}, ${below.id})`,
        matchesSelection(filter),
        filter.search === '' ? undefined : containsCondition(filter.search),
      ),
    )
    .orderBy(...newestFirst)
    .limit(limit)
  return { rows, next: rows.length < limit ? undefined : rows.at(-1) }
}

/**
 * Does the same as `listLogsBelow`, for a search: reads a limited number of entries that contain the words, and then applies
 * the filter.
 */
async function searchBelow(db: Reader, filter: LogFilter, below: LogKey | undefined, limit: number) {
  const found = await db.all<{ id: number }>(sql`select rowid as id from activity_search
    where activity_search match ${prefixExpressionOf(filter.search)} and ${idsWithin(filter)}
      and rowid < ${below?.id ?? Number.MAX_SAFE_INTEGER} order by rowid desc limit ${limit}`)
  const ids = JSON.stringify(found.map(({ id }) => id))
  const rows = await db
    .select(columns)
    .from(activityLog)
    .where(and(sql`id in (select value from json_each(${ids}))`, matchesSelection(filter)))
    .orderBy(desc(activityLog.id))
  const last = found.length < limit ? undefined : found.at(-1)
  return { rows, next: last && { at: 0, id: last.id } }
}

/**
 * True if the counters can give the total: they can for days and types, but not for a search, an account or an organisation.
 */
const isCounted = (filter: LogFilter) => filter.search === '' && coversAllOwners(filter)

/**
 * Counts the matching entries by type and status. For a search, only the entries that it reads are counted.
 * @param matchingIds result of `searchMatchingIds` for the filter
 */
export async function countLogs(
  db: Reader,
  filter: LogFilter,
  matchingIds = searchMatchingIds(db, filter),
): Promise<LogCount[]> {
  if (isCounted(filter)) return await countByCounters(db, filter)
  const rows = await db.all<Partial<LogCount> & { total: number }>(
    sql`select type, activity_log.status as status, count(*) as total ${matchingClauses(filter, await matchingIds)} group by type, activity_log.status`,
  )
  return rows.map(({ type, status, total }) => ({ type: type ?? 'other', status: status ?? 'info', total }))
}
