import { disputeStates } from '@portal/contract/admin-disputes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { disputes as table } from '../db/schema/disputes.ts'
import { seed } from './seed.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
  await seed({ ...bench.ports, environment: { ...bench.ports.environment, SEED: 'demo' } }, bench.database)
})
afterAll(() => bench.close())

test('the demo has disputes in every state, with their reserved and lost amounts in the ledger', async () => {
  const disputes = await bench.database.read.select().from(table)
  expect(new Set(disputes.map(({ state }) => state))).toEqual(new Set(disputeStates))
  const { ledger } = await bench.rows()
  for (const { paymentId, heldMinor, lostMinor } of disputes) {
    const own = ledger.filter(entry => entry.paymentId === paymentId)
    const sum = (matches: (entry: (typeof own)[number]) => boolean) =>
      own.filter(matches).reduce((total, entry) => total + entry.amountMinor, 0)
    expect(sum(() => true)).toBe(0)
    expect(sum(({ account }) => account === 'disputes')).toBe(heldMinor)
    expect(sum(({ account, reason }) => account === 'revenue' && reason === 'dispute_lost')).toBe(lostMinor)
  }
})
