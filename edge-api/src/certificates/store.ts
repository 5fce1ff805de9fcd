import { MAX_COUNTED } from '@portal/contract/list-limits'
import { and, desc, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { countUpTo } from '../db/pages.ts'
import { type CertificateRow, certificates } from '../db/schema/certificates.ts'
import { certificateBlocks } from '../db/schema/counters.ts'
import { letters } from '../db/schema/letters.ts'
import { dailyCounters } from '../db/schema/operations.ts'
import { type NumberRange, parseSearch, toSearchText } from './search.ts'

export type CertificateFields = Pick<
  CertificateRow,
  'certificateNumber' | 'studentName' | 'matricNumber' | 'course' | 'graduationDate' | 'grade' | 'department'
>

export type StoredCertificate = CertificateRow

export type NewCertificate = Omit<CertificateRow, 'deletedAt' | 'seq' | 'folded' | 'version' | 'uploadSeq'>

/** Returns the folded search text of a certificate. */
export const foldFields = (fields: CertificateFields) =>
  toSearchText(fields.certificateNumber, fields.studentName, fields.course)

const isCurrent = isNull(certificates.deletedAt)

/** Returns the current certificate with this number (uppercase, trimmed), or undefined. */
export async function findByNumber(
  db: Reader,
  { certificateNumber }: { certificateNumber: string },
): Promise<CertificateRow | undefined> {
  const [row] = await db
    .select()
    .from(certificates)
    .where(and(eq(certificates.certificateNumber, certificateNumber), isCurrent))
    .limit(1)
  return row
}

/** Returns a certificate by ID, even if it has been withdrawn. */
export async function findById(db: Reader, { id }: { id: string }): Promise<CertificateRow | undefined> {
  const [row] = await db.select().from(certificates).where(eq(certificates.id, id)).limit(1)
  return row
}

/**
 * Maximum number of matches that are sorted. If there are more, matches are frequent, so the list or the index is scanned from
 * the newest end until the page is full.
 */
const MAX_SORTED = 1000

const beginsWith = ({ from, before }: NumberRange) =>
  and(isCurrent, gte(certificates.certificateNumber, from), lt(certificates.certificateNumber, before))

/** Number of certificates in one row of `certificate_blocks`. */
const BLOCK_SIZE = 4096

/** Counts the certificates in the register by adding up the daily counters, a few thousand rows at most. */
export async function countCurrent(db: Reader): Promise<number> {
  const [row] = await db
    .select({ total: sql<number>`coalesce(sum(${dailyCounters.certificates}), 0)` })
    .from(dailyCounters)
  return row?.total ?? 0
}

type Page = { rows: CertificateRow[]; total: number }

/** Maximum number of rows that are skipped without looking up the block where the page begins. */
const MAX_SKIPPED = 4096

/** Number of blocks in a region. To find a page, whole regions are skipped first, by their sums. */
const BLOCKS_PER_REGION = 64

/** Finds where a page begins. @returns a `seq`, and how many of the rows with a lower `seq` precede the page */
async function findPageStart(
  db: Reader,
  offset: number,
): Promise<{ below: number; offset: number } | undefined> {
  if (offset <= MAX_SKIPPED) return { below: Number.MAX_SAFE_INTEGER, offset }
  // Skips whole regions up to the one that contains the page, and then blocks within that region.
  const [found] = await db.all<{ block: number; above: number }>(sql`
    with recursive regions (region, above, upto) as (
        select max(block) / ${BLOCKS_PER_REGION} + 1, 0, 0 from ${certificateBlocks}
        union all
        select region - 1, upto, upto + coalesce((select sum(standing) from ${certificateBlocks}
          where block >= (region - 1) * ${BLOCKS_PER_REGION} and block < region * ${BLOCKS_PER_REGION}), 0)
        from regions where upto <= ${offset} and region > 0),
      running as (
        select block, standing, regions.above + sum(standing) over (order by block desc) as upto
        from regions cross join ${certificateBlocks} on block >= region * ${BLOCKS_PER_REGION} and block < (region + 1) * ${BLOCKS_PER_REGION}
        where regions.upto > ${offset})
    select block, upto - standing as above from running where upto > ${offset} order by block desc limit 1`)
  return found && { below: (found.block + 1) * BLOCK_SIZE, offset: offset - found.above }
}

/** Returns a page of all certificates. Rows before the page are skipped in a narrow index, at most one block of them. */
async function listAll(db: Reader, offset: number, perPage: number): Promise<Page> {
  const total = await countCurrent(db)
  const start = await findPageStart(db, offset)
  if (!start) return { rows: [], total }
  // Skips rows by reading only keys; the wide rows are only read for the page itself.
  const keys = db
    .select({ seq: certificates.seq })
    .from(certificates)
    .where(and(isCurrent, lt(certificates.seq, start.below)))
    .orderBy(desc(certificates.seq))
    .limit(perPage)
    .offset(start.offset)
  const rows = await db
    .select()
    .from(certificates)
    .where(inArray(certificates.seq, keys))
    .orderBy(desc(certificates.seq))
  return { rows, total }
}

async function listByPrefix(db: Reader, range: NumberRange, offset: number, perPage: number): Promise<Page> {
  const where = beginsWith(range)
  const total = await countUpTo(db, MAX_COUNTED, sql`select 1 from ${certificates} where ${where}`)
  // The unary plus prevents two bad plans: sorting the millions of rows that an index finds, and scanning a whole index
  // to find a few rows.
  const order = total <= MAX_SORTED ? sql`+${certificates.seq} desc` : sql`${certificates.seq} desc`
  const condition =
    total <= MAX_SORTED
      ? where
      : and(
          isCurrent,
          sql`+${certificates.certificateNumber} >= ${range.from}`,
          sql`+${certificates.certificateNumber} < ${range.before}`,
        )
  const rows = await db
    .select()
    .from(certificates)
    .where(condition)
    .orderBy(order)
    .limit(perPage)
    .offset(offset)
  return { rows, total }
}

async function listMatches(db: Reader, expression: string, offset: number, perPage: number): Promise<Page> {
  const matches = sql`select rowid from certificate_search where certificate_search match ${expression}`
  const total = await countUpTo(db, MAX_COUNTED, matches)
  if (total === 0) return { rows: [], total }
  // In descending order, SQLite reads all rows with the most common trigram, while in ascending order it can skip rows.
  // If there are few matches, a unary plus makes it read them in ascending order and sort them.
  const newest = total <= MAX_SORTED ? sql`+rowid desc` : sql`rowid desc`
  const rows = await db
    .select()
    .from(certificates)
    .where(sql`${certificates.seq} in (${matches} order by ${newest} limit ${perPage} offset ${offset})`)
    .orderBy(desc(certificates.seq))
  return { rows, total }
}

/**
 * Returns one page of the certificates in the register, newest first, with the total; a search counts and shows at most
 * `MAX_COUNTED`.
 */
export async function listCertificates(
  db: Reader,
  { search, page, perPage }: { search: string; page: number; perPage: number },
): Promise<Page> {
  const offset = (page - 1) * perPage
  const parsed = parseSearch(search)
  if (parsed.kind === 'all') return await listAll(db, offset, perPage)
  if (offset >= MAX_COUNTED) return { rows: [], total: MAX_COUNTED }
  if (parsed.kind === 'prefix') return await listByPrefix(db, parsed, offset, perPage)
  if (parsed.number) {
    const numbers = await listByPrefix(db, parsed.number, offset, perPage)
    if (numbers.total > 0) return numbers
  }
  return await listMatches(db, parsed.expression, offset, perPage)
}

/** Adds a certificate. @throws the driver's unique violation if a certificate in the register has the same number */
export async function insertCertificate(db: Tx, row: NewCertificate): Promise<CertificateRow> {
  const [inserted] = await db
    .insert(certificates)
    .values({ ...row, folded: foldFields(row) })
    .returning()
  if (!inserted) throw new Error('the insert returned no row')
  return inserted
}

interface ChangeTarget {
  id: string
  /** Change the certificate only if it has this version; if omitted, any version is changed. */
  version?: number
  at: number
}

/**
 * Changes a certificate and increments its version.
 * @returns the updated row; undefined if the certificate does not exist or its version differs
 */
async function change(
  db: Tx,
  { id, version, at }: ChangeTarget,
  values: Partial<CertificateRow>,
  condition: SQL,
): Promise<CertificateRow | undefined> {
  const [row] = await db
    .update(certificates)
    .set({ ...values, version: sql`${certificates.version} + 1`, updatedAt: at })
    .where(
      and(
        eq(certificates.id, id),
        version === undefined ? undefined : eq(certificates.version, version),
        condition,
      ),
    )
    .returning()
  return row
}

/** Updates a certificate. @throws the driver's unique violation if the number is taken */
export const updateCertificate = (
  db: Tx,
  { fields, ...target }: ChangeTarget & { fields: CertificateFields },
) => change(db, target, { ...fields, folded: foldFields(fields) }, isCurrent)

/** True if at least one letter was issued for the certificate. */
export async function hasLetters(db: Reader, { id }: { id: string }): Promise<boolean> {
  const [row] = await db
    .select({ code: letters.code })
    .from(letters)
    .where(eq(letters.certificateId, id))
    .limit(1)
  return row !== undefined
}

/** Removes a certificate from the register. Its row stays, so that it can be restored. */
export const withdrawCertificate = (db: Tx, target: ChangeTarget) =>
  change(db, target, { deletedAt: target.at }, isCurrent)

/**
 * Restores a deleted or withdrawn certificate.
 * @returns the updated row, or undefined if there is no such row
 * @throws the driver's unique violation if its number is in use again
 */
export async function restoreCertificate(db: Tx, target: ChangeTarget): Promise<CertificateRow | undefined> {
  const row = await findById(db, target)
  if (!row) return undefined
  // The search text may be outdated if the certificate was deleted at a time when the search index still contained deleted
  // ones.
  return await change(db, target, { deletedAt: null, folded: foldFields(row) }, sql`withdrawn_at is not null`)
}
