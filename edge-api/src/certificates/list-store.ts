import { upperCaseNumber } from '@portal/contract/certificate-number'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import type { RegisterFilters, RegisterSort } from '@portal/contract/register-filters'
import { fold } from '@portal/format/folding'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { countUpTo } from '../db/pages.ts'
import { type CertificateRow, certificates, FOLDED_NAME } from '../db/schema/certificates.ts'
import { type NumberRange, partsOf, searchOf } from './search.ts'
import { countCurrent, listCertificates } from './store.ts'

const DAY = 86_400_000

/**
 * Up to this many matches are sorted. Beyond that, the index of the sort order is scanned: of a million rows, at least
 * every twentieth matches.
 */
const SORTED = 50_000

/** Sort keys of rows; equal ones newest first. */
const orders = {
  uploaded_at: sql.raw('seq'),
  certificate_number: sql.raw('certificate_number'),
  student_name: sql.raw(FOLDED_NAME),
  graduation_date: sql.raw('graduation_date'),
}

const orderOf = (sort: RegisterSort) => {
  const descending = sort.startsWith('-')
  const name = (descending ? sort.slice(1) : sort) as keyof typeof orders
  return { key: orders[name], descending, bySeq: name === 'uploaded_at' }
}

const dayOf = (day: string) => Date.parse(day)

const and = (conditions: readonly SQL[]) => sql.join([...conditions], sql` and `)

const rangeFrom = (from: string): NumberRange => ({ from, before: `${from}\u{10ffff}` })

/** Upper-cases letter by letter: `ß` has no single capital. */
const capitals = (text: string) =>
  Array.from(text, letter => {
    const capital = letter.toUpperCase()
    return capital.length === letter.length ? capital : letter
  }).join('')

/**
 * Matric numbers that begin with the text in either case. `upper` in their index only converts A to Z, so other
 * letters are searched for as typed, in lower case and in upper case.
 */
function matricRanges(search: string): NumberRange[] {
  const text = search.normalize('NFC').replace(/\s+/g, ' ').trim()
  const forms = [text, text.toLowerCase(), capitals(text)].map(upperCaseNumber)
  return [...new Set(forms)].map(rangeFrom)
}

const ofMatric = ({ from, before }: NumberRange) =>
  sql`withdrawn_at is null and matric_number is not null and upper(matric_number) >= ${from} and upper(matric_number) < ${before}`

/**
 * The `seq` of everything in the register that a search finds. Each part of the query uses an index of its own, and some
 * rows occur twice.
 */
function foundBy(search: string): SQL[] {
  const wanted = searchOf(search)
  const numbers = ({ from, before }: NumberRange) =>
    sql`select seq from ${certificates} where withdrawn_at is null and certificate_number >= ${from} and certificate_number < ${before}`
  const first =
    wanted.kind === 'match'
      ? sql`select rowid as seq from certificate_search where certificate_search match ${wanted.expression}`
      : numbers(wanted.kind === 'prefix' ? wanted : rangeFrom(search))
  const matrics = matricRanges(search).map(
    range => sql`select seq from ${certificates} where ${ofMatric(range)}`,
  )
  return [first, ...matrics]
}

/** How a list is read. */
interface Walk {
  /** In the order of an index. */
  walked?: boolean
  /** The search finds more than is sorted. */
  broad?: boolean
}

/** True for a row that contains every word of a search, or whose matric number begins with it. */
function containing(search: string, first: readonly SQL[]): SQL {
  const matrics = matricRanges(search).map(
    ({ from, before }) => sql`upper(matric_number) >= ${from} and upper(matric_number) < ${before}`,
  )
  return sql`((${and(first)}) or ${sql.join(matrics, sql` or `)})`
}

