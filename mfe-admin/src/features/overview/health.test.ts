import { expect, it } from 'vitest'
import { partsOf } from './health.ts'

const fine = { status: 'healthy', latency_ms: 1.2 } as const
const down = { status: 'error', latency_ms: null } as const
const backup = { status: 'unknown', latency_ms: null, at: null } as const

it('shows what was measured', () => {
  expect(partsOf({ database: fine, mail: down, gateway: fine, backup }, false)).toEqual([
    { name: 'Database', status: 'healthy', note: 'Answered in 1.2 ms' },
    { name: 'Email service', status: 'error', note: 'Does not answer' },
    { name: 'Payment gateway', status: 'healthy', note: 'Answered in 1.2 ms' },
  ])
  expect(partsOf({ database: down, mail: fine, gateway: fine, backup }, false)[0]?.note).toBe(
    'Connection issues',
  )
})

it('without an answer the database has connection issues, and the rest is unknown', () => {
  expect(partsOf(undefined, true).map(({ status, note }) => [status, note])).toEqual([
    ['error', 'Connection issues'],
    ['unknown', 'Cannot be asked'],
    ['unknown', 'Cannot be asked'],
  ])
  expect(partsOf(undefined, false).map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown'])
})
