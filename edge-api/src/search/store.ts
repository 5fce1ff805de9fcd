import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'

/** Prefix of every transaction ID. Its first two letters begin every reference. Searching for it finds nothing. */
const COMMON_PREFIX = 'CVF'

/**
 * Finds payments whose transaction ID, reference or certificate number begins with the given text, newest first. Each query
 * reads a range of an index, so its cost does not grow with the number of payments.
 * @param text in uppercase; a transaction ID without its dashes
 */
export async function findPayments(
  db: Reader,
  { text, number, limit }: { text: string; number: string; limit: number },
) {
  if (COMMON_PREFIX.startsWith(text)) return []
  const [end, numbersEnd] = [`${text}\u{10ffff}`, `${number}\u{10ffff}`]
  const ids = sql`
    select id from (select id from ${payments} where transaction_id >= ${text} and transaction_id < ${end} limit ${limit})
    union select id from (select id from ${payments} where provider_reference >= ${text} and provider_reference < ${end} limit ${limit})
    union select payment_id from (select payment_id from ${paymentItems}
      where certificate_number >= ${number} and certificate_number < ${numbersEnd} limit ${limit})`
  return await db
    .select({ payment: payments, email: users.email })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .where(inArray(payments.id, sql`(${ids})`))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(limit)
}
