import { afterAll } from 'vitest'
import { forgetStaffSessions } from './portal.ts'

/*
 * Runs at the end of each API test file. The files share one process, which loads modules only once, so staff sessions must be
 * forgotten here.
 */
afterAll(forgetStaffSessions)
