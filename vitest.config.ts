import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import {
  FULL_TEST_TIMEOUT_MS,
  TEST_TIMEOUT_MS,
  WAIT_TIMEOUT_MS,
} from './packages/fixtures/src/hang-guards.ts'
import { otherApiProjects } from './scripts/lib/api-projects.mjs'
import { readStatements } from './scripts/lib/statements.mjs'

const unit = [
  'packages/*/src/**/*.test.{ts,tsx}',
  'mfe-*/src/**/*.test.{ts,tsx}',
  'shell/src/**/*.test.{ts,tsx}',
  'edge-api/src/**/*.test.ts',
  '{scripts,tools}/**/*.test.ts',
]
const api = ['edge-api/src/**/*.api.test.ts']
/**
 * Tests of every screen and component, at every width and in every theme and mode. They are slow, so they only run in
 * `npm run test:full`.
 */
const screens = ['**/*.browser.test.{ts,tsx}']
/** Tests that kill processes, or use millions of rows or hundreds of megabytes. They only run in `npm run test:full`. */
const full = ['edge-api/test/full/**/*.full.test.ts']
const alwaysExcluded = ['**/node_modules/**', '**/dist/**', 'releases/**']

/** Unit tests that `npm test` runs separately. */
const deferred = process.env.LATER_TESTS ? [process.env.LATER_TESTS] : []

const timeoutsOf = (limit: number) => ({
  testTimeout: limit,
  hookTimeout: limit,
  expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
})
const timeouts = timeoutsOf(TEST_TIMEOUT_MS)
// All files of an API project share one portal, and some of them change state that others depend on, such as the fee, so they
// run one after another.
const shared = { ...timeouts, fileParallelism: false }

/**
 * The files that take longest. They are started first: otherwise, one of them could start last and keep the others waiting at
 * the end.
 */
const LONGEST_FILES = new Set(
  [
    'edge-api/src/db/unavailable.test.ts',
    'edge-api/src/payments/faults.test.ts',
    'edge-api/src/runtimes/combinations.test.ts',
    'scripts/reproducible-builds.test.ts',
    'scripts/sparse-checkout.test.ts',
    'shell/e2e/layout-shift.test.ts',
    'shell/e2e/narrow.test.ts',
    'shell/e2e/remotes.test.ts',
    'tools/new.test.ts',
  ].map(file => path.join(import.meta.dirname, file)),
)

/** Starts the longest files of a project first, and then the others in vitest's order. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST_FILES.has(path.normalize(moduleId))
    return [...new Set(sorted.map(({ project }) => project))].flatMap(project => {
      const ownFiles = sorted.filter(file => file.project === project)
      return [...ownFiles.filter(isLongest), ...ownFiles.filter(file => !isLongest(file))]
    })
  }
}

/**
 * The tags of tests: the IDs of the statements that they prove, which are rows of the tables in docs/spec-coverage.md and
 * docs/quality.md. `cells` are the other columns of a row. A test with an unknown tag fails.
 */
const tags = readStatements().map(({ id, cells }) => ({ name: id, description: cells.join(' · ') }))

const apiProject = (name: string, without: string[] = []) => ({
  test: {
    name,
    include: api,
    exclude: [...alwaysExcluded, ...without],
    globalSetup: './edge-api/test/setup-api.ts',
    setupFiles: './edge-api/test/each-file.ts',
    isolate: false,
    ...shared,
    // Only one of these projects runs at a time, and none of them at the same time as the unit tests.
    sequence: { groupOrder: 2 + ['api-deno-file', ...otherApiProjects].indexOf(name) },
  },
})

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    tags,
    // A sparse checkout lacks the documents that define the tags.
    strictTags: tags.length > 0,
    projects: [
      {
        test: {
          name: 'unit',
          include: unit,
          exclude: [...alwaysExcluded, ...api, ...screens, ...deferred],
          unstubGlobals: true,
          unstubEnvs: true,
          setupFiles: './scripts/lib/unstub.ts',
          // Files share a process, because no test leaves process state changed for the others, and loading modules
          // takes more time than most tests.
          isolate: false,
          ...timeouts,
        },
      },
      apiProject('api-deno-file'),
      // The mocks are compared with the API in one project only; other files show that all runtimes behave the same.
      ...otherApiProjects.map(name => apiProject(name, ['**/parity.api.test.ts'])),
      {
        test: {
          name: 'browser',
          include: ['shell/e2e/**/*.test.ts'],
          exclude: [...alwaysExcluded, ...screens],
          globalSetup: './shell/e2e/support/setup.ts',
          ...timeouts,
          // Each worker has its own portal. The project is in a separate group, because all projects of a group share one
          // worker limit.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'screens',
          include: screens,
          exclude: alwaysExcluded,
          globalSetup: './shell/e2e/support/setup.ts',
          ...shared,
        },
      },
      {
        test: {
          name: 'full',
          include: full,
          exclude: alwaysExcluded,
          fileParallelism: false,
          ...timeoutsOf(FULL_TEST_TIMEOUT_MS),
        },
      },
    ],
  },
})
