import { describe } from 'vitest'
import { defineAccountTests } from './accounts.ts'
import { defineGeneralTests } from './general-behaviour.ts'
import { defineMoneyTests } from './money.ts'
import { defineStaffTests } from './staff.ts'
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

  let defineSchedulerTest: (() => void) | undefined
  describe('money', () => {
    defineSchedulerTest = defineMoneyTests(tester, sharedAccounts).defineSchedulerTest
  })
  describe('accounts', () => defineAccountTests(tester))
  describe('staff', () => defineStaffTests(tester, sharedAccounts))
  describe('general behaviour', () => defineGeneralTests(tester))
  describe('scheduled jobs', () => defineSchedulerTest?.())
}
