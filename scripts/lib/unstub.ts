import { afterAll, vi } from 'vitest'

/*
 * Runs at the end of each unit test file and removes its stubs. Files share processes, and vitest itself only restores what a
 * test has stubbed before the next test, which is after the `beforeAll` of the next file.
 */
afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
