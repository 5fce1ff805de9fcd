import type { UserStatus } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { fold } from '@portal/format/folding'
import { and, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { users, userTexts } from '../db/schema/accounts.ts'

export type User = typeof users.$inferSelect

const byStatus = {
  enabled: eq(users.isEnabled, true),
  disabled: eq(users.isEnabled, false),
  verified: isNotNull(users.verifiedAt),
  unverified: isNull(users.verifiedAt),
} satisfies Record<UserStatus, SQL>

export interface UserFilter {
  /** Part of an e-mail address or of a full name, with or without the middle name. */
  search: string
  /** Any of these; none given means all. */
  roles: readonly Role[]
  status: UserStatus | undefined
}

/** Matches of a search are counted up to here: more pages than anyone turns, and quick at any size. */
export const MOST_COUNTED = 10_000
/** Up to so many matches are sorted; beyond, accounts are walked from the newest, where matches then are many. */
const FEW = 1000
/** Letters that a trigram index needs at least. */
const TRIGRAM = 3

interface Paged extends UserFilter {
  page: number
  perPage: number
}

type Page = { rows: User[]; total: number }

const filterOf = ({ roles, status }: UserFilter) =>
  and(roles.length > 0 ? inArray(users.role, [...roles]) : undefined, status && byStatus[status])

const pageOf = (db: Reader, where: SQL | undefined, { page, perPage }: Paged) =>
  db
    .select()
    .from(users)
    .where(where)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(perPage)
    .offset((page - 1) * perPage)

/** How many accounts there are of those that a query of their `seq` finds, up to a limit. */
async function countMatches(db: Reader, found: SQL, filter: SQL | undefined, most: number): Promise<number> {
  const matches = filter
    ? sql`select 1 from (${found}) as found
        join ${userTexts} on ${userTexts.seq} = found.seq join ${users} on ${users.id} = ${userTexts.userId}
        where ${filter}`
    : found
  const [counted] = await db.all<{ total: number }>(
    sql`select count(*) as total from (${matches} limit ${most})`,
  )
  return counted?.total ?? 0
}

async function listMatches(db: Reader, text: string, paged: Paged): Promise<Page> {
  const filter = filterOf(paged)
  const indexed = [...text].length >= TRIGRAM
  const expression = `"${text.replaceAll('"', '""')}"`
  const found = indexed
    ? sql`select rowid as seq from user_search where user_search match ${expression}`
    : sql`select seq from ${userTexts} where instr(folded, ${text}) > 0`
  const few = (await countMatches(db, found, undefined, FEW + 1)) <= FEW
  const matching = few
    ? sql`${users.id} in (select user_id from ${userTexts} where seq in (${found}))`
    : sql`exists (select 1 from ${userTexts} where user_id = ${users.id} and instr(folded, ${text}) > 0)`
  const rows = await pageOf(db, and(matching, filter), paged)
  return { rows, total: await countMatches(db, found, filter, MOST_COUNTED) }
}

/**
 * One page of the accounts, newest first, with how many match in all; a search, which compares neither case nor
 * diacritics, counts at most `MOST_COUNTED`.
 */
export async function listUsers(db: Reader, paged: Paged): Promise<Page> {
  const text = fold(paged.search.trim().replace(/\s+/g, ' '))
  if (text !== '') return await listMatches(db, text, paged)
  const where = filterOf(paged)
  const rows = await pageOf(db, where, paged)
  const [counted] = await db.select({ total: count() }).from(users).where(where)
  return { rows, total: counted?.total ?? 0 }
}
