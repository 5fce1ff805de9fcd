import { disputeStates } from '@portal/contract/admin-disputes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { disputes as table } from '../db/schema/disputes.ts'
import { seed } from './seed.ts'

let setup: TestSetup
beforeAll(async () => {
  setup = await openTestSetup()
  await seed({ ...setup.ports, environment: { ...setup.ports.environment, SEED: 'demo' } }, setup.database)
})
afterAll(() => setup.close())

test('the demo has disputes in every state, with their reserved and lost amounts in the ledger', async () => {
  const disputes = await setup.database.read.select().from(table)
  expect(new Set(disputes.map(({ state }) => state))).toEqual(new Set(disputeStates))
  const { ledger } = await setup.readRows()
  for (const { paymentId, heldMinor, lostMinor } of disputes) {
    const own = ledger.filter(entry => entry.paymentId === paymentId)
    const sum = (matches: (entry: (typeof own)[number]) => boolean) =>
      own.filter(matches).reduce((total, entry) => total + entry.amountMinor, 0)
    expect(sum(() => true)).toBe(0)
    expect(sum(({ account }) => account === 'disputes')).toBe(heldMinor)
    expect(sum(({ account, reason }) => account === 'revenue' && reason === 'dispute_lost')).toBe(lostMinor)
  }
})
