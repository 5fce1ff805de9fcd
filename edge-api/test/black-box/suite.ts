import { describe } from 'vitest'
import { accounts } from './accounts.ts'
import { manners } from './manners.ts'
import { money } from './money.ts'
import { staff } from './staff.ts'
import { type Cast, type Subject, testerOf } from './subject.ts'

/** Makes something at its first call, and gives the same again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * The main path and the main refusals of every domain, over HTTP alone: the same on every runtime and every database.
 * Each run makes its own data and leaves the settings as they were, so that runs can share a database.
 */
export function blackBoxSuite(subject: () => Subject): void {
  const tester = testerOf(subject)
  const superAdmin = once(tester.superAdmin)
  const admin = once(async () => (await tester.accountBy(await superAdmin(), { role: 'admin' })).token)
  const someone = once(async () => await tester.accountBy(await admin()))
  const cast: Cast = { superAdmin, admin, someone }

  let settledByTick: (() => void) | undefined
  describe('money', () => {
    settledByTick = money(tester, cast).settledByTick
  })
  describe('accounts', () => accounts(tester))
  describe('staff', () => staff(tester, cast))
  describe('manners', () => manners(tester))
  describe('the scheduled work', () => settledByTick?.())
}
