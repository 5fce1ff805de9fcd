import { isApiError } from '@portal/api/error'
import type { FailingFrontEnds, Storage } from '@portal/contract/admin-analytics'
import type { health } from '@portal/contract/health'
import { isRecord } from '@portal/contract/is-record'
import type { Reply } from '@portal/contract/route'
import { formatDateTime } from '@portal/format/dates'
import { formatPercent } from '@portal/format/numbers'
import { formatBytes } from '../../parts/format-bytes.ts'

export type HealthParts = Reply<typeof health.ready>['parts']
type Part = HealthParts['database']

export interface ComponentStatus {
  name: string
  status: Part['status']
  /** The measured value, or a description of the problem. */
  note: string
}

const componentNames = {
  database: 'Database',
  mail: 'Email service',
  gateway: 'Payment gateway',
  storage: 'File storage',
  backup: 'Last backup',
  frontEnds: 'Front ends',
} as const

function describeLatency({ status, latency_ms }: Part, problem: string): string {
  if (status === 'error') return problem
  return latency_ms === null ? 'Not measured' : `Responded in ${latency_ms} ms`
}

function describeStorage({ database_bytes, free_bytes, used_percent }: Storage): string {
  const facts = [
    database_bytes !== null && `Database of ${formatBytes(database_bytes)}`,
    free_bytes !== null && `${formatBytes(free_bytes)} free`,
    used_percent !== null && `${formatPercent(used_percent)} of the disk used`,
  ].filter(Boolean)
  return facts.length > 0 ? facts.join(', ') : 'Not measured'
}

/** Returns the status of the front ends and the releases that failed in browsers, by which staff judge a canary. */
function getFrontEndStatus(failing: FailingFrontEnds, releaseListError: string | null): ComponentStatus {
  const failures = failing.map(({ name, release, reports }) =>
    [name || 'others', release, `${reports} ×`].filter(Boolean).join(' '),
  )
  if (releaseListError !== null)
    return {
      name: componentNames.frontEnds,
      status: 'error',
      note: `The release list is damaged (${releaseListError}). Using the last valid list.`,
    }
  return {
    name: componentNames.frontEnds,
    status: failing.length > 0 ? 'warning' : 'healthy',
    note:
      failing.length > 0
        ? `Failures in the last 24 hours: ${failures.join(', ')}`
        : 'No failures in the last 24 hours',
  }
}

const describeBackup = ({ status, at }: HealthParts['backup']): string => {
  if (at === null) return 'None yet'
  return status === 'error' ? `Failed ${formatDateTime(at)}` : formatDateTime(at)
}

/** Returns the measurements from an error response if it lists every component, otherwise `undefined`. */
export function readMeasurements(error: unknown): HealthParts | undefined {
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
  hasFailed: boolean,
): ComponentStatus[] {
  const pendingNote = hasFailed ? 'Unknown' : 'Checking…'
  const buildUnknownComponent = (key: keyof typeof componentNames): ComponentStatus => ({
    name: componentNames[key],
    status: 'unknown',
    note: pendingNote,
  })
  const storage: ComponentStatus = system?.storage
    ? { name: componentNames.storage, status: system.storage.status, note: describeStorage(system.storage) }
    : buildUnknownComponent('storage')
  const frontEnds = system?.front_ends
    ? getFrontEndStatus(system.front_ends, system.releases_damage ?? null)
    : buildUnknownComponent('frontEnds')
  if (hasFailed || !measurements) {
    return [
      hasFailed
        ? { name: componentNames.database, status: 'error', note: 'Connection issues' }
        : buildUnknownComponent('database'),
      buildUnknownComponent('mail'),
      buildUnknownComponent('gateway'),
      storage,
      buildUnknownComponent('backup'),
      frontEnds,
    ]
  }
  const buildMeasuredComponent = (
    key: 'database' | 'mail' | 'gateway',
    problem: string,
  ): ComponentStatus => ({
    name: componentNames[key],
    status: measurements[key].status,
    note: describeLatency(measurements[key], problem),
  })
  return [
    buildMeasuredComponent('database', 'Connection issues'),
    buildMeasuredComponent('mail', 'Not responding'),
    buildMeasuredComponent('gateway', 'Not responding'),
    storage,
    {
      name: componentNames.backup,
      status: measurements.backup.status,
      note: describeBackup(measurements.backup),
    },
    frontEnds,
  ]
}
