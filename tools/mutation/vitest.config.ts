import process from 'node:process'
import { defineConfig } from 'vitest/config'

/**
 * The tests of one area, as `run.mjs` names them; Stryker's own way of naming them (`testFiles`) leaves every mutant
 * alone that is evaluated on import. The files of one run share a worker, which ends with the run: what
 * is evaluated on import is evaluated anew for each mutant, and only once.
 */
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(',') ?? [],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
