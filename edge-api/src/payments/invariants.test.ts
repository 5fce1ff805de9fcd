import process from 'node:process'
import { expect, test } from 'vitest'
import { runHistories } from '../../test/payment-histories.ts'

/* `PROPERTY_RUNS` sets the number of runs; `npm run test:full` does hundreds. */

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25)

test(`the invariants hold in ${RUNS} random runs`, {
  tags: [
    'INVARIANT-1',
    'INVARIANT-2',
    'INVARIANT-3',
    'INVARIANT-4',
    'INVARIANT-5',
    'INVARIANT-6',
    'INVARIANT-7',
  ],
}, async () => {
  const totals = await runHistories(RUNS)
  expect(totals.calls).toBeGreaterThan(RUNS * 20)
  expect(totals.refundOrders).toBeGreaterThan(RUNS / 2)
  expect(totals.moreReceived).toBeGreaterThan(RUNS / 12)
  expect(totals.refunded).toBeGreaterThan(RUNS / 12)
  expect(totals.reversed).toBeGreaterThan(RUNS / 12)
  expect(totals.reversalsUndone).toBeGreaterThan(RUNS / 25)
})
