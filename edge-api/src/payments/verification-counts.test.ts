import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { countPayments } from '../accounts/detail-store.ts'
import { countVerifications } from '../certificates/detail-store.ts'
import { syncWithGateway } from './sync.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

test('open, declined and cancelled payments count as attempts, and only paid ones as verifications', async () => {
  const number = await setup.newCertificate()
  async function payAndCount(outcome?: 'failed' | 'cancelled' | 'succeeded') {
    const user = await setup.newUser()
    const result = await setup.startPayment(user, number)
    if (result.kind !== 'initiated') throw new Error(`not initiated: ${result.kind}`)
    const reference = result.payment.providerReference
    if (outcome) {
      setup.gateway.setOutcome(reference, outcome)
      await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
    }
    return await countPayments(setup.database.read, { userId: user.id })
  }
  const countVerified = () => countVerifications(setup.database.read, { number })
  for (const outcome of [undefined, 'failed', 'cancelled'] as const)
    expect(await payAndCount(outcome)).toEqual({ payments: 1, verifications: 0 })
  expect(await countVerified()).toBe(0)
  expect(await payAndCount('succeeded')).toEqual({ payments: 1, verifications: 1 })
  expect(await countVerified()).toBe(1)
})
