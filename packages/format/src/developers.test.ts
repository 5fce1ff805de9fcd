import { expect, test } from 'vitest'
import { endpointDisplay, isUsable, keyDisplay } from './developers.ts'

const now = Date.parse('2026-05-01T00:00:00Z')

test.each([
  ['Active', null, '2026-06-01T00:00:00Z', true],
  ['Active', null, null, true],
  ['Expires soon', null, '2026-05-15T00:00:00Z', true],
  ['Expired', null, '2026-05-01T00:00:00Z', false],
  ['Revoked', '2026-04-30T00:00:00Z', '2026-06-01T00:00:00Z', false],
])('a key is %s', (label, revoked_at, expires_at, usable) => {
  const key = { revoked_at, expires_at }
  expect(keyDisplay(key, now).label).toBe(label)
  expect(isUsable(key, now)).toBe(usable)
})

test('an endpoint shows why it is disabled, and that it fails before', () => {
  const shown = (state: string, disabled_reason: string | null, failing_since: string | null = null) =>
    endpointDisplay({ state, disabled_reason, failing_since }).label
  expect(shown('enabled', null)).toBe('Enabled')
  expect(shown('enabled', null, '2026-05-01T00:00:00Z')).toBe('Failing')
  expect(shown('disabled', 'by_member')).toBe('Disabled')
  expect(shown('disabled', 'gone')).toContain('410')
  expect(shown('disabled', 'failing')).toContain('5 days')
})
