import { MOST_COUNTED } from '@portal/contract/list-limits'
import { and, desc, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { countUpTo } from '../db/pages.ts'
import { type CertificateRow, certificates } from '../db/schema/certificates.ts'
import { certificateBlocks } from '../db/schema/counters.ts'
import { letters } from '../db/schema/letters.ts'
import { dailyCounters } from '../db/schema/operations.ts'
import { type NumberRange, searchable, searchOf } from './search.ts'

export type CertificateFields = Pick<
  CertificateRow,
  'certificateNumber' | 'studentName' | 'matricNumber' | 'course' | 'graduationDate' | 'grade' | 'department'
>

export type StoredCertificate = CertificateRow

export type NewCertificate = Omit<CertificateRow, 'withdrawnAt' | 'seq' | 'folded' | 'version' | 'uploadSeq'>

/** What the search index has of a certificate. */
export const foldedOf = (fields: CertificateFields) =>
  searchable(fields.certificateNumber, fields.studentName, fields.course)

const standing = isNull(certificates.withdrawnAt)

/** The current certificate with a number (upper-cased and trimmed), or undefined. */
export async function findByNumber(
  db: Reader,
  { certificateNumber }: { certificateNumber: string },
): Promise<CertificateRow | undefined> {
  const [row] = await db
    .select()
    .from(certificates)
    .where(and(eq(certificates.certificateNumber, certificateNumber), standing))
    .limit(1)
  return row
}

/** A certificate by id, withdrawn ones included. */
export async function findById(db: Reader, { id }: { id: string }): Promise<CertificateRow | undefined> {
  const [row] = await db.select().from(certificates).where(eq(certificates.id, id)).limit(1)
  return row
}

/** Up to so many rows are sorted; beyond, list or index are walked from the newest end, where matches then are many. */
const FEW = 1000

const beginsWith = ({ from, before }: NumberRange) =>
  and(standing, gte(certificates.certificateNumber, from), lt(certificates.certificateNumber, before))

/** Certificates of one row of `certificate_blocks`. */
const BLOCK = 4096

/** How many certificates stand: added up from the daily counters, some thousand rows at most. */
async function countStanding(db: Reader): Promise<number> {
  const [row] = await db
    .select({ total: sql<number>`coalesce(sum(${dailyCounters.certificates}), 0)` })
    .from(dailyCounters)
  return row?.total ?? 0
}

type Page = { rows: CertificateRow[]; total: number }

/** Up to so many rows are skipped without asking where their block lies. */
const NEAR = 4096

/** Blocks summed as one on the way to a page: a sixty-fourth of them is scanned. */
const REGION = 64

/** Where a page of everything lies: below which `seq`, and how many rows of that are still above the page. */
async function placeOf(db: Reader, offset: number): Promise<{ below: number; offset: number } | undefined> {
  if (offset <= NEAR) return { below: Number.MAX_SAFE_INTEGER, offset }
  // Region by region down to the one that holds the page, and there block by block.
  const [found] = await db.all<{ block: number; above: number }>(sql`
    with recursive regions (region, above, upto) as (
        select max(block) / ${REGION} + 1, 0, 0 from ${certificateBlocks}
        union all
        select region - 1, upto, upto + coalesce((select sum(standing) from ${certificateBlocks}
          where block >= (region - 1) * ${REGION} and block < region * ${REGION}), 0)
        from regions where upto <= ${offset} and region > 0),
      running as (
        select block, standing, regions.above + sum(standing) over (order by block desc) as upto
        from regions cross join ${certificateBlocks} on block >= region * ${REGION} and block < (region + 1) * ${REGION}
        where regions.upto > ${offset})
    select block, upto - standing as above from running where upto > ${offset} order by block desc limit 1`)
  return found && { below: (found.block + 1) * BLOCK, offset: offset - found.above }
}

/** A page of everything. Rows are counted off in the narrow index, of one block at most. */
async function listAll(db: Reader, offset: number, perPage: number): Promise<Page> {
  const total = await countStanding(db)
  const place = await placeOf(db, offset)
  if (!place) return { rows: [], total }
  // Only the key is read while counting off: the wide rows are fetched for the page alone.
  const keys = db
    .select({ seq: certificates.seq })
    .from(certificates)
    .where(and(standing, lt(certificates.seq, place.below)))
    .orderBy(desc(certificates.seq))
    .limit(perPage)
    .offset(place.offset)
  const rows = await db
    .select()
    .from(certificates)
    .where(inArray(certificates.seq, keys))
    .orderBy(desc(certificates.seq))
  return { rows, total }
}

async function listByPrefix(db: Reader, range: NumberRange, offset: number, perPage: number): Promise<Page> {
  const where = beginsWith(range)
  const total = await countUpTo(db, MOST_COUNTED, sql`select 1 from ${certificates} where ${where}`)
  // The plus keeps the planner from the index that would have it sort millions of rows, or from the one that would
  // have it walk them all for a few.
  const order = total <= FEW ? sql`+${certificates.seq} desc` : sql`${certificates.seq} desc`
  const condition =
    total <= FEW
      ? where
      : and(
          standing,
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
  const total = await countUpTo(db, MOST_COUNTED, matches)
  if (total === 0) return { rows: [], total }
  // Backwards the index reads all that the commonest three letters stand in, forwards it leaps: few are sorted (the plus).
  const newest = total <= FEW ? sql`+rowid desc` : sql`rowid desc`
  const rows = await db
    .select()
    .from(certificates)
    .where(sql`${certificates.seq} in (${matches} order by ${newest} limit ${perPage} offset ${offset})`)
    .orderBy(desc(certificates.seq))
  return { rows, total }
}

/**
 * One page of the standing certificates, newest first, with how many match in all; a search counts at most
 * `MOST_COUNTED`, and shows as many.
 */
export async function listCertificates(
  db: Reader,
  { search, page, perPage }: { search: string; page: number; perPage: number },
): Promise<Page> {
  const offset = (page - 1) * perPage
  const wanted = searchOf(search)
  if (wanted.kind === 'all') return await listAll(db, offset, perPage)
  if (offset >= MOST_COUNTED) return { rows: [], total: MOST_COUNTED }
  if (wanted.kind === 'prefix') return await listByPrefix(db, wanted, offset, perPage)
  if (wanted.number) {
    const numbers = await listByPrefix(db, wanted.number, offset, perPage)
    if (numbers.total > 0) return numbers
  }
  return await listMatches(db, wanted.expression, offset, perPage)
}

/** @throws the driver's unique violation when the number is taken by a standing certificate */
export async function insertCertificate(db: Tx, row: NewCertificate): Promise<CertificateRow> {
  const [inserted] = await db
    .insert(certificates)
    .values({ ...row, folded: foldedOf(row) })
    .returning()
  if (!inserted) throw new Error('an insert without a row')
  return inserted
}

interface Changing {
  id: string
  /** The only version to be changed; whichever there is when left out. */
  version?: number
  at: number
}

/**
 * Changes a certificate, which has the next version then.
 * @returns it as it is now; undefined when there is none such, or it has another version meanwhile
 */
async function change(
  db: Tx,
  { id, version, at }: Changing,
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

/** @throws the driver's unique violation when the number is taken */
export const updateCertificate = (
  db: Tx,
  { fields, ...changing }: Changing & { fields: CertificateFields },
) => change(db, changing, { ...fields, folded: foldedOf(fields) }, standing)

/** True when at least one letter was issued for the certificate. */
export async function hasLetters(db: Reader, { id }: { id: string }): Promise<boolean> {
  const [row] = await db
    .select({ code: letters.code })
    .from(letters)
    .where(eq(letters.certificateId, id))
    .limit(1)
  return row !== undefined
}

/** Takes a certificate out of the register. Its row stays, so that it can be restored. */
export const withdrawCertificate = (db: Tx, changing: Changing) =>
  change(db, changing, { withdrawnAt: changing.at }, standing)

/**
 * Restores a certificate that was deleted or withdrawn.
 * @returns it as it is now, or undefined when none such is kept
 * @throws the driver's unique violation when its number was entered again
 */
export async function restoreCertificate(db: Tx, changing: Changing): Promise<CertificateRow | undefined> {
  const row = await findById(db, changing)
  if (!row) return undefined
  // What was deleted while the index had deleted ones too may have an older text.
  return await change(
    db,
    changing,
    { withdrawnAt: null, folded: foldedOf(row) },
    sql`withdrawn_at is not null`,
  )
}
