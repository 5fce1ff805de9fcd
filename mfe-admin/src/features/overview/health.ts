import type { health } from '@portal/contract/health'
import type { Reply } from '@portal/contract/route'

export type Measured = Reply<typeof health.ready>['parts']
type Status = Measured['database']['status']

export interface PartShown {
  name: string
  status: Status
  /** What was measured, or what is wrong. */
  note: string
}

const names = { database: 'Database', mail: 'Email service', gateway: 'Payment gateway' } as const
const keys = ['database', 'mail', 'gateway'] as const

function noteOf({ status, latency_ms }: Measured['database'], trouble: string): string {
  if (status === 'error') return trouble
  return latency_ms === null ? 'Not measured' : `Answered in ${latency_ms} ms`
}

/**
 * The system's parts as measured. Without an answer the database counts as unreachable, and of the others nothing is
 * known (specification, section 4).
 */
export function partsOf(measured: Measured | undefined, failed: boolean): PartShown[] {
  if (failed || !measured) {
    return keys.map(key =>
      failed && key === 'database'
        ? { name: names[key], status: 'error', note: 'Connection issues' }
        : { name: names[key], status: 'unknown', note: failed ? 'Cannot be asked' : 'Being measured' },
    )
  }
  return keys.map(key => ({
    name: names[key],
    status: measured[key].status,
    note: noteOf(measured[key], key === 'database' ? 'Connection issues' : 'Does not answer'),
  }))
}
