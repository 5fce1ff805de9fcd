import { afterEach, beforeEach, expect, test } from 'vitest'
import '../task-meta.ts'
import { GrowingPortal, JUNK, type Junk, makeJunk } from '../upload-growth.ts'

/* Tests 35 MB of invalid rows, which once left a database file of 1 GB. `uploads/growth.test.ts` tests 1 MB in `npm test`. */

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
  'keeps the database small after 35 MB of invalid rows: %s, upload %s',
  { tags: ['DATA-21'] },
  async (kind, state) => {
    const result = await portal.upload(makeJunk(kind, FILE_BYTES), state)
    const ratio = result.after / (result.before + result.report)
    console.log(kind, { ...result, ratio: ratio.toFixed(2) })
    expect(result).toMatchObject({ state, failed: result.rows, lines: result.rows })
    expect(ratio).toBeLessThan(MAX_RATIO)
  },
)

test('stores no rows of a 35 MB file that has more rows than allowed', async () => {
  const result = await portal.upload(
    `${'certificate_number,student_name,course,graduation_date,grade,department'}\n${'x\n'.repeat(FILE_BYTES / 2)}`,
  )
  console.log('too many rows', result)
  expect(result).toMatchObject({ state: 'failed', rows: 0, lines: 0 })
  // Up to 256 free pages of 4 kB may stay in the file.
  expect(result.after - result.before).toBeLessThan(2_000_000)
})
