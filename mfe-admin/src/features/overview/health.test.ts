import { ApiError } from '@portal/api/error'
import { formatDateTime } from '@portal/format/dates'
import { expect, it } from 'vitest'
import { buildComponents, readMeasurements } from './health.ts'

const up = { status: 'healthy', latency_ms: 1.2 } as const
const down = { status: 'error', latency_ms: null } as const
const backupAt = '2026-03-02T01:00:00.000Z'
const backup = { status: 'warning', latency_ms: null, at: backupAt } as const
const storage = {
  status: 'healthy',
  database_bytes: 12_400_000,
  free_bytes: 80_371_699_712,
  used_percent: 34.5,
} as const

const healthySystem = { storage, front_ends: [] }

it('shows the measurements of each component', { tags: ['STAFF-18'] }, () => {
  expect(buildComponents({ database: up, mail: down, gateway: up, backup }, healthySystem, false)).toEqual([
    { name: 'Database', status: 'healthy', note: 'Responded in 1.2 ms' },
    { name: 'Email service', status: 'error', note: 'Not responding' },
    { name: 'Payment gateway', status: 'healthy', note: 'Responded in 1.2 ms' },
    {
      name: 'File storage',
      status: 'healthy',
      note: 'Database of 12.4 MB, 80.4 GB free, 34.5% of the disk used',
    },
    { name: 'Last backup', status: 'warning', note: formatDateTime(backupAt) },
    { name: 'Front ends', status: 'healthy', note: 'No failures in the last 24 hours' },
  ])
  const unreachable = { database: down, mail: up, gateway: up, backup: { ...backup, at: null } }
  const unknownStorage = {
    status: 'unknown',
    database_bytes: null,
    free_bytes: null,
    used_percent: null,
  } as const
  const notes = buildComponents(unreachable, { ...healthySystem, storage: unknownStorage }, false).map(
    ({ note }) => note,
  )
  expect([notes[0], notes[3], notes[4]]).toEqual(['Connection issues', 'Not measured', 'None yet'])
})

it('shows the other components even if the database has an error', () => {
  const parts = { database: down, mail: up, gateway: down, backup }
  const error = new ApiError('The database is not available.', {
    status: 503,
    body: { status: 'degraded', parts },
  })
  expect(readMeasurements(error)).toEqual(parts)
  expect(buildComponents(readMeasurements(error), healthySystem, false).map(({ status }) => status)).toEqual([
    'error',
    'healthy',
    'error',
    'healthy',
    'warning',
    'healthy',
  ])
})

it.each([
  undefined,
  new Error('offline'),
  new ApiError('offline', { status: 0 }),
  new ApiError('down', { status: 503, body: { error: 'down', parts: { database: down } } }),
])('ignores an error response that does not list the components', error => {
  expect(readMeasurements(error)).toBeUndefined()
})

it('reports database connection issues and everything else as unknown if there is no response', {
  tags: ['STAFF-2'],
}, () => {
  expect(buildComponents(undefined, undefined, true).map(({ status, note }) => [status, note])).toEqual([
    ['error', 'Connection issues'],
    ['unknown', 'Unknown'],
    ['unknown', 'Unknown'],
    ['unknown', 'Unknown'],
    ['unknown', 'Unknown'],
    ['unknown', 'Unknown'],
  ])
  expect(buildComponents(undefined, undefined, false).every(({ status }) => status === 'unknown')).toBe(true)
})

it('lists the releases that failed in browsers', () => {
  const front_ends = [
    { name: 'mfe-admin', release: '3f2a9c', reports: 12 },
    { name: 'mfe-user', release: '', reports: 1 },
    { name: '', release: '', reports: 3 },
  ]
  expect(buildComponents(undefined, { storage, front_ends }, false).at(-1)).toEqual({
    name: 'Front ends',
    status: 'warning',
    note: 'Failures in the last 24 hours: mfe-admin 3f2a9c 12 ×, mfe-user 1 ×, others 3 ×',
  })
})

it('reports that the list of releases is damaged', () => {
  const system = { storage, front_ends: [], releases_damage: 'it is not JSON' }
  expect(buildComponents(undefined, system, false).at(-1)).toEqual({
    name: 'Front ends',
    status: 'error',
    note: 'The release list is damaged (it is not JSON). Using the last valid list.',
  })
})
