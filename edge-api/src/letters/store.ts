import { and, eq, inArray, isNull } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { paymentItems } from '../db/schema/payments.ts'

type CertificateRow = typeof certificates.$inferSelect
export type Letter = typeof letters.$inferSelect

/** A letter beside the certificate it is about, as that is now; null when the row is gone. */
export interface StandingLetter {
  letter: Letter
  certificate: CertificateRow | null
}

/** A letter with the number that was asked for. */
export interface FoundLetter extends StandingLetter {
  certificateNumber: string
}

const withCertificate = (db: Reader) =>
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

/** The letters of several payment items in one query, by item id; of those that were replaced, the newest alone. */
export async function lettersOfItems(
  db: Reader,
  { itemIds }: { itemIds: readonly string[] },
): Promise<Map<string, StandingLetter>> {
  const found = new Map<string, StandingLetter>()
  for (const chunk of chunks(itemIds)) {
    const rows = await withCertificate(db).where(
      and(inArray(letters.paymentItemId, chunk), isNull(letters.replacedBy)),
    )
    for (const row of rows) found.set(row.letter.paymentItemId, row)
  }
  return found
}

/** @throws the driver's unique violation when one of the items already has a letter */
export async function insertLetters(db: Tx, rows: readonly (typeof letters.$inferInsert)[]): Promise<void> {
  for (const chunk of chunks(rows)) await db.insert(letters).values(chunk)
}

/** Withdraws the letters of a payment whose money was taken back. */
export async function withdrawLettersOf(
  db: Tx,
  { itemIds, at }: { itemIds: readonly string[]; at: number },
): Promise<void> {
  await db
    .update(letters)
    .set({ status: 'withdrawn', statusAt: at })
    .where(inArray(letters.paymentItemId, [...itemIds]))
}
