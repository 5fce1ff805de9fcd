import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { uploads } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { isVerified, paymentItems } from '../db/schema/payments.ts'

/** Returns the upload that added a certificate, if any. */
export async function findUploadOf(db: Reader, { seq }: { seq: number }) {
  const [row] = await db
    .select({
      id: uploads.id,
      filename: uploads.filename,
      uploaderId: uploads.uploaderId,
      uploaderEmail: uploads.uploaderEmail,
      createdAt: uploads.createdAt,
    })
    .from(uploads)
    .where(eq(uploads.seq, seq))
    .limit(1)
  return row
}

/** Returns the letters of a certificate, newest first, with the columns that determine their status. */
export const listLettersOfCertificate = (db: Reader, { certificateId }: { certificateId: string }) =>
  db
    .select({
      code: letters.code,
      certificateId: letters.certificateId,
      template: letters.template,
      snapshot: letters.snapshot,
      status: letters.status,
      issuedAt: letters.issuedAt,
      statusAt: letters.statusAt,
    })
    .from(letters)
    .where(eq(letters.certificateId, certificateId))
    .orderBy(desc(letters.issuedAt), desc(letters.code))

/** Returns one page of the letters of a certificate, newest first. */
export const listLetterPage = (
  db: Reader,
  { certificateId, offset, limit }: { certificateId: string; offset: number; limit: number },
) =>
  db
    .select()
    .from(letters)
    .where(eq(letters.certificateId, certificateId))
    .orderBy(desc(letters.issuedAt), desc(letters.code))
    .limit(limit)
    .offset(offset)

/** Counts the verifications of a certificate number that were paid for and have a result. */
export async function countVerifications(db: Reader, { number }: { number: string }): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(paymentItems)
    .where(and(eq(paymentItems.certificateNumber, number), isVerified))
  return row?.total ?? 0
}

/** Returns the IDs, among those given, of certificates that have letters. */
export async function findIdsWithLetters(
  db: Reader,
  { certificateIds }: { certificateIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ id: letters.certificateId })
    .from(letters)
    .where(sql`${letters.certificateId} in (select value from json_each(${JSON.stringify(certificateIds)}))`)
  return new Set(rows.map(({ id }) => id))
}
