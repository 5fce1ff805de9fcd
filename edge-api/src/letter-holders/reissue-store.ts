import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import type { LetterWithCertificate } from '../letters/store.ts'

/**
 * The current letter for `code`, if one of the accounts holds it: for a replaced one, the newest of the same item.
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

/** Replaces a letter by a newer one. Its holder requested it, so no notification is needed. */
export async function markReplaced(
  db: Tx,
  { code, by, at }: { code: string; by: string; at: number },
): Promise<void> {
  await db
    .update(letters)
    .set({
      status: 'superseded',
      // It is already known since when the letter is out of date, unless no check noticed it.
      statusAt: sql`case when ${letters.statusAt} > ${letters.issuedAt} then ${letters.statusAt} else ${at} end`,
      replacedBy: by,
      notifiedStatus: 'superseded',
      pendingStatus: null,
    })
    .where(eq(letters.code, code))
}
