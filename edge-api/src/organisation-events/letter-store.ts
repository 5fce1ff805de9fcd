import { eq, inArray, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { letters } from '../db/schema/letters.ts'
import { organisationVerifications } from '../db/schema/organisation-money.ts'
import { paymentItems } from '../db/schema/payments.ts'

/** Returns the organisations' verifications to which these letters belong; personal letters have none. */
export async function listVerificationsOfLetters(db: Reader, { codes }: { codes: readonly string[] }) {
  return await db
    .select({ code: letters.code, verification: organisationVerifications })
    .from(letters)
    .innerJoin(paymentItems, eq(paymentItems.id, letters.paymentItemId))
    .innerJoin(organisationVerifications, eq(organisationVerifications.paymentId, paymentItems.paymentId))
    .where(inArray(letters.code, sql`(select value from json_each(${JSON.stringify(codes)}))`))
}
