import { expect, test } from 'vitest'
import { selectRecentEntries } from './recent-activity.tsx'

const login = { activity: 'User login' }
const otherActivity = { activity: 'Payment declined' }
const repeat = <Entry>(count: number, entry: Entry) => Array.from({ length: count }, () => entry)

test('shows logins only if there are too few other entries to fill the list', () => {
  expect(selectRecentEntries([...repeat(20, login), ...repeat(12, otherActivity)])).toEqual(
    repeat(10, otherActivity),
  )
  expect(selectRecentEntries([login, otherActivity, login, ...repeat(7, otherActivity), login])).toEqual([
    login,
    otherActivity,
    login,
    ...repeat(7, otherActivity),
  ])
  expect(selectRecentEntries(repeat(15, login))).toEqual(repeat(10, login))
})
