import { MAX_CLOCK_SKEW_MS } from '../../clock-skew.ts'
import type { Database } from '../../db/database.ts'
import type { Manifest } from './make-copy.ts'
import { type Backup, findLastBackup, recordBackup } from './store.ts'

const HOUR = 3_600_000

/** Returns the time from a failed backup to the next attempt, in milliseconds. */
export const retryDelayMs = (intervalMs: number): number => Math.min(intervalMs, HOUR)

export interface BackupSchedule {
  /** Milliseconds between two backups; 0 disables backups. */
  intervalMs: number
  /** Backs up every database, the portal's first. */
  take(at: number): Promise<readonly Manifest[]>
}

/**
 * Returns when the next backup is due, in milliseconds since 1970. A new database is first backed up one interval
 * after its creation.
 */
export async function findDueTime(database: Database, intervalMs: number, now: number): Promise<number> {
  const last = await findLastBackup(database.read)
  // A backup made while the clock was ahead cannot determine when the next one is due.
  if (last && last.at > now + MAX_CLOCK_SKEW_MS) return now
  // After a failed backup, the next one is due immediately; the actual retry time is set by the delay on its queue item.
  if (last) return last.verified ? last.at + intervalMs : last.at
  const { rows } = await database.client.execute('select min(applied_at) as made from schema_migrations')
  const createdAt = Number(rows[0]?.made)
  return createdAt > now + MAX_CLOCK_SKEW_MS ? now : createdAt + intervalMs
}

/**
 * Backs up all databases if a backup is due, and records the outcome, with the name and size of the portal's backup.
 * @returns the record, or undefined if no backup was due
 */
export async function backUpIfDue(
  database: Database,
  { intervalMs, take }: BackupSchedule,
  clock: { now(): number },
): Promise<Backup | undefined> {
  const at = clock.now()
  if (intervalMs === 0 || at < (await findDueTime(database, intervalMs, at))) return undefined
  const backup = await attemptBackup(take, at)
  await database.write(tx => recordBackup(tx, { ...backup, kind: 'scheduled', tookMs: clock.now() - at }))
  return { ...backup, kind: 'scheduled', tookMs: clock.now() - at }
}

async function attemptBackup(take: BackupSchedule['take'], at: number) {
  try {
    const manifests = await take(at)
    const faults = manifests.flatMap(({ faults }) => faults)
    const [portal] = manifests
    return { ...toBackupRecord(at, portal), verified: faults.length === 0, error: faults[0] ?? null }
  } catch (cause) {
    // The error may contain paths, so the table, which is shown on screens, gets only a general reason.
    return { ...toBackupRecord(at, undefined), verified: false, error: describeReason(cause) }
  }
}

const toBackupRecord = (at: number, created: Manifest | undefined) => ({
  at,
  file: created?.file ?? null,
  bytes: created?.bytes ?? 0,
})

function describeReason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (/ENOSPC|SQLITE_FULL/.test(code)) return 'The disk is full.'
  return `The copy could not be made${code && ` (${code})`}.`
}

/**
 * Returns the health status of the backups: `error` if the newest attempt failed, and `warning` if the newest attempt was
 * more than two intervals ago.
 */
export function backupStatusOf(
  last: Backup,
  intervalMs: number,
  now: number,
): 'healthy' | 'warning' | 'error' {
  if (!last.verified) return 'error'
  return intervalMs > 0 && now - last.at > 2 * intervalMs ? 'warning' : 'healthy'
}
