import type { UserStatus } from '@portal/contract/admin-users'
import { MOST_ACCOUNTS_COUNTED } from '@portal/contract/list-limits'
import type { Role } from '@portal/contract/shapes'
import { fold } from '@portal/format/folding'
import { and, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { type Span, spanOf, totalOf } from '../db/pages.ts'
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
 * The accounts whose address or name hold a text, and that a filter leaves: any part of three letters or more, else how a
 * word begins. `seq` is their order in the index.
 */
function matchesOf(text: string, filter: UserFilter) {
  const [index, expression] =
    [...text].length >= TRIGRAM
      ? [sql`user_search`, quoted(text)]
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
