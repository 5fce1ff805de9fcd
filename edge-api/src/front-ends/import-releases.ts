import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Database, Tx } from '../db/database.ts'
import { recordLogEntry } from '../logs/store.ts'
import type { Ports } from '../ports.ts'
import { activityOf, parseReleaseLog, type ReleaseLogEntry } from './rules.ts'
import { findRecordedIds, readImportedUntil, writeImportedUntil } from './store.ts'

/**
 * Copies new releases from the release log into the activity log. They are not written there directly, because releasing
 * requires access only to the releases folder and not to the database. Several imports can run at the same time, even in
 * portals that share a database: each release is written once.
 * @returns the number of entries written
 */
export async function importReleases(ports: Ports, database: Database): Promise<number> {
  const text = await ports.releaseLog?.()
  const releaseLog = text === undefined ? undefined : parseReleaseLog(text)
  if (!releaseLog) return 0
  const { log, entries } = releaseLog
  const newest = entries.at(-1)
  const now = ports.clock.now()
  const isNewestImported = (importedUntil: number) =>
    newest === undefined || (newest.at <= importedUntil && importedUntil <= now + MAX_CLOCK_SKEW_MS)
  const before = await readImportedUntil(database.read, { log })
  if (!newest || newest.at === before || isNewestImported(before)) return 0
  return await database.write(async tx => {
    const importedUntil = await readImportedUntil(tx, { log })
    const newActivities = (await findNewEntries(tx, entries, { importedUntil, now })).flatMap(
      entry => activityOf(entry) ?? [],
    )
    // A release that was made while the clock was ahead gets the current time.
    for (const activity of newActivities)
      await recordLogEntry(tx, { ...activity, at: Math.min(activity.at, now) })
    if (newest.at !== importedUntil && !isNewestImported(importedUntil))
      await writeImportedUntil(tx, { log, at: newest.at })
    return newActivities.length
  })
}

/**
 * Returns the releases that have not been imported yet: those after the last imported line. If the release log does not contain
 * that line, for example after a restore, returns the releases with a later time. If the line's time is in the future because
 * the clock was ahead, returns the releases that the activity log does not contain.
 */
async function findNewEntries(
  tx: Tx,
  entries: readonly ReleaseLogEntry[],
  { importedUntil, now }: { importedUntil: number; now: number },
): Promise<readonly ReleaseLogEntry[]> {
  const lastImportedIndex = entries.findIndex(({ at }) => at === importedUntil)
  if (lastImportedIndex >= 0) return entries.slice(lastImportedIndex + 1)
  if (importedUntil <= now + MAX_CLOCK_SKEW_MS) return entries.filter(({ at }) => at > importedUntil)
  const recordedIds = await findRecordedIds(tx, { ids: entries.map(({ id }) => id) })
  return entries.filter(({ id }) => !recordedIds.has(id))
}
