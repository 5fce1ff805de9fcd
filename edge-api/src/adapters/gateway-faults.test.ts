import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { gatewaysUnderTest, openWorld, type World } from '../../test/gateways/fault-world.ts'
import { responseFaults } from '../../test/gateways/faults.ts'
import { moneyFaults } from '../../test/gateways/faults-of-money.ts'
import { recount } from '../../test/recount.ts'

/*
 * Tests all 38 faults of docs/quality.md at every gateway, with a fake of the gateway over HTTP and the whole portal. If a
 * fault cannot happen at a gateway, another test proves that it cannot. payments/faults.test.ts covers faults with both services running.
 */

const faults = [...responseFaults, ...moneyFaults]

test('the table contains every fault once', () => {
  expect(faults.map(({ fault }) => fault)).toEqual(Array.from({ length: 38 }, (_, index) => index + 1))
  const incomplete = faults.filter(
    ({ unless, instead }) => (unless === undefined) !== (instead === undefined),
  )
  expect(incomplete).toEqual([])
})

describe.each(gatewaysUnderTest)('$name', entry => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(entry)
  })
  afterAll(async () => {
    // With every fault, the ledger must add up, and no more may be refunded than was received.
    const counted = await recount(world.setup.database.client)
    await world.close()
    expect(counted).toEqual([])
  })
  afterEach(async () => {
    world.recover()
    const { rows } = await world.setup.database.client.execute(
      'select payment_id from ledger_entries group by payment_id having sum(amount_minor) != 0',
    )
    expect(rows).toEqual([])
  })

  test('an exact payment results in one letter and no refund', async () => {
    const { reference } = await world.startApprovedPayment()
    await world.sync(reference)
    await world.sync(reference)
    await world.expectDelivered(reference)
  })

  if (entry.reports.fee)
    test('a fee that the gateway adds for the payer is not an overpayment', async () => {
      const { reference } = await world.startApprovedPayment({ amount: 510_283, fees: 10_283 })
      expect(await world.sync(reference)).toMatchObject({ status: 'paid', passedOnMinor: 10_283 })
      await world.expectDelivered(reference)
    })
  else
    test('if a response states no fee, a refund of any additional amount is due', async () => {
      const { reference } = await world.startApprovedPayment({ amount: 510_283, fees: 10_283 })
      await world.sync(reference)
      expect(await world.readResults(reference)).toEqual({
        letters: 1,
        refundsDue: [['over_payment', 10_283]],
      })
    })

  for (const { fault, behaviour, run, unless, instead } of faults) {
    const tags = [`FAULT-${fault}`]
    const why = unless?.(entry)
    if (why && instead) test(`fault ${fault} cannot happen: ${why}`, { tags }, () => instead(world))
    else test(`fault ${fault}: ${behaviour}`, { tags }, () => run(world))
  }
})
