import type { Database } from './database.ts'
import { fileOf } from './prepared.ts'

/**
 * Runs work that writes a large part of the database. For a file database, uses a longer write-ahead log, because such
 * work writes the same pages many times.
 */
export async function withLongLog<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const file = fileOf(db.read)
  return file ? await file.withLongLog(work) : await work()
}

/**
 * Runs work that commits many small transactions. For a file database, their commits then block others for a shorter
 * time.
 */
export async function withBackgroundCheckpoints<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const file = fileOf(db.read)
  return file ? await file.withBackgroundCheckpoints(work) : await work()
}

/**
 * Copies the write-ahead log of a file database into its file on a background thread; does nothing for a server. Within a
 * commit, the copy would make other writes wait.
 */
export async function copyLog(db: Database): Promise<void> {
  await fileOf(db.read)?.copyLog()
}
