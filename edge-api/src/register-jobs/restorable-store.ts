import { registerJobMessages } from '@portal/rules/messages'
import { sql } from 'drizzle-orm'
import { findIdsWithLetters } from '../certificates/detail-store.ts'
import { isRestorable } from '../certificates/purge-rules.ts'
import type { StoredCertificate } from '../certificates/store.ts'
import type { Reader } from '../db/database.ts'

/** Reason for skipping a certificate that was purged, or is about to be. */
export const NOT_IN_REGISTER = 'No longer in the register'

/** Returns which of these deleted certificates have a number that is in use again, or that occurs twice among them. */
async function findSeqsWithNumberInUse(db: Reader, rows: readonly StoredCertificate[]): Promise<Set<number>> {
  const list = JSON.stringify(rows.map(({ certificateNumber }) => certificateNumber))
  const current = await db.all<{ number: string }>(sql`
    select certificate_number as number from json_each(${list}) j
      join certificates on certificate_number = j.value and withdrawn_at is null`)
  const usedNumbers = new Set(current.map(({ number }) => number))
  const refusedSeqs = new Set<number>()
  for (const { seq, certificateNumber } of rows) {
    if (usedNumbers.has(certificateNumber)) refusedSeqs.add(seq)
    usedNumbers.add(certificateNumber)
  }
  return refusedSeqs
}

/** Returns which of these deleted certificates cannot be restored, by `seq`, with the reason. */
export async function findUnrestorable(
  db: Reader,
  rows: readonly StoredCertificate[],
  at: number,
): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map()
  const idsWithLetters = await findIdsWithLetters(db, { certificateIds: rows.map(({ id }) => id) })
  const restorableInTime = rows.filter(row => isRestorable(row, idsWithLetters.has(row.id), at))
  const restorableSeqs = new Set(restorableInTime.map(({ seq }) => seq))
  const expired = rows.flatMap(({ seq }): [number, string][] =>
    restorableSeqs.has(seq) ? [] : [[seq, NOT_IN_REGISTER]],
  )
  const seqsWithNumberInUse = [...(await findSeqsWithNumberInUse(db, restorableInTime))]
  return new Map([
    ...expired,
    ...seqsWithNumberInUse.map((seq): [number, string] => [seq, registerJobMessages.numberInUse]),
  ])
}
