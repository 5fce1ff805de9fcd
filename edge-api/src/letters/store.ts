import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import { writeDeferred } from '../db/deferred-writes.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { type CertificateRow, certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { paymentItems } from '../db/schema/payments.ts'

export type Letter = typeof letters.$inferSelect

/** A letter and its certificate's current data, which is null if the certificate no longer exists. */
export interface LetterWithCertificate {
  letter: Letter
  certificate: CertificateRow | null
}

/** The columns that determine a letter's status and content. A payment's status check reads only these. */
export const statusColumns = {
  letter: {
    code: letters.code,
    certificateId: letters.certificateId,
    template: letters.template,
    snapshot: letters.snapshot,
    status: letters.status,
    issuedAt: letters.issuedAt,
    statusAt: letters.statusAt,
  },
  certificate: {
    certificateNumber: certificates.certificateNumber,
    studentName: certificates.studentName,
    course: certificates.course,
    graduationDate: certificates.graduationDate,
    grade: certificates.grade,
    updatedAt: certificates.updatedAt,
    deletedAt: certificates.deletedAt,
  },
}

export interface LetterStatusData {
  letter: Pick<Letter, keyof typeof statusColumns.letter>
  certificate: Pick<CertificateRow, keyof typeof statusColumns.certificate> | null
}

/** A letter, with the certificate number that was requested. */
export interface FoundLetter extends LetterWithCertificate {
  certificateNumber: string
}

const selectWithCertificate = (db: Reader) =>
  db
    .select({ letter: letters, certificate: certificates })
    .from(letters)
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))

export async function findLetter(db: Reader, { code }: { code: string }): Promise<FoundLetter | undefined> {
  const [row] = await db
    .select({
      letter: letters,
      certificate: certificates,
      certificateNumber: paymentItems.certificateNumber,
    })
    .from(letters)
    .innerJoin(paymentItems, eq(paymentItems.id, letters.paymentItemId))
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))
    .where(eq(letters.code, code))
    .limit(1)
  return row
}

// The IDs are passed as a single value, so that the text of the query is the same for any number of them.
const lettersOfItemsQuery = prepareOnce(db =>
  selectWithCertificate(db).where(
    and(
      sql`${letters.paymentItemId} in (select value from json_each(${sql.placeholder('itemIds')}))`,
      isNull(letters.replacedBy),
    ),
  ),
)

/** Returns the letters of several payment items in one query, by item ID, without letters that have been replaced. */
export async function listLettersOfItems(
  db: Reader,
  { itemIds }: { itemIds: readonly string[] },
): Promise<Map<string, LetterWithCertificate>> {
  if (itemIds.length === 0) return new Map()
  const rows = await lettersOfItemsQuery(db).all({ itemIds: JSON.stringify(itemIds) })
  return new Map(rows.map(row => [row.letter.paymentItemId, row]))
}

/** Stores letters. @throws the driver's unique violation if one of the items already has a letter */
export async function insertLetters(db: Tx, rows: readonly (typeof letters.$inferInsert)[]): Promise<void> {
  for (const chunk of chunks(rows)) await writeDeferred(db, db.insert(letters).values(chunk))
}

/** Withdraws the letters of a reversed payment. @returns the codes of those that had not been replaced by a newer letter */
export async function withdrawLettersOf(
  db: Tx,
  { itemIds, at }: { itemIds: readonly string[]; at: number },
): Promise<string[]> {
  const rows = await db
    .update(letters)
    .set({ status: 'withdrawn', statusAt: at })
    .where(inArray(letters.paymentItemId, [...itemIds]))
    .returning({ code: letters.code, replacedBy: letters.replacedBy })
  return rows.flatMap(({ code, replacedBy }) => (replacedBy === null ? [code] : []))
}
