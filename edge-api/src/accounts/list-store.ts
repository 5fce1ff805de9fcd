import type { UserSort, UserStatus } from '@portal/contract/admin-users'
import { MAX_ACCOUNTS_COUNTED, MAX_COUNTED } from '@portal/contract/list-limits'
import type { Role } from '@portal/contract/shapes'
import { fold } from '@portal/format/folding'
import { withoutPhonePrefix } from '@portal/format/phone'
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { countUpTo, type Days, findPagePosition, type PagePosition, sumTotals } from '../db/pages.ts'
import { quote } from '../db/quote.ts'
import { FOLDED_LASTNAME, users, userTexts } from '../db/schema/accounts.ts'
import { accountCounters } from '../db/schema/counters.ts'
import type { User } from './store.ts'

const statusConditions = {
  enabled: eq(users.isEnabled, true),
  disabled: eq(users.isEnabled, false),
  verified: isNotNull(users.verifiedAt),
  unverified: isNull(users.verifiedAt),
} satisfies Record<UserStatus, SQL>

export interface UserFilter {
  /**
   * Search words, in any order. A word matches any part of an email address, name or phone number; one or two letters match
   * only the beginning of a word.
   */
  search: string
  /** Accounts with any of these roles; an empty list means all roles. */
  roles: readonly Role[]
  status: UserStatus | undefined
}

/**
 * Maximum number of search matches that are sorted by creation time. If there are more, they are returned in the order of the
 * index, which is almost the same.
 */
const MAX_SORTED = 100
/** Minimum length of a word that a trigram index can find. */
const TRIGRAM_LENGTH = 3

interface PagedFilter extends UserFilter {
  page: number
  perPage: number
}

interface Page {
  rows: User[]
  total: number
  /** True if counting stopped at `total`, so there may be more accounts. */
  isMinimum: boolean
}

/** Returns the condition on role and status of a filter. */
const roleAndStatusConditionOf = ({ roles, status }: UserFilter) =>
  and(roles.length > 0 ? inArray(users.role, [...roles]) : undefined, status && statusConditions[status])

/** Reads the accounts with these keys, newest first. */
const selectUsers = (db: Reader, keys: SQL) =>
  db.select().from(users).where(sql`${users.id} in ${keys}`).orderBy(desc(users.createdAt), desc(users.id))

/**
 * Returns a query for the keys of one page of the accounts that match a filter. It reads only narrow indexes; if there are
 * several roles, each is read separately, and the results are merged.
 */
function selectUserKeys({ roles, status }: UserFilter, { before, offset, limit }: PagePosition): SQL {
  const order = sql`created_at desc, id desc`
  const beforeCondition = before === undefined ? undefined : lt(users.createdAt, before)
  const selectKeysOfRole = (role: Role | undefined, page: SQL) => sql`select id, created_at from ${users}
    where ${and(isNull(users.erasedAt), role && eq(users.role, role), status && statusConditions[status], beforeCondition)} order by ${order} ${page}`
  const page = sql`limit ${limit} offset ${offset}`
  if (roles.length < 2) return sql`(select id from (${selectKeysOfRole(roles[0], page)}))`
  const keysPerRole = roles.map(
    role => sql`select * from (${selectKeysOfRole(role, sql`limit ${offset + limit}`)})`,
  )
  return sql`(select id from (${sql.join(keysPerRole, sql` union all `)}) order by ${order} ${page})`
}

/** Conditions on the counters that correspond to `statusConditions`. */
const counterStatusConditions = {
  enabled: eq(accountCounters.isEnabled, 1),
  disabled: eq(accountCounters.isEnabled, 0),
  verified: eq(accountCounters.isVerified, 1),
  unverified: eq(accountCounters.isVerified, 0),
} satisfies Record<UserStatus, SQL>

/** Returns a query for the number of accounts per day that match a filter. */
const selectAccountsByDay = ({
  roles,
  status,
}: UserFilter): SQL => sql`select day, total from ${accountCounters}
  where ${and(sql`true`, roles.length > 0 ? inArray(accountCounters.role, [...roles]) : undefined, status && counterStatusConditions[status])}`

