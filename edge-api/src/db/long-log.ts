import type { Database } from './database.ts'
import { fileOf } from './prepared-queries.ts'

/**
 * Runs work that writes a large part of the database. A file database uses a longer write-ahead log during it, because such
 * work changes the same pages many times.
 */
export async function withLongLog<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const file = fileOf(db.read)
  return file ? await file.withLongLog(work) : await work()
}

/** Runs work that commits many small transactions. With a file database, its commits block other writes for a shorter time. */
export async function withBackgroundCheckpoints<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const file = fileOf(db.read)
  return file ? await file.withBackgroundCheckpoints(work) : await work()
}

/**
 * Copies the write-ahead log of a file database into its file on a background thread; does nothing for a server. If a commit
 * had to copy it, other writes would have to wait.
 */
export async function copyLog(db: Database): Promise<void> {
  await fileOf(db.read)?.copyLog()
}
