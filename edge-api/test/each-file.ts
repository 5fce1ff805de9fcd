import { afterAll } from 'vitest'
import { forgetStaffSessions } from './portal.ts'

/* Runs at the end of each file of API tests: files share a process, so that modules are loaded once. */
afterAll(forgetStaffSessions)
