import { expect, test } from 'vitest'
import {
  allowanceOf,
  createRateLimitFault,
  limits,
  normaliseSubject,
  slotOf,
  windowStartOf,
} from './rules.ts'

test('the limits have their documented values; if the counters fail, those for passwords, mail and personal data refuse requests', () => {
  const [minute, hour] = [60_000, 3_600_000]
  const rows = Object.entries(limits).map(([name, { max, window, per, onFailure }]) => [
    name,
    max,
    window,
    per,
    onFailure,
  ])
  expect(rows).toEqual([
    ['login_account', 10, 15 * minute, 'email', 'refuse'],
    ['login_device', 10, 15 * minute, 'account', 'refuse'],
    ['login_address', 50, 15 * minute, 'address', 'refuse'],
    ['current_password', 10, 15 * minute, 'account', 'refuse'],
    ['register_address', 5, hour, 'address', 'refuse'],
    ['register_email', 5, hour, 'email', 'refuse'],
    ['mail_address', 5, hour, 'address', 'refuse'],
    ['mail_recipient', 5, hour, 'email', 'refuse'],
    ['public_tracking', 30, minute, 'address', 'admit'],
    ['certificate_misses', 20, hour, 'account', 'admit'],
    ['certificate_unpaid', 100, hour, 'account', 'admit'],
    ['payment_starts', 100, hour, 'account', 'admit'],
    ['payment_returns', 60, minute, 'address', 'admit'],
    ['transaction_misses', 30, minute, 'account', 'admit'],
    ['letter_checks', 60, minute, 'address', 'admit'],
    ['letter_files', 30, minute, 'address', 'admit'],
    ['letter_archives', 20, hour, 'account', 'admit'],
    ['data_exports', 10, hour, 'account', 'refuse'],
    ['letter_mails', 20, hour, 'account', 'refuse'],
    ['front_end_reports', 60, minute, 'address', 'admit'],
    ['organisation_invitations', 20, hour, 'account', 'refuse'],
    ['organisation_misses', 200, hour, 'account', 'admit'],
    ['invitation_links', 60, minute, 'address', 'admit'],
    ['api_key', 120, minute, 'account', 'admit'],
    ['api_key_misses', 60, minute, 'address', 'admit'],
    ['letter_misses', 20, hour, 'address', 'admit'],
  ])
})

test('RATE_LIMIT_SCALE multiplies limits, which are at least one', () => {
  expect(allowanceOf('login_account', 1)).toBe(10)
  expect(allowanceOf('login_account', 2.5)).toBe(25)
  expect(allowanceOf('login_account', 0.001)).toBe(1)
})

test('a slot is a sixtieth of the window', () => {
  expect(slotOf('public_tracking', 61_999)).toBe(61_000)
  expect(slotOf('login_account', 29_999)).toBe(15_000)
})

test('counts slots that began within the window', () => {
  expect(windowStartOf('public_tracking', 100_000)).toBe(40_000)
})

test('Retry-After is the time until the oldest hit expires', () => {
  expect(createRateLimitFault('public_tracking', { used: 30, oldest: 10_000 }, 40_000).retryAfter).toBe(30)
  expect(createRateLimitFault('public_tracking', { used: 30, oldest: 10_000 }, 69_999).retryAfter).toBe(1)
  expect(createRateLimitFault('public_tracking', { used: 30, oldest: undefined }, 40_000).retryAfter).toBe(60)
  expect(createRateLimitFault('public_tracking', { used: 30, oldest: 10_000 }, 40_000).code).toBe(
    'RATE_LIMITED',
  )
})

test('an IPv6 client is identified by its network, and an IPv4 client by its address', () => {
  const subjectOfAddress = (address: string) => normaliseSubject('login_address', address)
  expect(subjectOfAddress('203.0.113.7')).toBe('203.0.113.7')
  expect(subjectOfAddress('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(subjectOfAddress('::FFFF:cb00:7107')).toBe('203.0.113.7')
  expect(subjectOfAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(subjectOfAddress('2001:DB8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(subjectOfAddress('2001:0db8:0001:0002::')).toBe('2001:db8:1:2::/64')
  expect(subjectOfAddress('2001:db8::1')).toBe('2001:db8::/64')
  expect(subjectOfAddress('::1')).toBe('::/64')
  expect(subjectOfAddress('fe80::1%eth0')).toBe('fe80::/64')
  expect(subjectOfAddress('2001:db8:0100:0000::1')).toBe('2001:db8:100::/64')
  expect(subjectOfAddress('1::3:4:5:6:7:8')).toBe('1:0:3:4::/64')
  expect(subjectOfAddress('unknown')).toBe('unknown')
})

test('an account is identified by its ID', () => {
  expect(normaliseSubject('certificate_misses', '2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2:3:4:5:6')
})

test('an email address is identified without regard to case', () => {
  expect(normaliseSubject('login_account', 'User@Demo.Test')).toBe('user@demo.test')
})
