import { afterEach, beforeEach, expect, test } from 'vitest'
import '../figure.ts'
import { GrowingPortal, JUNK, type Junk, makeJunk } from '../upload-growth.ts'

/* Tests 35 MB of invalid rows, which once left a file of 1 GB. `uploads/growth.test.ts` tests 1 MB in `npm test`. */

const FILE_BYTES = 35_000_000
/** Maximum size of the database after the upload, relative to its earlier size plus the report. */
const MAX_RATIO = 3

let portal: GrowingPortal
beforeEach(async () => {
  portal = await GrowingPortal.start()
})
afterEach(() => portal?.stop())

const kinds = Object.keys(JUNK) as Junk[]
test.each([
  ...kinds.map(kind => [kind, 'done'] as const),
  ['short lines', 'cancelled'] as const,
  ['short lines', 'interrupted'] as const,
])(
  'after 35 MB of invalid rows the database stays small: %s, %s',
  { tags: ['DATA-21'] },
  async (kind, end) => {
    const left = await portal.upload(makeJunk(kind, FILE_BYTES), end)
    const ratio = left.after / (left.before + left.report)
    console.log(kind, { ...left, ratio: ratio.toFixed(2) })
    expect(left).toMatchObject({ state: end, failed: left.rows, lines: left.rows })
    expect(ratio).toBeLessThan(MAX_RATIO)
  },
)

test('35 MB with more rows than allowed leave nothing in the database', async () => {
  const left = await portal.upload(
    `${'certificate_number,student_name,course,graduation_date,grade,department'}\n${'x\n'.repeat(FILE_BYTES / 2)}`,
  )
  console.log('too many rows', left)
  expect(left).toMatchObject({ state: 'failed', rows: 0, lines: 0 })
  // Up to 256 free pages of 4 kB may stay in the file.
  expect(left.after - left.before).toBeLessThan(2_000_000)
})
