import type { adminAnalytics, Storage } from '@portal/contract/admin-analytics'
import { isoDateDaysBefore } from '@portal/format/dates'
import { percentOf } from '@portal/format/numbers'
import { readReports } from '../front-ends/store.ts'
import type { Handler } from '../http/serve.ts'
import type { Disk } from '../ports.ts'
import { readDatabaseBytes } from './store.ts'

/** Disk usage in percent from which the status is a warning. */
const WARNING_PERCENT = 85
const FULL_PERCENT = 95

function storageStatusOf(usedPercent: number | null): Storage['status'] {
  if (usedPercent === null) return 'unknown'
  if (usedPercent >= FULL_PERCENT) return 'error'
  return usedPercent >= WARNING_PERCENT ? 'warning' : 'healthy'
}

/** Converts the measurements to the contract's format, with null for what could not be measured. */
export function toStorage(bytes: number | undefined, disk: Disk | undefined): Storage {
  const usedPercent = disk && disk.total > 0 ? percentOf(disk.total - disk.free, disk.total) : null
  return {
    status: storageStatusOf(usedPercent),
    database_bytes: bytes ?? null,
    free_bytes: disk?.free ?? null,
    used_percent: usedPercent,
  }
}

/** Maximum number of failing releases in the response; those with the most failures come first. */
const MAX_RELEASES = 20

/** Returns the disk space, the size of the database and the state of the front ends. */
export const system: Handler<typeof adminAnalytics.system> = async ({ db, ports }) => {
  const [bytes, disk, remotesError] = await Promise.all([
    readDatabaseBytes(db.read).catch(() => undefined),
    ports.disk?.().catch(() => undefined),
    ports.assets.remotesError?.(),
  ])
  const since = isoDateDaysBefore(1, ports.clock.now())
  const failingReleases = await readReports(db.read, { since, limit: MAX_RELEASES })
  return {
    storage: toStorage(bytes, disk),
    front_ends: failingReleases.map(({ remote: name, release, reports }) => ({ name, release, reports })),
    releases_damage: remotesError ?? null,
  }
}
