import { sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'

/** Numbers of waiting items in the database. Each is counted with an index that contains only waiting items. */
export interface WaitingCounts {
  mails: number
  callbacks: number
  payments: number
  overduePayments: number
  openItems: number
  uploads: number
  unsealed: number
}

/** Counts waiting items. @param now current time; a payment is overdue if its requery was due more than five minutes before */
export async function countWaiting(db: Reader, { now }: { now: number }): Promise<WaitingCounts> {
  const [row] = await db.all<WaitingCounts>(sql`select
    (select count(*) from outbox where next_attempt_at is not null) as mails,
    (select count(*) from webhook_inbox where processed_at is null) as callbacks,
    (select count(*) from payments where next_requery_at is not null) as payments,
    (select count(*) from payments where next_requery_at < ${now - 300_000}) as "overduePayments",
    (select count(*) from payment_items where open = 1) as "openItems",
    (select count(*) from uploads where untidy and state in ('receiving', 'importing')) as uploads,
    (select count(*) from activity_log where hash is null) as unsealed`)
  if (!row) throw new Error('the count returned no row')
  return row
}
