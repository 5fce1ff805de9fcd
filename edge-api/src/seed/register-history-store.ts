import { eq, inArray } from 'drizzle-orm'
import type { StoredCertificate } from '../certificates/store.ts'
import type { Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'

/** Returns the demo's certificates by number; no two have the same number. */
export async function findCertificatesByNumber(
  db: Tx,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, StoredCertificate>> {
  const rows = await db
    .select()
    .from(certificates)
    .where(inArray(certificates.certificateNumber, [...numbers]))
  return new Map(rows.map(row => [row.certificateNumber, row]))
}

/** Returns the certificates that an upload added. */
export const listCertificatesOfUpload = (db: Tx, { seq }: { seq: number }): Promise<StoredCertificate[]> =>
  db.select().from(certificates).where(eq(certificates.uploadSeq, seq))
