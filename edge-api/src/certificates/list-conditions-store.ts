import { upperCaseNumber } from '@portal/contract/certificate-number'
import type { RegisterFilters } from '@portal/contract/register-filters'
import { fold } from '@portal/format/folding'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { containsPattern } from '../db/like.ts'
import { certificates } from '../db/schema/certificates.ts'
import { type NumberRange, parseSearch, splitSearch } from './search.ts'

/* Builds the SQL conditions for the register's filters and search, for each of the plans by which a list is read. */

const DAY = 86_400_000

const startOfDay = (day: string) => Date.parse(day)

export const joinWithAnd = (conditions: readonly SQL[]) => sql.join([...conditions], sql` and `)
const or = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` or `)})`

const rangeFrom = (from: string): NumberRange => ({ from, before: `${from}\u{10ffff}` })

/** Converts each letter to uppercase, except those without a single uppercase letter, such as `ß`. */
const toUpperByLetter = (text: string) =>
  Array.from(text, letter => {
    const capital = letter.toUpperCase()
    return capital.length === letter.length ? capital : letter
  }).join('')

/**
 * Returns the ranges of matric numbers that begin with the text, in either case. The index uses `upper`, which only converts A
 * to Z, so other letters are searched for as typed, in lowercase and in uppercase.
 */
function rangesOfMatricSearch(search: string): NumberRange[] {
  const text = search.normalize('NFC').replace(/\s+/g, ' ').trim()
  const forms = [text, text.toLowerCase(), toUpperByLetter(text)].map(upperCaseNumber)
  return [...new Set(forms)].map(rangeFrom)
}

const matchesMatric = ({ from, before }: NumberRange) =>
  sql`withdrawn_at is null and matric_number is not null and upper(matric_number) >= ${from} and upper(matric_number) < ${before}`

const matchesNumber = ({ from, before }: NumberRange) =>
  sql`withdrawn_at is null and certificate_number >= ${from} and certificate_number < ${before}`

/** SQL that is true if any certificate has a number in this range. If so, the search looks only for numbers. */
const numberExists = (range: NumberRange) =>
  sql`exists (select 1 from ${certificates} where ${matchesNumber(range)})`

/** True if any matric number begins with the search text. */
export async function hasMatricMatch(db: Reader, search: string): Promise<boolean> {
  for (const range of rangesOfMatricSearch(search)) {
    const rows = await db.all(sql`select 1 from ${certificates} where ${matchesMatric(range)} limit 1`)
    if (rows.length > 0) return true
  }
  return false
}

/**
 * Returns queries that together find the `seq` of every certificate in the register that matches a search. Each query uses its
 * own index, so the same row can be found by several.
 */
export function searchQueries(search: string): SQL[] {
  const parsed = parseSearch(search)
  const selectNumbers = (range: NumberRange) =>
    sql`select seq from ${certificates} where ${matchesNumber(range)}`
  const matchesExpression = (expression: SQL) =>
    sql`select rowid as seq from certificate_search where certificate_search match ${expression}`
  const matrics = rangesOfMatricSearch(search).map(
    range => sql`select seq from ${certificates} where ${matchesMatric(range)}`,
  )
  if (parsed.kind === 'all') return [selectNumbers(rangeFrom(search)), ...matrics]
  if (parsed.kind === 'prefix') return [selectNumbers(parsed), ...matrics]
  if (!parsed.number) return [matchesExpression(sql`${parsed.expression}`), ...matrics]
  // Searches for an empty phrase, which matches nothing, if the text is the beginning of a number.
  const fallbackExpression = sql`iif(${numberExists(parsed.number)}, '""', ${parsed.expression})`
  return [selectNumbers(parsed.number), matchesExpression(fallbackExpression), ...matrics]
}

/**
 * Returns the condition that a row meets all of these conditions, or that its matric number begins with the search text.
 */
function matchesAllOrMatric(search: string, conditions: readonly SQL[]): SQL {
  const matrics = rangesOfMatricSearch(search).map(
    ({ from, before }) => sql`upper(matric_number) >= ${from} and upper(matric_number) < ${before}`,
  )
  return sql`((${joinWithAnd(conditions)}) or ${sql.join(matrics, sql` or `)})`
}

const matchesWord = (word: string) => sql`folded like ${containsPattern(word)} escape '\\'`

/**
 * Returns the condition for a search of deleted certificates, which checks each row: there are few, and no text index contains
 * them.
 */
const deletedCondition = (search: string): SQL =>
  matchesAllOrMatric(search, fold(search.trim()).split(/\s+/).map(matchesWord))

/**
 * Returns a condition that is true for the rows that `searchQueries` finds, but is checked row by row, which is faster for
 * searches with very many results.
 */
function rowCondition(search: string): SQL {
  const parsed = parseSearch(search)
  const inRange = ({ from, before }: NumberRange) =>
    sql`(certificate_number >= ${from} and certificate_number < ${before})`
  if (parsed.kind === 'prefix') return matchesAllOrMatric(search, [inRange(parsed)])
  const words = splitSearch(search).map(matchesWord)
  if (parsed.kind === 'all' || !parsed.number) return matchesAllOrMatric(search, words)
  const { number } = parsed
  return matchesAllOrMatric(search, [
    sql`(${inRange(number)} or (not ${numberExists(number)} and ${joinWithAnd(words)}))`,
  ])
}

/** How a list is read. */
export interface ReadPlan {
  /**
   * True to read rows in the order of an index, and check each against the filters. A unary plus keeps the planner from using
   * the filters' own indexes instead, except for that of `orderedIndex`.
   */
  scansIndex?: boolean
  /** The filter whose index is also in the order of the list. */
  orderedIndex?: 'exact' | 'graduation_date' | undefined
  /** True if the search matches too many rows to sort them. */
  broad?: boolean
}

function searchConditions({ search, state }: RegisterFilters, { scansIndex, broad }: ReadPlan): SQL[] {
  if (parseSearch(search).kind === 'all') return []
  if (state === 'deleted') return [deletedCondition(search)]
  if (broad) return [rowCondition(search)]
  return [sql`${sql.raw(scansIndex ? '+seq' : 'seq')} in (${sql.join(searchQueries(search), sql` union `)})`]
}

/** Returns the conditions for exact values, each on a column that has an index. */
function exactConditionsOf(filters: RegisterFilters): [column: string, is: SQL][] {
  const { course, department, grade, uploader, upload_id: upload } = filters
  const uploadSeq =
    upload === undefined ? undefined : sql`(select uploads.seq from uploads where uploads.id = ${upload})`
  const exact = { course, department, grade, uploader_email: uploader, upload_seq: uploadSeq }
  return Object.entries(exact).flatMap(([name, value]): [string, SQL][] =>
    value === undefined ? [] : [[name, sql`= ${value}`]],
  )
}

/** Returns the periods of the filters, each with the conditions for rows inside it and for rows outside it. */
function rangesOf(filters: RegisterFilters): { column: string; within: SQL[]; beyond: SQL[] }[] {
  const { graduated_from, graduated_to, uploaded_from, uploaded_to } = filters
  const startBound = (value: string | number | undefined) =>
    value === undefined ? [] : [{ within: sql`>= ${value}`, beyond: sql`< ${value}` }]
  const graduationConditions = [
    ...startBound(graduated_from),
    ...(graduated_to === undefined
      ? []
      : [{ within: sql`<= ${graduated_to}`, beyond: sql`> ${graduated_to}` }]),
  ]
  const uploadedBefore = uploaded_to === undefined ? undefined : startOfDay(uploaded_to) + DAY
  const uploadConditions = [
    ...startBound(uploaded_from === undefined ? undefined : startOfDay(uploaded_from)),
    ...(uploadedBefore === undefined
      ? []
      : [{ within: sql`< ${uploadedBefore}`, beyond: sql`>= ${uploadedBefore}` }]),
  ]
  return [
    { column: 'graduation_date', bounds: graduationConditions },
    { column: 'uploaded_at', bounds: uploadConditions },
  ].flatMap(({ column, bounds }) =>
    bounds.length === 0
      ? []
      : [{ column, within: bounds.map(bound => bound.within), beyond: bounds.map(bound => bound.beyond) }],
  )
}

const LETTERS_OF_CERTIFICATE = sql`select 1 from letters where letters.certificate_id = id`

export const stateCondition = ({ state }: RegisterFilters) =>
  state === 'deleted' ? sql`withdrawn_at is not null` : sql`withdrawn_at is null`

/** Returns the conditions that a row of `certificates` must meet to match the filters. */
export function conditionsOf(filters: RegisterFilters, plan: ReadPlan = {}): SQL[] {
  const { scansIndex = false, orderedIndex } = plan
  const column = (name: string, usesIndex: boolean) => sql.raw(scansIndex && !usesIndex ? `+${name}` : name)
  const { letters } = filters
  return [
    stateCondition(filters),
    ...exactConditionsOf(filters).map(([name, is]) => sql`${column(name, orderedIndex === 'exact')} ${is}`),
    ...rangesOf(filters).flatMap(({ column: name, within }) =>
      within.map(condition => sql`${column(name, orderedIndex === name)} ${condition}`),
    ),
    ...(letters === 'without' ? [sql`not exists (${LETTERS_OF_CERTIFICATE})`] : []),
    ...(letters === 'with'
      ? [
          scansIndex
            ? sql`exists (${LETTERS_OF_CERTIFICATE})`
            : sql`id in (select certificate_id from letters)`,
        ]
      : []),
    ...searchConditions(filters, plan),
  ]
}

/**
 * A set of rows that match a filter, given by queries for their `seq`; if `isComplement` is true, by queries for the rows that
 * do not match.
 */
export interface RowSet {
  seqs: SQL[]
  isComplement: boolean
}

const seqsWhere = (column: string, conditions: readonly SQL[]) =>
  sql`select seq from ${certificates} where withdrawn_at is null and ${joinWithAnd(conditions.map(item => sql`${sql.raw(column)} ${item}`))}`

/**
 * Returns the set of rows that match one of the filters, using that filter's index. For a period, there is a second set,
 * defined by the rows outside it, which may be fewer. The queries may also select deleted rows.
 */
export function rowSetsOf(filters: RegisterFilters): [RowSet, RowSet?] {
  if (parseSearch(filters.search).kind !== 'all')
    return [{ seqs: searchQueries(filters.search), isComplement: false }]
  const [exact] = exactConditionsOf(filters)
  if (exact) {
    const [name, is] = exact
    // Unlike the other indexes, the one on uploads also contains deleted certificates.
    const certificatesOfUpload = sql`select seq from ${certificates} where upload_seq ${is}`
    return [
      { seqs: [name === 'upload_seq' ? certificatesOfUpload : seqsWhere(name, [is])], isComplement: false },
    ]
  }
  const [range] = rangesOf(filters)
  if (range) {
    const { column, within, beyond } = range
    return [
      { seqs: [seqsWhere(column, within)], isComplement: false },
      { seqs: beyond.map(condition => seqsWhere(column, [condition])), isComplement: true },
    ]
  }
  // Reads only the two indexes, and no rows.
  const certificatesWithLetters = sql`select c.seq from letters cross join ${certificates} as c on c.id = letters.certificate_id`
  return [{ seqs: [certificatesWithLetters], isComplement: filters.letters === 'without' }]
}

/**
 * Returns a query for the first `limit` matches of a search or a period, by `seq`. It does not collect all matches, but takes
 * the first rows of each part, and then the first of those.
 */
export function firstBySeq(filters: RegisterFilters, direction: SQL, limit: number): SQL {
  const [range] = rangesOf(filters)
  // Rows in the order of their upload time are almost in the order of `seq`, so most of those after the first `limit` are
  // discarded immediately.
  const parts = range
    ? [sql`${seqsWhere(range.column, range.within)} order by ${sql.raw(range.column)} ${direction} limit -1`]
    : searchQueries(filters.search)
  const limitedParts = parts.map(
    part => sql`select * from (select seq from (${part}) order by +seq ${direction} limit ${limit})`,
  )
  return sql.join(limitedParts, sql` union `)
}

/** Counts the filters that are set. A period and a search count as one each. */
export const countFilters = (filters: RegisterFilters) =>
  exactConditionsOf(filters).length +
  rangesOf(filters).length +
  Number(filters.letters !== undefined) +
  Number(parseSearch(filters.search).kind !== 'all')

/**
 * Returns the condition that a row is in a set. The parts of the set are not combined, because each is already sorted, which
 * makes building the set faster.
 */
export function inRowSet({ seqs, isComplement }: RowSet): SQL {
  const within = or(seqs.map(part => sql`+seq in (${part})`))
  return isComplement ? sql`not ${within}` : within
}

/** Returns which of the filters' indexes, if any, is also in the requested order. */
export function indexInOrder(
  filters: RegisterFilters,
  order: 'seq' | 'graduation_date',
): ReadPlan['orderedIndex'] {
  if (order === 'seq') return exactConditionsOf(filters).length > 0 ? 'exact' : undefined
  return rangesOf(filters).some(({ column }) => column === order) ? order : undefined
}

/** True if there is a filter other than the search. */
export const isFiltered = ({ search: _, ...filters }: RegisterFilters) =>
  Object.entries(filters).some(
    ([name, value]) => value !== undefined && !(name === 'state' && value === 'current'),
  )
