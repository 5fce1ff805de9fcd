import { expect, test } from 'vitest'
import { runHistories } from '../payment-histories.ts'

test('the invariants hold in 300 random runs of payments, callbacks, refunds, reconciliations and crashes', {
  tags: ['INVARIANT-1'],
}, async () => {
  const totals = await runHistories(300, 1000)
  expect(totals.calls).toBeGreaterThan(6000)
  expect(totals.refundOrders).toBeGreaterThan(200)
})
