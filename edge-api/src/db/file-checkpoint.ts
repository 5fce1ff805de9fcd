import AsyncDatabase from 'libsql/promise'

/** How often the log is copied, in milliseconds. */
const INTERVAL_MS = 1000

const copyWith = (copier: AsyncDatabase): Promise<void> =>
  copier
    .exec('pragma wal_checkpoint(passive)')
    // Ignored, because a commit copies the rest if the log gets very long.
    .catch(() => undefined)

/** Copies the write-ahead log into the database file on another thread. */
export async function copyLog(file: string): Promise<void> {
  const copier = new AsyncDatabase(file, { timeout: 0 })
  try {
    await copyWith(copier)
    // Copies what was written during the first copy: SQLite reuses the log from its beginning only once all of it is copied.
    await copyWith(copier)
  } finally {
    copier.close()
  }
}

/**
 * Runs work that commits many transactions, while another thread copies the write-ahead log into the database file. Otherwise
 * commits would copy it, and block the process for several times as long.
 */
export async function withBackgroundCheckpoints<T>(file: string, work: () => Promise<T>): Promise<T> {
  const copier = new AsyncDatabase(file, { timeout: 0 })
  let runningCopy: Promise<void> | undefined
  const copy = () => {
    runningCopy ??= copyWith(copier).finally(() => {
      runningCopy = undefined
    })
  }
  const timer = setInterval(copy, INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await runningCopy
    copy()
    await runningCopy
    copier.close()
  }
}
