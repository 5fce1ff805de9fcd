import type { UserSort, UserStatus } from '@portal/contract/admin-users'
import { MOST_ACCOUNTS_COUNTED, MOST_COUNTED } from '@portal/contract/list-limits'
import type { Role } from '@portal/contract/shapes'
import { fold } from '@portal/format/folding'
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { countUpTo, type Span, spanOf, totalOf } from '../db/pages.ts'
import { quoted } from '../db/quoted.ts'
import { users, userTexts } from '../db/schema/accounts.ts'
import { accountCounters } from '../db/schema/counters.ts'
import type { User } from './store.ts'

const byStatus = {
  enabled: eq(users.isEnabled, true),
  disabled: eq(users.isEnabled, false),
  verified: isNotNull(users.verifiedAt),
  unverified: isNull(users.verifiedAt),
} satisfies Record<UserStatus, SQL>

export interface UserFilter {
  /** Part of an e-mail address or of a full name, with or without the middle name; of one or two letters, how a word begins. */
  search: string
  /** Any of these; none given means all. */
  roles: readonly Role[]
  status: UserStatus | undefined
}

/** Up to so many matches are sorted by when they were made; more stand in the order of the index, the same but for moments. */
const FEW = 100
/** Letters that a trigram index needs at least. */
const TRIGRAM = 3

interface Paged extends UserFilter {
  page: number
  perPage: number
}

type Page = { rows: User[]; total: number }

const filterOf = ({ roles, status }: UserFilter) =>
  and(roles.length > 0 ? inArray(users.role, [...roles]) : undefined, status && byStatus[status])

/** The accounts of some keys, newest first. */
const usersOf = (db: Reader, keys: SQL) =>
  db.select().from(users).where(sql`${users.id} in ${keys}`).orderBy(desc(users.createdAt), desc(users.id))

/**
 * The keys of a page of all that a filter leaves, counted off in narrow indexes. Several roles are taken together, each
 * from its own part of the index.
 */
function keysOf({ roles, status }: UserFilter, { before, offset, limit }: Span): SQL {
  const order = sql`created_at desc, id desc`
  const days = before === undefined ? undefined : lt(users.createdAt, before)
  const of = (role: Role | undefined, page: SQL) => sql`select id, created_at from ${users}
    where ${and(isNull(users.erasedAt), role && eq(users.role, role), status && byStatus[status], days)} order by ${order} ${page}`
  const page = sql`limit ${limit} offset ${offset}`
  if (roles.length < 2) return sql`(select id from (${of(roles[0], page)}))`
  const each = roles.map(role => sql`select * from (${of(role, sql`limit ${offset + limit}`)})`)
  return sql`(select id from (${sql.join(each, sql` union all `)}) order by ${order} ${page})`
}

const counted = {
  enabled: eq(accountCounters.isEnabled, 1),
  disabled: eq(accountCounters.isEnabled, 0),
  verified: eq(accountCounters.isVerified, 1),
  unverified: eq(accountCounters.isVerified, 0),
} satisfies Record<UserStatus, SQL>

/** Accounts of each day that a filter leaves. */
const accountsByDay = ({ roles, status }: UserFilter): SQL => sql`select day, total from ${accountCounters}
  where ${and(sql`true`, roles.length > 0 ? inArray(accountCounters.role, [...roles]) : undefined, status && counted[status])}`

/**
 * The accounts whose address or names hold a text, and that a filter leaves: its words in any order if all have three
 * letters or more, otherwise the whole text, or for one or two letters how a word begins. `seq` is their order in the index.
 */
function matchesOf(text: string, filter: UserFilter) {
  const words = text.split(' ')
  const inAnyOrder = words.every(word => [...word].length >= TRIGRAM)
  const [index, expression] =
    [...text].length >= TRIGRAM
      ? [sql`user_search`, (inAnyOrder ? words : [text]).map(quoted).join(' AND ')]
      : [sql`user_word_search`, `${quoted(text)} *`]
  const conditions = filterOf(filter)
  const accounts =
    conditions && sql` cross join ${users} on ${users.id} = ${userTexts.userId} and ${conditions}`
  const texts = sql` cross join ${userTexts} on ${userTexts.seq} = ${index}.rowid`
  const matching = sql`where ${index} match ${expression}`
  return {
    ids: sql`select ${userTexts.userId} as id from ${index}${texts}${accounts} ${matching}`,
    // The index alone tells how many there are of all.
    counted: sql`select 1 from ${index}${conditions && texts}${accounts} ${matching} limit ${MOST_ACCOUNTS_COUNTED}`,
    seq: sql`${index}.rowid`,
  }
}