const like = (word: string) => sql`folded like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** Deleted certificates are few, and in no text index. */
const inDeleted = (search: string): SQL => containing(search, fold(search.trim()).split(/\s+/).map(like))

/** The same condition as `foundBy`, checked row by row: faster for searches with very many results. */
function inBroad(search: string): SQL {
  const wanted = searchOf(search)
  return containing(
    search,
    wanted.kind === 'prefix'
      ? [sql`certificate_number >= ${wanted.from} and certificate_number < ${wanted.before}`]
      : partsOf(search).map(like),
  )
}

/** The condition of a search, for a table `certificates`. */
function matching({ search, state }: RegisterFilters, { walked, broad }: Walk): SQL[] {
  if (searchOf(search).kind === 'all') return []
  if (state === 'deleted') return [inDeleted(search)]
  const found = sql.join(foundBy(search), sql` union `)
  return [broad ? inBroad(search) : sql`${sql.raw(walked ? '+seq' : 'seq')} in (${found})`]
}

/** True if a search finds more than is sorted. */
async function isBroad(db: Reader, { search, state }: RegisterFilters): Promise<boolean> {
  if (search === '' || state === 'deleted') return false
  const all = sql.join(foundBy(search), sql` union all `)
  const [counted] = await db.all<{ total: number }>(
    sql`select count(*) as total from (select distinct seq from (${all}) limit ${SORTED})`,
  )
  return (counted?.total ?? 0) >= SORTED
}

/**
 * The conditions of a filter. `walked`: a unary plus keeps the planner from using their indexes, because the
 * index of the order is scanned.
 */
function conditionsOf(filters: RegisterFilters, { walked = false, broad = false }: Walk = {}): SQL[] {
  const column = (name: string) => sql.raw(walked ? `+${name}` : name)
  const { letters, upload_id: upload, graduated_from, graduated_to, uploaded_from, uploaded_to } = filters
  const deleted = filters.state === 'deleted'
  const issued = sql`select 1 from letters where letters.certificate_id = ${certificates}.id`
  const exact = {
    course: filters.course,
    department: filters.department,
    grade: filters.grade,
    uploader_email: filters.uploader,
  }
  return [
    deleted ? sql`withdrawn_at is not null` : sql`withdrawn_at is null`,
    ...Object.entries(exact).flatMap(([name, value]) =>
      value === undefined ? [] : [sql`${column(name)} = ${value}`],
    ),
    ...(graduated_from === undefined ? [] : [sql`${column('graduation_date')} >= ${graduated_from}`]),
    ...(graduated_to === undefined ? [] : [sql`${column('graduation_date')} <= ${graduated_to}`]),
    ...(uploaded_from === undefined ? [] : [sql`${column('uploaded_at')} >= ${dayOf(uploaded_from)}`]),
    ...(uploaded_to === undefined ? [] : [sql`${column('uploaded_at')} < ${dayOf(uploaded_to) + DAY}`]),
    ...(upload === undefined
      ? []
      : [sql`${column('upload_seq')} = (select uploads.seq from uploads where uploads.id = ${upload})`]),
    ...(letters === 'without' ? [sql`not exists (${issued})`] : []),
    ...(letters === 'with'
      ? [walked ? sql`exists (${issued})` : sql`id in (select certificate_id from letters)`]
      : []),
    ...matching(filters, { walked, broad }),
  ]
}

/** The combined condition of a filter on `certificates`. */
export const filteredBy = (filters: RegisterFilters): SQL => and(conditionsOf(filters))

const isFiltered = ({ search: _, ...filters }: RegisterFilters) =>
  Object.entries(filters).some(
    ([name, value]) => value !== undefined && !(name === 'state' && value === 'current'),
  )

/** True if the beginning of a matric number is searched for. */
async function findsMatric(db: Reader, search: string): Promise<boolean> {
  for (const range of matricRanges(search)) {
    const rows = await db.all(sql`select 1 from ${certificates} where ${ofMatric(range)} limit 1`)
    if (rows.length > 0) return true
  }
  return false
}

const count = (db: Reader, limit: number, filters: RegisterFilters, broad: boolean) =>
  countUpTo(db, limit, sql`select 1 from ${certificates} where ${and(conditionsOf(filters, { broad }))}`)

/**
 * True if more than `SORTED` certificates without letters match, even if every letter belongs to a certificate that
 * matches the other filters.
 */
async function mostLackLetters(db: Reader, filters: RegisterFilters, broad: boolean): Promise<boolean> {
  if (filters.letters !== 'without' || filters.state === 'deleted') return false
  const others = { ...filters, letters: undefined }
  const alone = filters.search === '' && !isFiltered(others)
  const known = alone ? await countCurrent(db) : undefined
  const limit = known === undefined ? SORTED : Math.max(0, known - SORTED)
  // Entries of one index, which are read far faster than certificates and their letters.
  const issued = await countUpTo(db, limit, sql`select 1 from letters`)
  if (issued >= limit) return false
  return (known ?? (await count(db, SORTED + issued, others, broad))) - issued >= SORTED
}

/** Number of matches, `SORTED` at most. */
async function countMatches(db: Reader, filters: RegisterFilters, broad: boolean): Promise<number> {
  if (broad && !isFiltered(filters)) return SORTED
  return (await mostLackLetters(db, filters, broad)) ? SORTED : await count(db, SORTED, filters, broad)
}

export interface RegisterQuery {
  filters: RegisterFilters
  sort: RegisterSort
}

/** Rows by their `seq`, in the given order. */
async function rowsOf(db: Reader, seqs: readonly number[]): Promise<CertificateRow[]> {
  const rows = await db
    .select()
    .from(certificates)
    .where(sql`${certificates.seq} in (select value from json_each(${JSON.stringify(seqs)}))`)
  const bySeq = new Map(rows.map(row => [row.seq, row]))
  return seqs.flatMap(seq => bySeq.get(seq) ?? [])
}

/**
 * One page of the register. With a filter or search at most `MAX_COUNTED` are counted and shown.
 * @returns `isMinimum` if there may be more than `total`
 */
export async function listRegister(
  db: Reader,
  { filters, sort, page, perPage }: RegisterQuery & { page: number; perPage: number },
): Promise<{ rows: CertificateRow[]; total: number; isMinimum: boolean }> {
  const { search } = filters
  const filtered = isFiltered(filters)
  if (!filtered && sort === '-uploaded_at' && (search === '' || !(await findsMatric(db, search)))) {
    const listed = await listCertificates(db, { search, page, perPage })
    return { ...listed, isMinimum: search !== '' && listed.total >= MAX_COUNTED }
  }
  const everything = !filtered && search === ''
  const offset = (page - 1) * perPage
  const { key, descending, bySeq } = orderOf(sort)
  const broad = await isBroad(db, filters)
  const matches = everything ? SORTED : await countMatches(db, filters, broad)
  const total = everything ? await countCurrent(db) : Math.min(matches, MAX_COUNTED)
  const isMinimum = !everything && matches >= MAX_COUNTED
  if (offset >= total) return { rows: [], total, isMinimum }
  const few = matches < SORTED
  const [plus, end] = [sql.raw(few ? '+' : ''), sql.raw(descending ? 'desc' : 'asc')]
  const found = await db.all<{ seq: number }>(sql`
    select seq from ${certificates} where ${and(conditionsOf(filters, { walked: !few, broad }))}
    order by ${plus}${key} ${end}${bySeq ? sql`` : sql`, ${plus}seq desc`}
    limit ${Math.min(perPage, total - offset)} offset ${offset}`)
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
 * The next certificates of an export, in its order. @returns them, and the key of the next page; none at the end
 */
export async function listRegisterBelow(
  db: Reader,
  { filters, sort, below, limit }: RegisterQuery & { below: RegisterKey | undefined; limit: number },
): Promise<{ rows: CertificateRow[]; next: RegisterKey | undefined }> {
  const { key, descending, bySeq } = orderOf(sort)
  const end = sql.raw(descending ? 'desc' : 'asc')
  const beyond = sql.raw(descending ? '<' : '>')
  const after = below && [
    bySeq
      ? sql`seq ${beyond} ${below.seq}`
      : sql`${key} ${beyond}= ${below.key} and (${key} ${beyond} ${below.key} or seq < ${below.seq})`,
  ]
  const conditions = conditionsOf(filters, { walked: true, broad: await isBroad(db, filters) })
  const found = await db.all<RegisterKey>(sql`
    select seq, ${key} as key from ${certificates} where ${and([...conditions, ...(after ?? [])])}
    order by ${key} ${end}${bySeq ? sql`` : sql`, seq desc`} limit ${limit}`)
  const next = found.length < limit ? undefined : found.at(-1)
  return {
    rows: await rowsOf(
      db,
      found.map(({ seq }) => seq),
    ),
    next,
  }
}

/** How many certificates have each value of a column, most first. */
export const countValues = (
  db: Reader,
  { column, limit }: { column: 'course' | 'department' | 'grade'; limit: number },
) =>
  db.all<{ value: string; count: number }>(sql`
    select ${sql.raw(column)} as value, count(*) as count from ${certificates} where withdrawn_at is null
    group by 1 order by 2 desc, 1 limit ${limit}`)
