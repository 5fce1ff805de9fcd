import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { responseFaults } from '../../test/gateways/faults.ts'
import { moneyFaults } from '../../test/gateways/faults-of-money.ts'
import {
  type GatewayFixture,
  gatewaysUnderTest,
  openGatewayFixture,
} from '../../test/gateways/gateway-fixture.ts'
import { findCounterDifferences } from '../../test/recount.ts'

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
  let fixture: GatewayFixture
  beforeAll(async () => {
    fixture = await openGatewayFixture(entry)
  })
  afterAll(async () => {
    // With every fault, the ledger must add up, and no more may be refunded than was received.
    const counted = await findCounterDifferences(fixture.setup.database.client)
    await fixture.close()
    expect(counted).toEqual([])
  })
  afterEach(async () => {
    fixture.recover()
    const { rows } = await fixture.setup.database.client.execute(
      'select payment_id from ledger_entries group by payment_id having sum(amount_minor) != 0',
    )
    expect(rows).toEqual([])
  })

  test('an exact payment results in one letter and no refund', async () => {
    const { reference } = await fixture.startApprovedPayment()
    await fixture.sync(reference)
    await fixture.sync(reference)
    await fixture.expectDelivered(reference)
  })

  if (entry.reports.fee)
    test('a fee that the gateway adds for the payer is not an overpayment', async () => {
      const { reference } = await fixture.startApprovedPayment({ amount: 510_283, fees: 10_283 })
      expect(await fixture.sync(reference)).toMatchObject({ status: 'paid', passedOnMinor: 10_283 })
      await fixture.expectDelivered(reference)
    })
  else
    test('if a response states no fee, a refund of any additional amount is due', async () => {
      const { reference } = await fixture.startApprovedPayment({ amount: 510_283, fees: 10_283 })
      await fixture.sync(reference)
      expect(await fixture.readResults(reference)).toEqual({
        letters: 1,
        refundsDue: [['over_payment', 10_283]],
      })
    })

  for (const { fault, behaviour, run, unless, instead } of faults) {
    const tags = [`FAULT-${fault}`]
    const why = unless?.(entry)
    if (why && instead) test(`fault ${fault} cannot happen: ${why}`, { tags }, () => instead(fixture))
    else test(`fault ${fault}: ${behaviour}`, { tags }, () => run(fixture))
  }
})
