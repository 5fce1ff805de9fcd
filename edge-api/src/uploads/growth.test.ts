import { afterAll, beforeAll, expect, test } from 'vitest'
import { GrowingPortal, makeJunk } from '../../test/upload-growth.ts'

let portal: GrowingPortal
beforeAll(async () => {
  portal = await GrowingPortal.start()
})
afterAll(() => portal?.stop())

test.each([
  ['done', 'short lines', 1_000_000],
  ['cancelled', 'short lines', 1_000_000],
  ['interrupted', 'short lines', 1_000_000],
] as const)(
  'after invalid rows the database stays small, and the report has every line: %s',
  { tags: ['DATA-21'] },
  async (end, kind, bytes) => {
    const result = await portal.upload(makeJunk(kind, bytes), end)
    expect(result).toMatchObject({ state: end, failed: result.rows, lines: result.rows })
    expect(result.after / (result.before + result.report)).toBeLessThan(1.5)
  },
)
