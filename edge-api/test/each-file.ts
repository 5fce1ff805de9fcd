import { afterAll } from 'vitest'
import { forgetStaffSessions } from './portal.ts'

/*
 * Runs at the end of each file of API tests. Files share a process so that modules are loaded only once, so staff sessions must
 * be forgotten here.
 */
afterAll(forgetStaffSessions)
