import { describe } from 'vitest'
import { accounts } from './accounts.ts'
import { generalBehaviour } from './general-behaviour.ts'
import { money } from './money.ts'
import { staff } from './staff.ts'
import { createTester, type SharedAccounts, type Subject } from './subject.ts'

/** Returns a function that calls `make` at most once, and returns the same promise each time. */
function memoise<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= make()
    return result
  }
}

/**
 * Defines tests of the main successes and refusals of every domain. They use only HTTP, so they are the same on every runtime
 * and database. A run creates its own data and restores the settings, so that runs can share a database.
 */
export function defineBlackBoxSuite(subject: () => Subject): void {
  const tester = createTester(subject)
  const superAdmin = memoise(tester.superAdmin)
  const admin = memoise(async () => (await tester.accountBy(await superAdmin(), { role: 'admin' })).token)
  const someone = memoise(async () => await tester.accountBy(await admin()))
  const sharedAccounts: SharedAccounts = { superAdmin, admin, someone }

  let syncedByScheduler: (() => void) | undefined
  describe('money', () => {
    syncedByScheduler = money(tester, sharedAccounts).syncedByScheduler
  })
  describe('accounts', () => accounts(tester))
  describe('staff', () => staff(tester, sharedAccounts))
  describe('general behaviour', () => generalBehaviour(tester))
  describe('scheduled jobs', () => syncedByScheduler?.())
}
