import { and, eq, gt, isNotNull, lte, max, sql } from 'drizzle-orm'
import { findUser } from '../accounts/store.ts'
import type { Database, Reader, Tx } from '../db/database.ts'
import { activityLog } from '../db/schema/activity.ts'
import { certificates } from '../db/schema/certificates.ts'
import { ERASED_ACCOUNT } from '../erased.ts'
import { eraseEntries } from '../logs/seal-store.ts'
import { mentionsAddress } from './mentions.ts'

/*
 * Traces of an account in large tables that have no index for them: log entries of other people that contain its address, and
 * certificates that it added as staff. The tables are scanned one range at a time, so that no request has to wait long.
 */

/** Number of rows in one range. */
const RANGE_ROWS = 5000

/** Returns all known email addresses of an account, in lowercase. */
export async function listAddresses(db: Reader, { userId }: { userId: string }): Promise<string[]> {
  const user = await findUser(db, { id: userId })
  const rows = await db
    .selectDistinct({ email: activityLog.userEmail })
    .from(activityLog)
    .where(and(eq(activityLog.userId, userId), isNotNull(activityLog.userEmail)))
  const emails = [user?.email, ...rows.map(({ email }) => email)]
  return [...new Set(emails.flatMap(email => (email ? [email.toLowerCase()] : [])))]
}

interface Range {
  above: number
  upTo: number
}

async function findEntriesNaming(
  db: Reader,
  { addresses, above, upTo }: Range & { addresses: readonly string[] },
): Promise<number[]> {
  const rows = await db
    .select({ id: activityLog.id, userEmail: activityLog.userEmail, details: activityLog.details })
    .from(activityLog)
    .where(
      and(
        gt(activityLog.id, above),
        lte(activityLog.id, upTo),
        sql`exists (select 1 from json_each(${JSON.stringify(addresses)}) as address
          where instr(lower(${activityLog.details}), address.value) > 0 or lower(${activityLog.userEmail}) = address.value)`,
      ),
    )
  return rows
    .filter(({ userEmail, details }) =>
      addresses.some(address => userEmail?.toLowerCase() === address || mentionsAddress(details, address)),
    )
    .map(({ id }) => id)
}

/**
 * Erases the personal values of every log entry that contains one of the addresses, no matter who caused the entry.
 * @returns the ID of the newest entry that was examined; `eraseNewMentions` handles later ones
 */
export async function eraseMentions(
  database: Database,
  { addresses }: { addresses: readonly string[] },
): Promise<number> {
  const [newest] = await database.read.select({ id: max(activityLog.id) }).from(activityLog)
  const end = newest?.id ?? 0
  for (let above = 0; above < end; above += RANGE_ROWS) {
    const upTo = Math.min(above + RANGE_ROWS, end)
    const ids = await findEntriesNaming(database.read, { addresses, above, upTo })
    if (ids.length > 0) await database.write(tx => eraseEntries(tx, { ids }))
  }
  return end
}

/** Erases the personal values of entries that were added since `eraseMentions`, in the transaction that ends the erasure. */
export async function eraseNewMentions(
  db: Tx,
  { addresses, above }: { addresses: readonly string[]; above: number },
): Promise<void> {
  const ids = await findEntriesNaming(db, { addresses, above, upTo: Number.MAX_SAFE_INTEGER })
  if (ids.length > 0) await eraseEntries(db, { ids })
}

/** Replaces the account's address in certificates that it added. */
export async function eraseUploaderAddress(
  database: Database,
  { addresses }: { addresses: readonly string[] },
): Promise<void> {
  const [newest] = await database.read.select({ seq: max(certificates.seq) }).from(certificates)
  const end = newest?.seq ?? 0
  const isAddedByAccount = sql`lower(${certificates.uploaderEmail}) in (select value from json_each(${JSON.stringify(addresses)}))`
  for (let above = 0; above < end; above += RANGE_ROWS) {
    const range = and(
      gt(certificates.seq, above),
      lte(certificates.seq, above + RANGE_ROWS),
      isAddedByAccount,
    )
    const [found] = await database.read
      .select({ seq: certificates.seq })
      .from(certificates)
      .where(range)
      .limit(1)
    if (!found) continue
    await database.write(tx => tx.update(certificates).set({ uploaderEmail: ERASED_ACCOUNT }).where(range))
  }
}
