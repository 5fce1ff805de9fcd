import { MAX_COUNTED } from '@portal/contract/list-limits'
import type { RegisterFilters, RegisterSort } from '@portal/contract/register-filters'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { countUpTo } from '../db/pages.ts'
import { type CertificateRow, certificates, FOLDED_NAME } from '../db/schema/certificates.ts'
import {
  conditionsOf,
  countFilters,
  firstBySeq,
  hasMatricMatch,
  indexInOrder,
  inRowSet,
  isFiltered,
  joinWithAnd,
  rowSetsOf,
  searchQueries,
  stateCondition,
} from './list-conditions-store.ts'
import { countCurrent, listCertificates } from './store.ts'

/**
 * Maximum number of matches that are sorted. If there are more, a scan in any order soon finds enough of them for the first
 * pages.
 */
const MAX_SORTED = 50_000

/** How many rows are checked one by one, in the list's order, before the rows that match a filter are collected as a set. */
const MAX_SCANNED = 20_000

/** Sort keys of rows. Rows with equal keys are sorted newest first. */
const orders = {
  uploaded_at: sql.raw('seq'),
  certificate_number: sql.raw('certificate_number'),
  student_name: sql.raw(FOLDED_NAME),
  graduation_date: sql.raw('graduation_date'),
}

const toSortOrder = (sort: RegisterSort) => {
  const descending = sort.startsWith('-')
  const name = (descending ? sort.slice(1) : sort) as keyof typeof orders
  return { key: orders[name], name, descending, bySeq: name === 'uploaded_at' }
}

/** True if a search finds at least `MAX_SORTED` rows. */
async function isBroad(db: Reader, { search, state }: RegisterFilters): Promise<boolean> {
  if (search === '' || state === 'deleted') return false
  const all = sql.join(searchQueries(search), sql` union all `)
  const [counted] = await db.all<{ total: number }>(
    sql`select count(*) as total from (select distinct seq from (${all}) limit ${MAX_SORTED})`,
  )
  return (counted?.total ?? 0) >= MAX_SORTED
}

/** Returns all filters as one condition on `certificates`. */
export const filteredBy = (filters: RegisterFilters): SQL => joinWithAnd(conditionsOf(filters))

const count = (db: Reader, limit: number, filters: RegisterFilters, broad: boolean) =>
  countUpTo(
    db,
    limit,
    sql`select 1 from ${certificates} where ${joinWithAnd(conditionsOf(filters, { broad }))}`,
  )

/**
 * True if at least `MAX_SORTED` certificates without letters match. Estimated cheaply, by assuming that every letter belongs to
 * a different certificate that matches the other filters.
 */
async function manyLackLetters(db: Reader, filters: RegisterFilters, broad: boolean): Promise<boolean> {
  if (filters.letters !== 'without' || filters.state === 'deleted') return false
  const otherFilters = { ...filters, letters: undefined }
  const isUnfiltered = filters.search === '' && !isFiltered(otherFilters)
  const currentTotal = isUnfiltered ? await countCurrent(db) : undefined
  const limit = currentTotal === undefined ? MAX_SORTED : Math.max(0, currentTotal - MAX_SORTED)
  // Counting entries of a single index is far faster than reading certificates and their letters.
  const letterCount = await countUpTo(db, limit, sql`select 1 from letters`)
  if (letterCount >= limit) return false
  const remaining = currentTotal ?? (await count(db, MAX_SORTED + letterCount, otherFilters, broad))
  return remaining - letterCount >= MAX_SORTED
}

/** Returns the number of matches, or `MAX_SORTED` if there are more. */
async function countMatches(db: Reader, filters: RegisterFilters, broad: boolean): Promise<number> {
  if (broad && !isFiltered(filters)) return MAX_SORTED
  return (await manyLackLetters(db, filters, broad))
    ? MAX_SORTED
    : await count(db, MAX_SORTED, filters, broad)
}

export interface RegisterQuery {
  filters: RegisterFilters
  sort: RegisterSort
}

/** Returns the rows with these `seq` values, in the given order. */
async function rowsOf(db: Reader, seqs: readonly number[]): Promise<CertificateRow[]> {
  const rows = await db
    .select()
    .from(certificates)
    .where(sql`${certificates.seq} in (select value from json_each(${JSON.stringify(seqs)}))`)
  const bySeq = new Map(rows.map(row => [row.seq, row]))
  return seqs.flatMap(seq => bySeq.get(seq) ?? [])
}

interface PageQuery extends RegisterQuery {
  offset: number
  limit: number
}

type FoundSeqs = Promise<{ seq: number }[]>

/**
 * Returns the condition that a row matches one of the filters, as membership in a set. For a period, the set contains the rows
 * inside or those outside it, whichever are fewer.
 */
async function smallerSetOf(db: Reader, filters: RegisterFilters): Promise<SQL> {
  const [within, beyond] = rowSetsOf(filters)
  if (!beyond) return inRowSet(within)
  const halfOfRows = (await countCurrent(db)) / 2
  const outside = await countUpTo(db, Math.ceil(halfOfRows), sql.join(beyond.seqs, sql` union all `))
  return inRowSet(outside < halfOfRows ? beyond : within)
}

/**
 * Returns a page of a list with too many matches to sort. If one index serves both the filter and the order, it is scanned up
 * to the page. Otherwise the first `MAX_SCANNED` rows in that order are checked against the filters. If too few of them match,
 * the rows that match one filter are collected as a set, so that the scan need not read the other rows.
 */