/**
 * Returns the condition that a text has a word that begins with the given letters or digits. Words end at ASCII separators; a
 * word may begin with any other character.
 */
const hasWordStartingWith = (letters: string) =>
  sql`char(10) || ${userTexts.folded} glob ${`*[^0-9a-z]${letters.replaceAll(/[^\p{L}\p{N}]/gu, '')}*`}`

/**
 * Returns queries for the accounts that match a filter and contain all words of `text` in their address, names or phone number,
 * in any order. Words of three letters or more use the trigram index; shorter ones filter its results.
 * @returns `ids`: the accounts' IDs; `rowsToCount`: one row per account, up to the limit; `seq`: the order of the index
 */
function buildSearchQueries(text: string, filter: UserFilter) {
  const words = text.split(' ')
  const longWords = words.filter(word => [...word].length >= TRIGRAM_LENGTH)
  const shortWords = words.filter(word => [...word].length < TRIGRAM_LENGTH && /[\p{L}\p{N}]/u.test(word))
  const [index, terms, wordConditions] =
    longWords.length > 0
      ? [sql`user_search`, longWords.map(quote), shortWords.map(hasWordStartingWith)]
      : [
          sql`user_word_search`,
          (shortWords.length > 0 ? shortWords : [text]).map(word => `${quote(word)} *`),
          [],
        ]
  const conditions = roleAndStatusConditionOf(filter)
  const userJoin =
    conditions && sql` cross join ${users} on ${users.id} = ${userTexts.userId} and ${conditions}`
  const textJoin = sql` cross join ${userTexts} on ${and(sql`${userTexts.seq} = ${index}.rowid`, ...wordConditions)}`
  const matching = sql`where ${index} match ${terms.join(' AND ')}`
  return {
    ids: sql`select ${userTexts.userId} as id from ${index}${textJoin}${userJoin} ${matching}`,
    // Without other conditions, the index alone is enough to count.
    rowsToCount: sql`select 1 from ${index}${conditions || wordConditions.length > 0 ? textJoin : undefined}${userJoin} ${matching} limit ${MAX_ACCOUNTS_COUNTED}`,
    seq: sql`${index}.rowid`,
  }
}

async function listMatches(
  db: Reader,
  text: string,
  { page, perPage, ...filter }: PagedFilter,
): Promise<Page> {
  const { ids, rowsToCount, seq } = buildSearchQueries(text, filter)
  const [found] = await db.all<{ total: number }>(sql`select count(*) as total from (${rowsToCount})`)
  const total = found?.total ?? 0
  const isMinimum = total >= MAX_ACCOUNTS_COUNTED
  const offset = (page - 1) * perPage
  if (offset >= total) return { rows: [], total, isMinimum }
  const keys =
    total <= MAX_SORTED
      ? sql`(select id from ${users} where id in (${ids}) order by created_at desc, id desc limit ${perPage} offset ${offset})`
      : sql`(${ids} order by ${seq} desc limit ${perPage} offset ${offset})`
  return { rows: await selectUsers(db, keys), total, isMinimum }
}

/** Sort keys of accounts. Accounts with equal keys are sorted by creation time, newest first. */
const sortKeys = {
  created_at: sql.raw('created_at'),
  lastname: sql.raw(FOLDED_LASTNAME),
  email: sql.raw('email'),
}

const sortKeyOf = (sort: UserSort) =>
  sortKeys[(sort.startsWith('-') ? sort.slice(1) : sort) as keyof typeof sortKeys]

/**
 * Returns the terms of the `order by` clause. If few rows match (`isSmall`), a unary plus makes the planner sort them instead
 * of scanning the index on the sort key.
 */
function buildOrderBy(sort: UserSort, isSmall: boolean): SQL {
  const [plus, direction] = [sql.raw(isSmall ? '+' : ''), sql.raw(sort.startsWith('-') ? 'desc' : 'asc')]
  const key = sortKeyOf(sort)
  return key === sortKeys.created_at
    ? sql`${plus}created_at ${direction}, id desc`
    : sql`${plus}${key} ${direction}, created_at desc, id desc`
}

