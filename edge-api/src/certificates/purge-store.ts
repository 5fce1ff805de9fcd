import { formatCount } from '@portal/format/numbers'
import { and, eq, inArray, lt, notExists, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { recordHistory } from '../history/record.ts'
import { redactValues } from '../history/store.ts'
import { RESTORABLE_DAYS } from './purge-rules.ts'

const DAY = 86_400_000

/**
 * Removes certificates without letters that were deleted more than 90 days ago, and the values in their history. Their numbers
 * remain, and so do the times and actors of their changes.
 * @returns how many were removed, at most `limit`
 */
export async function purgeCertificates(
  db: Tx,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const letterOfCertificate = db
    .select({ one: sql`1` })
    .from(letters)
    .where(eq(letters.certificateId, certificates.id))
  const rows = await db
    .select({ id: certificates.id, label: certificates.certificateNumber, version: certificates.version })
    .from(certificates)
    .where(and(lt(certificates.deletedAt, now - RESTORABLE_DAYS * DAY), notExists(letterOfCertificate)))
    .limit(limit)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await db.delete(certificates).where(inArray(certificates.id, ids))
  await redactValues(db, { kind: 'certificate', recordIds: ids })
  await recordHistory(
    db,
    { actor: null, source: { kind: 'system' }, at: now },
    rows.map(({ id, label, version }) => ({
      kind: 'certificate',
      recordId: id,
      version: version + 1,
      action: 'purged',
      label,
      fields: [],
    })),
    {
      activity: 'Deleted certificates purged',
      details: `${formatCount(rows.length)} deleted more than ${RESTORABLE_DAYS} days ago`,
    },
  )
  return rows.length
}
