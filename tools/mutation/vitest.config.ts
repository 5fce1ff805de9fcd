import process from 'node:process'
import { defineConfig } from 'vitest/config'

/**
 * Runs the tests of one area, which `run.mjs` sets; Stryker's own option (`testFiles`) skips mutants that are evaluated on
 * import. The files of one run share a worker, which ends with the run, so code that is evaluated on import is evaluated once
 * for each mutant.
 */
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(',') ?? [],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
