import { isApiError } from '@portal/api/error'
import type { FailingFrontEnds, Storage } from '@portal/contract/admin-analytics'
import type { health } from '@portal/contract/health'
import { isRecord } from '@portal/contract/is-record'
import type { Reply } from '@portal/contract/route'
import { formatDateTime } from '@portal/format/dates'
import { formatFigure, formatPercent } from '@portal/format/numbers'

export type HealthParts = Reply<typeof health.ready>['parts']
type Part = HealthParts['database']

export interface ComponentStatus {
  name: string
  status: Part['status']
  /** The measured value, or a description of the problem. */
  note: string
}

const names = {
  database: 'Database',
  mail: 'Email service',
  gateway: 'Payment gateway',
  storage: 'File storage',
  backup: 'Last backup',
  frontEnds: 'Front ends',
} as const

const units = ['byte', 'kB', 'MB', 'GB', 'TB'] as const

/** Formats bytes as `12.4 MB`, in powers of 1000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${formatFigure(bytes / 1000 ** power)} ${units[power]}`
}

function latencyNote({ status, latency_ms }: Part, problem: string): string {
  if (status === 'error') return problem
  return latency_ms === null ? 'Not measured' : `Responded in ${latency_ms} ms`
}

function storageNote({ database_bytes, free_bytes, used_percent }: Storage): string {
  const facts = [
    database_bytes !== null && `Database of ${formatBytes(database_bytes)}`,
    free_bytes !== null && `${formatBytes(free_bytes)} free`,
    used_percent !== null && `${formatPercent(used_percent)} of the disk used`,
  ].filter(Boolean)
  return facts.length > 0 ? facts.join(', ') : 'Not measured'
}

/** Lists releases that failed in browsers and how often; staff judge a canary by this. */
function frontEndStatus(failed: FailingFrontEnds, damage: string | null): ComponentStatus {
  const failures = failed.map(({ name, release, reports }) =>
    [name || 'others', release, `${reports} ×`].filter(Boolean).join(' '),
  )
  if (damage !== null)
    return {
      name: names.frontEnds,
      status: 'error',
      note: `The release list is damaged (${damage}). Using the last valid list.`,
    }
  return {
    name: names.frontEnds,
    status: failed.length > 0 ? 'warning' : 'healthy',
    note:
      failed.length > 0
        ? `Failures in the last 24 hours: ${failures.join(', ')}`
        : 'No failures in the last 24 hours',
  }
}

const backupNote = ({ status, at }: HealthParts['backup']): string => {
  if (at === null) return 'None yet'
  return status === 'error' ? `Failed ${formatDateTime(at)}` : formatDateTime(at)
}

/** Returns the measurements from an error response if it lists every component, otherwise `undefined`. */
export function measurementsIn(error: unknown): HealthParts | undefined {
  const parts = isApiError(error) && isRecord(error.body) ? error.body.parts : undefined
  const isComplete =
    isRecord(parts) && ['database', 'mail', 'gateway', 'backup'].every(key => isRecord(parts[key]))
  return isComplete ? (parts as unknown as HealthParts) : undefined
}

/**
 * Returns the components of the system with their status. Without a response, the database counts as unreachable and the others
 * as unknown (specification, section 4).
 */
export function buildComponents(
  measurements: HealthParts | undefined,
  system: { storage?: Storage; front_ends?: FailingFrontEnds; releases_damage?: string | null } | undefined,
  failed: boolean,
): ComponentStatus[] {
  const pendingNote = failed ? 'Unknown' : 'Checking…'
  const unknown = (key: keyof typeof names): ComponentStatus => ({
    name: names[key],
    status: 'unknown',
    note: pendingNote,
  })
  const disk: ComponentStatus = system?.storage
    ? { name: names.storage, status: system.storage.status, note: storageNote(system.storage) }
    : unknown('storage')
  const frontEnds = system?.front_ends
    ? frontEndStatus(system.front_ends, system.releases_damage ?? null)
    : unknown('frontEnds')
  if (failed || !measurements) {
    return [
      failed ? { name: names.database, status: 'error', note: 'Connection issues' } : unknown('database'),
      unknown('mail'),
      unknown('gateway'),
      disk,
      unknown('backup'),
      frontEnds,
    ]
  }
  const measuredPart = (key: 'database' | 'mail' | 'gateway', problem: string): ComponentStatus => ({
    name: names[key],
    status: measurements[key].status,
    note: latencyNote(measurements[key], problem),
  })
  return [
    measuredPart('database', 'Connection issues'),
    measuredPart('mail', 'Not responding'),
    measuredPart('gateway', 'Not responding'),
    disk,
    { name: names.backup, status: measurements.backup.status, note: backupNote(measurements.backup) },
    frontEnds,
  ]
}
