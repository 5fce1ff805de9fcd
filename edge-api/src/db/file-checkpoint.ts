import AsyncDatabase from 'libsql/promise'

/** How often the log is copied, in milliseconds. */
const INTERVAL = 1000

/**
 * Runs work that commits many transactions, and copies the write-ahead log into the database file on another thread. Within
 * a commit, the copy would block the process for several times as long as the commit itself.
 */
export async function withBackgroundCheckpoints<T>(file: string, work: () => Promise<T>): Promise<T> {
  const copier = new AsyncDatabase(file, { timeout: 0 })
  let copying: Promise<void> | undefined
  const copy = () => {
    copying ??= copier
      .exec('pragma wal_checkpoint(passive)')
      // A commit copies what this could not, once the log is very long.
      .catch(() => undefined)
      .finally(() => {
        copying = undefined
      })
  }
  const timer = setInterval(copy, INTERVAL)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await copying
    copy()
    await copying
    copier.close()
  }
}
