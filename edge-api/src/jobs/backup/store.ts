import { desc } from 'drizzle-orm'
import type { Reader, Tx } from '../../db/database.ts'
import { backups } from '../../db/schema/operations.ts'

export type Backup = Omit<typeof backups.$inferSelect, 'seq'>

/** Returns the latest copy, whether it succeeded or failed, or undefined if there is none. */
export async function findLastBackup(db: Reader): Promise<Backup | undefined> {
  const [row] = await db.select().from(backups).orderBy(desc(backups.seq)).limit(1)
  return row
}

/** Records the outcome of a copy. */
export async function recordBackup(db: Tx, backup: Backup): Promise<void> {
  await db.insert(backups).values(backup)
}