async function listMatches(db: Reader, text: string, { page, perPage, ...filter }: Paged): Promise<Page> {
  const { ids, counted, seq } = matchesOf(text, filter)
  const [found] = await db.all<{ total: number }>(sql`select count(*) as total from (${counted})`)
  const total = found?.total ?? 0
  const offset = (page - 1) * perPage
  if (offset >= total) return { rows: [], total }
  const keys =
    total <= FEW
      ? sql`(select id from ${users} where id in (${ids}) order by created_at desc, id desc limit ${perPage} offset ${offset})`
      : sql`(${ids} order by ${seq} desc limit ${perPage} offset ${offset})`
  return { rows: await usersOf(db, keys), total }
}

/** Columns of an order, with ties newest first. */
const orders = {
  created_at: sql`created_at`,
  lastname: sql`lower(lastname)`,
  email: sql`email`,
}

const orderOf = (sort: UserSort): SQL => {
  const descending = sort.startsWith('-')
  const name = (descending ? sort.slice(1) : sort) as keyof typeof orders
  return sql`${orders[name]} ${sql.raw(descending ? 'desc' : 'asc')}, created_at desc, id desc`
}

export interface SortedFilter extends UserFilter {
  /** Milliseconds, inclusive, and exclusive. */
  from: number | undefined
  before: number | undefined
  sort: UserSort
}

/** The condition of all filters, for one table `users`. */
function conditionOf(filter: SortedFilter): SQL {
  const text = fold(filter.search.trim().replace(/\s+/g, ' '))
  return (
    and(
      isNull(users.erasedAt),
      filterOf(filter),
      filter.from === undefined ? undefined : gte(users.createdAt, filter.from),
      filter.before === undefined ? undefined : lt(users.createdAt, filter.before),
      text === '' ? undefined : sql`id in (${matchesOf(text, filter).ids})`,
    ) ?? sql`true`
  )
}

/** Accounts in any order, for an export without limit on their number. @param offset how many come before them */
export const listSorted = (
  db: Reader,
  { limit, offset, ...filter }: SortedFilter & { limit: number; offset: number },
): Promise<User[]> =>
  db.select().from(users).where(conditionOf(filter)).orderBy(orderOf(filter.sort)).limit(limit).offset(offset)

/** One page of accounts in any order, created within a period; at most `MOST_COUNTED` are counted and shown. */
export async function listUsersSorted(
  db: Reader,
  { page, perPage, ...filter }: SortedFilter & { page: number; perPage: number },
): Promise<Page> {
  const total = await countUpTo(db, MOST_COUNTED, sql`select 1 from ${users} where ${conditionOf(filter)}`)
  const offset = (page - 1) * perPage
  if (offset >= total) return { rows: [], total }
  return {
    rows: await listSorted(db, { ...filter, limit: Math.min(perPage, total - offset), offset }),
    total,
  }
}

/**
 * One page of the accounts, newest first, with how many match in all; a search, which compares neither case nor
 * diacritics, counts at most `MOST_ACCOUNTS_COUNTED`.
 */
export async function listUsers(db: Reader, paged: Paged): Promise<Page> {
  const text = fold(paged.search.trim().replace(/\s+/g, ' '))
  // Erased accounts have no text that a search could find; elsewhere they are left out.
  if (text !== '') return await listMatches(db, text, paged)
  const days = accountsByDay(paged)
  const total = await totalOf(db, days)
  const span = await spanOf(db, days, { offset: (paged.page - 1) * paged.perPage, limit: paged.perPage })
  return { rows: span ? await usersOf(db, keysOf(paged, span)) : [], total }
}
