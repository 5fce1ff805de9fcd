import process from 'node:process'
import { defineConfig } from 'vitest/config'

/**
 * The tests of one area, set by `run.mjs`; Stryker's own option (`testFiles`) skips mutants evaluated on import. The files
 * of one run share a worker, which ends with the run, so code evaluated on import is evaluated once for each mutant.
 */
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(',') ?? [],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
