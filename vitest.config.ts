import { defineConfig } from 'vitest/config'
import { FULL_TEST_HANGS, TEST_HANGS, WAIT_HANGS } from './packages/fixtures/src/hang-guards.ts'
import { otherApiProjects } from './scripts/lib/api-projects.mjs'
import { statements } from './scripts/lib/statements.mjs'

const unit = [
  'packages/*/src/**/*.test.{ts,tsx}',
  'mfe-*/src/**/*.test.{ts,tsx}',
  'shell/src/**/*.test.{ts,tsx}',
  'edge-api/src/**/*.test.ts',
  '{scripts,tools}/**/*.test.ts',
]
const api = ['edge-api/src/**/*.api.test.ts']
/** Every screen and component, in every width, theme and manner: minutes, so only `npm run test:full`. */
const screens = ['**/*.browser.test.{ts,tsx}']
/** Kills, millions of rows, hundreds of megabytes: only `npm run test:full`. */
const full = ['edge-api/test/full/**/*.full.test.ts']
const never = ['**/node_modules/**', '**/dist/**', 'releases/**']

const patientFor = (limit: number) => ({
  testTimeout: limit,
  hookTimeout: limit,
  expect: { poll: { timeout: WAIT_HANGS } },
})
const patient = patientFor(TEST_HANGS)
// The files of an API project share one portal, and some change what all see, as the fee.
const shared = { ...patient, fileParallelism: false }

/** A test carries the ids of the statements that it shows; an unknown one fails it. */
const tags = statements().map(({ id, cells }) => ({ name: id, description: cells.join(' · ') }))

const apiOn = (name: string, without: string[] = []) => ({
  test: {
    name,
    include: api,
    exclude: [...never, ...without],
    globalSetup: './edge-api/test/setup-api.ts',
    ...shared,
  },
})

export default defineConfig({
  test: {
    tags,
    // A sparse checkout is without the documents.
    strictTags: tags.length > 0,
    projects: [
      {
        test: {
          name: 'unit',
          include: unit,
          exclude: [...never, ...api, ...screens],
          // A process keeps what it has imported for its next file: half of the time of short files.
          isolate: false,
          unstubGlobals: true,
          unstubEnvs: true,
          ...patient,
        },
      },
      apiOn('api-deno-file'),
      // The mocks are compared with the API once; that all runtimes answer alike the other files show.
      ...otherApiProjects.map(name => apiOn(name, ['**/parity.api.test.ts'])),
      {
        test: {
          name: 'browser',
          include: ['shell/e2e/**/*.test.ts'],
          exclude: [...never, ...screens],
          globalSetup: './shell/e2e/support/setup.ts',
          ...shared,
        },
      },
      {
        test: {
          name: 'screens',
          include: screens,
          exclude: never,
          globalSetup: './shell/e2e/support/setup.ts',
          ...shared,
        },
      },
      {
        test: {
          name: 'full',
          include: full,
          exclude: never,
          fileParallelism: false,
          ...patientFor(FULL_TEST_HANGS),
        },
      },
    ],
  },
})