async function scannedPage(db: Reader, { filters, sort, offset, limit }: PageQuery): FoundSeqs {
  const { key, name, descending, bySeq } = toSortOrder(sort)
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const order = bySeq ? sql`seq ${direction}` : sql`${key} ${direction}, seq desc`
  const pageClause = sql`limit ${limit} offset ${offset}`
  const read = (conditions: readonly SQL[]): FoundSeqs =>
    db.all(
      sql`select seq from ${certificates} where ${joinWithAnd(conditions)} order by ${order} ${pageClause}`,
    )
  const indexedOrder = bySeq ? 'seq' : name === 'graduation_date' ? name : undefined
  const orderedIndex = indexedOrder && indexInOrder(filters, indexedOrder)
  const rowConditions = conditionsOf(filters, { scansIndex: true, broad: true, orderedIndex })
  const filterCount = countFilters(filters)
  if (orderedIndex || filterCount === 0 || filters.state === 'deleted') return await read(rowConditions)
  const firstRows = sql`(select * from ${certificates} where ${stateCondition(filters)} order by ${order} limit ${MAX_SCANNED})`
  const scanned = await db.all<{ seq: number }>(
    sql`select seq from ${firstRows} where ${joinWithAnd(rowConditions)} ${pageClause}`,
  )
  if (scanned.length === limit) return scanned
  if (bySeq && filterCount === 1 && filters.letters === 'with')
    return await db.all(
      sql`select seq from ${certificates} where ${joinWithAnd(conditionsOf(filters))} order by +seq ${direction} ${pageClause}`,
    )
  if (bySeq && filterCount === 1 && filters.letters === undefined)
    return await db.all(
      sql`select seq from (${firstBySeq(filters, direction, offset + limit)}) order by seq ${direction} ${pageClause}`,
    )
  return await read([
    stateCondition(filters),
    await smallerSetOf(db, filters),
    ...(filterCount === 1 ? [] : rowConditions),
  ])
}

/** Returns a page of a list with few matches: finds them by the filters' indexes, and then sorts them. */
async function sortedPage(db: Reader, { filters, sort, offset, limit }: PageQuery): FoundSeqs {
  const { key, descending, bySeq } = toSortOrder(sort)
  return await db.all(sql`
    select seq from ${certificates} where ${joinWithAnd(conditionsOf(filters))}
    order by +${key} ${sql.raw(descending ? 'desc' : 'asc')}${bySeq ? sql`` : sql`, +seq desc`}
    limit ${limit} offset ${offset}`)
}

/**
 * Returns one page of the register. With a filter or search, at most `MAX_COUNTED` certificates are counted and shown.
 * @returns `isMinimum`: true if counting stopped at `total`, so there may be more certificates
 */
export async function listRegister(
  db: Reader,
  { filters, sort, page, perPage }: RegisterQuery & { page: number; perPage: number },
): Promise<{ rows: CertificateRow[]; total: number; isMinimum: boolean }> {
  const { search } = filters
  const isNarrowed = isFiltered(filters)
  if (!isNarrowed && sort === '-uploaded_at' && (search === '' || !(await hasMatricMatch(db, search)))) {
    const firstPage = await listCertificates(db, { search, page, perPage })
    return { ...firstPage, isMinimum: search !== '' && firstPage.total >= MAX_COUNTED }
  }
  const isEverything = !isNarrowed && search === ''
  const offset = (page - 1) * perPage
  const broad = await isBroad(db, filters)
  const matches = isEverything ? MAX_SORTED : await countMatches(db, filters, broad)
  const total = isEverything ? await countCurrent(db) : Math.min(matches, MAX_COUNTED)
  const isMinimum = !isEverything && matches >= MAX_COUNTED
  if (offset >= total) return { rows: [], total, isMinimum }
  const pageQuery = { filters, sort, offset, limit: Math.min(perPage, total - offset) }
  const found = await (matches < MAX_SORTED ? sortedPage : scannedPage)(db, pageQuery)
  return {
    rows: await rowsOf(
      db,
      found.map(({ seq }) => seq),
    ),
    total,
    isMinimum,
  }
}

/** Position of the last row that an export has read. */
export interface RegisterKey {
  key: string | number
  seq: number
}

/**
 * Returns the next certificates of an export, in its order.
 * @returns `next`: the position after the last row, undefined at the end
 */
export async function listRegisterBelow(
  db: Reader,
  { filters, sort, below, limit }: RegisterQuery & { below: RegisterKey | undefined; limit: number },
): Promise<{ rows: CertificateRow[]; next: RegisterKey | undefined }> {
  const { key, descending, bySeq } = toSortOrder(sort)
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const operator = sql.raw(descending ? '<' : '>')
  const after = below && [
    bySeq
      ? sql`seq ${operator} ${below.seq}`
      : sql`${key} ${operator}= ${below.key} and (${key} ${operator} ${below.key} or seq < ${below.seq})`,
  ]
  const conditions = conditionsOf(filters, { scansIndex: true, broad: await isBroad(db, filters) })
  const found = await db.all<RegisterKey>(sql`
    select seq, ${key} as key from ${certificates} where ${joinWithAnd([...conditions, ...(after ?? [])])}
    order by ${key} ${direction}${bySeq ? sql`` : sql`, seq desc`} limit ${limit}`)
  const next = found.length < limit ? undefined : found.at(-1)
  return {
    rows: await rowsOf(
      db,
      found.map(({ seq }) => seq),
    ),
    next,
  }
}

/** Counts the certificates with each value of a column; the most frequent value comes first. */
export const countValues = (
  db: Reader,
  { column, limit }: { column: 'course' | 'department' | 'grade'; limit: number },
) =>
  db.all<{ value: string; count: number }>(sql`
    select ${sql.raw(column)} as value, count(*) as count from ${certificates} where withdrawn_at is null
    group by 1 order by 2 desc, 1 limit ${limit}`)
