import { and, count, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { certificates, letters } from '../db/schema.ts'

export type CertificateRow = typeof certificates.$inferSelect
export type CertificateFields = Pick<
  CertificateRow,
  'certificateNumber' | 'studentName' | 'matricNumber' | 'course' | 'graduationDate' | 'grade' | 'department'
>

const standing = isNull(certificates.withdrawnAt)

/** The certificate that now stands under a number (upper-cased and trimmed), or undefined. */
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

function matching(search: string) {
  if (search === '') return standing
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const like = (
    column:
      | typeof certificates.studentName
      | typeof certificates.certificateNumber
      | typeof certificates.course,
  ) => sql`${column} like ${pattern} escape '\\'`
  return and(
    standing,
    or(like(certificates.certificateNumber), like(certificates.studentName), like(certificates.course)),
  )
}

/** One page of the standing certificates, newest first, with how many match in all. */
export async function listCertificates(
  db: Reader,
  { search, page, perPage }: { search: string; page: number; perPage: number },
): Promise<{ rows: CertificateRow[]; total: number }> {
  const where = matching(search)
  const rows = await db
    .select()
    .from(certificates)
    .where(where)
    .orderBy(desc(certificates.uploadedAt), desc(certificates.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db.select({ total: count() }).from(certificates).where(where)
  return { rows, total: counted?.total ?? 0 }
}

/** @throws the driver's unique violation when the number is taken by a standing certificate */
export async function insertCertificate(db: Tx, row: Omit<CertificateRow, 'withdrawnAt'>): Promise<void> {
  await db.insert(certificates).values(row)
}

/** @returns false when no standing certificate has that id */
export async function updateCertificate(
  db: Tx,
  { id, fields, at }: { id: string; fields: CertificateFields; at: number },
): Promise<boolean> {
  const result = await db
    .update(certificates)
    .set({ ...fields, updatedAt: at })
    .where(and(eq(certificates.id, id), standing))
  return result.rowsAffected === 1
}

/** True when at least one letter was issued for the certificate. */
export async function hasLetters(db: Reader, { id }: { id: string }): Promise<boolean> {
  const [row] = await db
    .select({ code: letters.code })
    .from(letters)
    .where(eq(letters.certificateId, id))
    .limit(1)
  return row !== undefined
}

export async function withdrawCertificate(db: Tx, { id, at }: { id: string; at: number }): Promise<void> {
  await db.update(certificates).set({ withdrawnAt: at, updatedAt: at }).where(eq(certificates.id, id))
}

export async function deleteCertificate(db: Tx, { id }: { id: string }): Promise<void> {
  await db.delete(certificates).where(eq(certificates.id, id))
}
