import { MAX_CLOCK_SKEW_MS } from '../../clock-skew.ts'
import type { Database } from '../../db/database.ts'
import type { Manifest } from './make-copy.ts'
import { type Backup, findLastBackup, recordBackup } from './store.ts'

const HOUR = 3_600_000
/** Returns the time from a failed copy to the next attempt, in milliseconds. */
export const retryAfter = (every: number): number => Math.min(every, HOUR)

export interface BackupSchedule {
  /** Milliseconds between two copies; 0 disables copies. */
  every: number
  /** Copies every database, the portal's first. */
  take(at: number): Promise<readonly Manifest[]>
}

/**
 * Returns when the next copy is due, in milliseconds since 1970. A new database is first copied one interval after its
 * creation.
 */
export async function dueAt(database: Database, every: number, now: number): Promise<number> {
  const last = await findLastBackup(database.read)
  // A backup made while the clock was ahead cannot determine when the next one is due.
  if (last && last.at > now + MAX_CLOCK_SKEW_MS) return now
  // After a failed backup, the next one is due at once, but its queue item is deferred, which sets the time of the next
  // attempt.
  if (last) return last.verified ? last.at + every : last.at
  const { rows } = await database.client.execute('select min(applied_at) as made from schema_migrations')
  const created = Number(rows[0]?.made)
  return created > now + MAX_CLOCK_SKEW_MS ? now : created + every
}

/**
 * Makes the copies that are due, and records the outcome of the portal's own.
 * @returns the record, or undefined if no copy was due
 */
export async function backupWhenDue(
  database: Database,
  { every, take }: BackupSchedule,
  clock: { now(): number },
): Promise<Backup | undefined> {
  const at = clock.now()
  if (every === 0 || at < (await dueAt(database, every, at))) return undefined
  const backup = await outcomeOf(take, at)
  await database.write(tx => recordBackup(tx, { ...backup, kind: 'scheduled', tookMs: clock.now() - at }))
  return { ...backup, kind: 'scheduled', tookMs: clock.now() - at }
}

async function outcomeOf(take: BackupSchedule['take'], at: number) {
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
 * Returns the health status of the copies: `error` if the newest attempt failed, and `warning` if it was more than two
 * intervals ago.
 */
export function stateOf(last: Backup, every: number, now: number): 'healthy' | 'warning' | 'error' {
  if (!last.verified) return 'error'
  return every > 0 && now - last.at > 2 * every ? 'warning' : 'healthy'
}
