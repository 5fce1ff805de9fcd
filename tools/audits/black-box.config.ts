import path from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: path.join(import.meta.dirname, '../..'),
    include: ['edge-api/test/black-box/named-portal.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
