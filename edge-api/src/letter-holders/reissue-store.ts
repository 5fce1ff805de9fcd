import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import type { LetterWithCertificate } from '../letters/store.ts'

/**
 * Returns the current letter for a code, if one of the accounts holds it. If that letter was replaced, returns the
 * newest letter of the same item.
 */
export async function findOwnLetter(
  db: Reader,
  { code, userIds }: { code: string; userIds: readonly string[] },
): Promise<LetterWithCertificate | undefined> {
  const item = sql`(select current.payment_item_id from letters current where current.code = ${code} and current.user_id in (select value from json_each(${JSON.stringify(userIds)})))`
  const [row] = await db
    .select({ letter: letters, certificate: certificates })
    .from(letters)
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))
    .where(and(sql`${letters.paymentItemId} = ${item}`, isNull(letters.replacedBy)))
    .limit(1)
  return row
}

/** Marks a letter as replaced by a newer one. The letter holder requested this, so no notification is needed. */
export async function markReplaced(
  db: Tx,
  { code, by, at }: { code: string; by: string; at: number },
): Promise<void> {
  await db
    .update(letters)
    .set({
      status: 'superseded',
      // Keeps the time since which the letter has been out of date, if it was recorded.
      statusAt: sql`case when ${letters.statusAt} > ${letters.issuedAt} then ${letters.statusAt} else ${at} end`,
      replacedBy: by,
      notifiedStatus: 'superseded',
      pendingStatus: null,
    })
    .where(eq(letters.code, code))
}
