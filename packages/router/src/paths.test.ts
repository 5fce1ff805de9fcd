import { expect, it } from 'vitest'
import { isDashboardScreen, pathOfHash, paths } from './paths.ts'

it('returns the screen for an old hash route', { tags: ['SPEC-2.6'] }, () => {
  expect(pathOfHash('#verify')).toBe('/dashboard/verify')
  expect(pathOfHash('#/admin/activity-logs')).toBe('/dashboard/logs')
  expect(['', '#about', '#constructor'].map(pathOfHash)).toEqual([undefined, undefined, undefined])
})

it('encodes values in paths', () => {
  expect(paths.verifyEmail('a/b?c')).toBe('/verify-email/a%2Fb%3Fc')
  expect(paths.dashboard()).toBe('/dashboard')
})

it('recognises paths of dashboard screens', () => {
  expect(['/dashboard/history?page=2', paths.receipt('CVF1')].every(isDashboardScreen)).toBe(true)
  for (const path of [
    '',
    '/',
    '/dashboard',
    '/dashboards/x',
    '//dashboard/x',
    'https://a.test/dashboard/x',
  ]) {
    expect(isDashboardScreen(path), path).toBe(false)
  }
})
