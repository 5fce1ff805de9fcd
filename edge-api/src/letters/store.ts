import { eq, inArray } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { certificates, letters, paymentItems } from '../db/schema.ts'

type CertificateRow = typeof certificates.$inferSelect
export type Letter = typeof letters.$inferSelect

/** A letter beside the certificate it is about, as that is now; null when the row is gone. */
export interface StandingLetter {
  letter: Letter
  certificate: CertificateRow | null
}

const withCertificate = (db: Reader) =>
  db
    .select({ letter: letters, certificate: certificates })
    .from(letters)
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))

export async function findLetter(
  db: Reader,
  { code }: { code: string },
): Promise<(StandingLetter & { certificateNumber: string }) | undefined> {
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

/** The letters of several payment items in one query, by item id. */
export async function lettersOfItems(
  db: Reader,
  { itemIds }: { itemIds: readonly string[] },
): Promise<Map<string, StandingLetter>> {
  if (itemIds.length === 0) return new Map()
  const rows = await withCertificate(db).where(inArray(letters.paymentItemId, [...itemIds]))
  return new Map(rows.map(row => [row.letter.paymentItemId, row]))
}

/** @throws the driver's unique violation when the item already has a letter */
export async function insertLetter(db: Tx, letter: typeof letters.$inferInsert): Promise<void> {
  await db.insert(letters).values(letter)
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