export interface SortedFilter extends UserFilter, Days {
  sort: UserSort
}

/** Returns all filters as one condition on `users`. */
function conditionOf(filter: SortedFilter): SQL {
  const text = searchTextOf(filter)
  return (
    and(
      isNull(users.erasedAt),
      roleAndStatusConditionOf(filter),
      filter.from === undefined ? undefined : gte(users.createdAt, filter.from),
      filter.before === undefined ? undefined : lt(users.createdAt, filter.before),
      text === '' ? undefined : sql`id in (${buildSearchQueries(text, filter).ids})`,
    ) ?? sql`true`
  )
}

/** Position of the last row that an export has read. */
export interface AccountKey {
  key: string | number
  createdAt: number
  id: string
}

/**
 * Returns the next accounts of an export, in its order.
 * @param afterRow position of the last row that was read; undefined for the first call
 * @returns `next`: the position after the last row, undefined at the end
 */
export async function listUsersAfter(
  db: Reader,
  { afterRow, limit, ...filter }: SortedFilter & { afterRow: AccountKey | undefined; limit: number },
): Promise<{ rows: User[]; next: AccountKey | undefined }> {
  const key = sortKeyOf(filter.sort)
  const operator = sql.raw(filter.sort.startsWith('-') ? '<' : '>')
  const after =
    afterRow &&
    sql`${key} ${operator}= ${afterRow.key} and (${key} ${operator} ${afterRow.key} or (created_at, id) < (${afterRow.createdAt}, ${afterRow.id}))`
  const found = await db
    .select({ user: users, key: sql<string | number>`${key}` })
    .from(users)
    .where(and(conditionOf(filter), after))
    .orderBy(buildOrderBy(filter.sort, false))
    .limit(limit)
  const last = found.length < limit ? undefined : found.at(-1)
  return {
    rows: found.map(({ user }) => user),
    next: last && { key: last.key, createdAt: last.user.createdAt, id: last.user.id },
  }
}

/** True if the filter has a condition for which there is an index. */
const isNarrow = ({ search, roles, from, before }: SortedFilter) =>
  search !== '' || roles.length > 0 || from !== undefined || before !== undefined

/** Returns one page of accounts in the requested order; at most `MAX_COUNTED` are counted and shown. */
export async function listUsersSorted(
  db: Reader,
  { page, perPage, ...filter }: SortedFilter & { page: number; perPage: number },
): Promise<Page> {
  const where = conditionOf(filter)
  const total = await countUpTo(db, MAX_COUNTED, sql`select 1 from ${users} where ${where}`)
  const isMinimum = total >= MAX_COUNTED
  const offset = (page - 1) * perPage
  if (offset >= total) return { rows: [], total, isMinimum }
  const rows = await db
    .select()
    .from(users)
    .where(where)
    .orderBy(buildOrderBy(filter.sort, !isMinimum && isNarrow(filter)))
    .limit(Math.min(perPage, total - offset))
    .offset(offset)
  return { rows, total, isMinimum }
}

/** Returns the search text in normalised form: without case, diacritics, a phone prefix and repeated spaces. */
const searchTextOf = ({ search }: UserFilter) => fold(withoutPhonePrefix(search.trim().replace(/\s+/g, ' ')))

/**
 * Returns one page of accounts, newest first, with the total. A search ignores case and diacritics, and counts at most
 * `MAX_ACCOUNTS_COUNTED` matches.
 */
export async function listUsers(db: Reader, filter: PagedFilter): Promise<Page> {
  const text = searchTextOf(filter)
  // A search cannot find erased accounts, because they have no searchable text; only the other queries must exclude them.
  if (text !== '') return await listMatches(db, text, filter)
  const days = selectAccountsByDay(filter)
  const total = await sumTotals(db, days)
  const position = await findPagePosition(db, days, {
    offset: (filter.page - 1) * filter.perPage,
    limit: filter.perPage,
  })
  return {
    rows: position ? await selectUsers(db, selectUserKeys(filter, position)) : [],
    total,
    isMinimum: false,
  }
}
