import { afterAll, vi } from 'vitest'

/*
 * Runs at the end of each unit test file. Files share processes, and vitest itself restores what a test stubbed only before the next test,
 * which is after the `beforeAll` of the next file.
 */
afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
