import { defineConfig } from 'vitest/config'

const unit = [
  'packages/*/src/**/*.test.{ts,tsx}',
  'mfe-*/src/**/*.test.{ts,tsx}',
  'shell/src/**/*.test.{ts,tsx}',
  'edge-api/src/**/*.test.ts',
  'scripts/**/*.test.ts',
]
const api = ['edge-api/src/**/*.api.test.ts']
/** Screens on the mocks and every component, in every width and theme: minutes, so only `npm run test:full`. */
const screens = ['**/*.browser.test.{ts,tsx}']
/** Kills, millions of rows, hundreds of megabytes: only `npm run test:full`. */
const full = ['edge-api/test/full/**/*.full.test.ts']
const never = ['**/node_modules/**', '**/dist/**', 'releases/**']

/** Generous: a machine half as fast, doing other things, must pass too. */
const patient = { testTimeout: 60_000, hookTimeout: 180_000 }
// The files of an API project share one portal, and some change what all see, as the fee.
const shared = { ...patient, fileParallelism: false }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: unit, exclude: [...never, ...api, ...screens], ...patient } },
      {
        test: {
          name: 'api-deno-file',
          include: api,
          exclude: never,
          globalSetup: './edge-api/test/setup-deno-file.ts',
          ...shared,
        },
      },
      {
        test: {
          name: 'api-worker-sqld',
          include: api,
          // The mocks are compared with the API once; that both runtimes answer alike the other files show.
          exclude: [...never, '**/parity.api.test.ts'],
          globalSetup: './edge-api/test/setup-worker-sqld.ts',
          ...shared,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['shell/e2e/**/*.test.ts'],
          exclude: never,
          globalSetup: './shell/e2e/support/setup.ts',
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'screens',
          include: screens,
          exclude: never,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'full',
          include: full,
          exclude: never,
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
