import { expect, test } from 'vitest'
import { disabledReason, endpointDisplay, eventDisplay, isUsableKey, keyDisplay } from './developers.ts'

const now = Date.parse('2026-05-01T00:00:00Z')

test.each([
  ['Active', null, '2026-06-01T00:00:00Z', true],
  ['Active', null, null, true],
  ['Expires soon', null, '2026-05-15T00:00:00Z', true],
  ['Expired', null, '2026-05-01T00:00:00Z', false],
  ['Revoked', '2026-04-30T00:00:00Z', '2026-06-01T00:00:00Z', false],
])(
  'shows the state of a key as %s: revoked at %s, expires at %s',
  (label, revoked_at, expires_at, usable) => {
    const key = { revoked_at, expires_at }
    expect(keyDisplay(key, now).label).toBe(label)
    expect(isUsableKey(key, now)).toBe(usable)
  },
)

test('shows that an endpoint is failing, and why it was disabled', () => {
  const label = (state: string, failing_since: string | null = null) =>
    endpointDisplay({ state, failing_since }).label
  expect([label('enabled'), label('enabled', '2026-05-01T00:00:00Z')]).toEqual(['Enabled', 'Failing'])
  expect(label('disabled', '2026-05-01T00:00:00Z')).toBe('Disabled')
  expect(disabledReason('gone')).toContain('410')
  expect(disabledReason('failing')).toContain('5 days')
  expect(disabledReason(null)).toBeUndefined()
})

test('shows an event without endpoints as having none, not as undelivered', () => {
  const labelOf = (delivered: boolean, endpoints: number) => eventDisplay({ delivered, endpoints }).label
  expect(labelOf(true, 2)).toBe('Delivered')
  expect(labelOf(false, 2)).toBe('Not delivered')
  expect(labelOf(false, 0)).toBe('No endpoint')
})
