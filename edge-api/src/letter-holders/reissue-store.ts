import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import type { LetterWithCertificate } from '../letters/store.ts'

/**
 * Finds the letter with a code, if one of the accounts holds it. If that letter was replaced, returns the newest letter of the
 * same item.
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

/** Marks a letter as replaced by a newer one. Needs no notification, because the letter holder requested the replacement. */
export async function markReplaced(
  db: Tx,
  { code, newCode, at }: { code: string; newCode: string; at: number },
): Promise<void> {
  await db
    .update(letters)
    .set({
      status: 'superseded',
      // Keeps the time at which the letter became out of date, if it was recorded.
      statusAt: sql`case when ${letters.statusAt} > ${letters.issuedAt} then ${letters.statusAt} else ${at} end`,
      replacedBy: newCode,
      notifiedStatus: 'superseded',
      pendingStatus: null,
    })
    .where(eq(letters.code, code))
}
