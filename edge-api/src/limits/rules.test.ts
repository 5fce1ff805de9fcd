import { expect, test } from 'vitest'
import { allowanceOf, limited, limits, slotOf, subjectOf } from './rules.ts'

test('the numbers are the contract’s', () => {
  const minute = 60_000
  expect(limits.login_account).toMatchObject({ max: 10, window: 15 * minute, onFailure: 'refuse' })
  expect(limits.login_address).toMatchObject({ max: 50, window: 15 * minute, onFailure: 'refuse' })
  expect(limits.mail_address).toMatchObject({ max: 5, window: 60 * minute })
  expect(limits.mail_recipient).toMatchObject({ max: 5, window: 60 * minute })
  expect(limits.public_tracking).toMatchObject({ max: 30, window: minute, onFailure: 'admit' })
  expect(limits.certificate_misses).toMatchObject({ max: 20, window: 60 * minute })
  expect(limits.certificate_unpaid).toMatchObject({ max: 100, window: 60 * minute })
})

test('RATE_LIMIT_SCALE multiplies, and never forbids everything', () => {
  expect(allowanceOf('login_account', 1)).toBe(10)
  expect(allowanceOf('login_account', 2.5)).toBe(25)
  expect(allowanceOf('login_account', 0.001)).toBe(1)
})

test('a slot is a sixtieth of the window', () => {
  expect(slotOf('public_tracking', 61_999)).toBe(61_000)
  expect(slotOf('login_account', 29_999)).toBe(15_000)
})

test('Retry-After is when the oldest hit is forgotten', () => {
  expect(limited('public_tracking', { used: 30, oldest: 10_000 }, 40_000).retryAfter).toBe(30)
  expect(limited('public_tracking', { used: 30, oldest: 10_000 }, 69_999).retryAfter).toBe(1)
})

test('an IPv6 client counts as its network, an IPv4 one as itself', () => {
  const of = (address: string) => subjectOf('login_address', address)
  expect(of('203.0.113.7')).toBe('203.0.113.7')
  expect(of('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(of('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(of('2001:DB8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(of('2001:0db8:0001:0002::')).toBe('2001:db8:1:2::/64')
  expect(of('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(of('::1')).toBe('0:0:0:0::/64')
  expect(of('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

test('an e-mail counts however it is written', () => {
  expect(subjectOf('login_account', 'User@Demo.Test')).toBe('user@demo.test')
})
