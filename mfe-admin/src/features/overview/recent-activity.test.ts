import { expect, test } from 'vitest'
import { recentEntries } from './recent-activity.tsx'

const login = { activity: 'User login' }
const other = { activity: 'Payment declined' }
const many = <Entry>(count: number, entry: Entry) => Array.from({ length: count }, () => entry)

test('shows logins only in the space left by other activity', () => {
  expect(recentEntries([...many(20, login), ...many(12, other)])).toEqual(many(10, other))
  expect(recentEntries([login, other, login, ...many(7, other), login])).toEqual([
    login,
    other,
    login,
    ...many(7, other),
  ])
  expect(recentEntries(many(15, login))).toEqual(many(10, login))
})
