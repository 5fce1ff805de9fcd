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
  async function attempt(outcome?: 'failed' | 'cancelled' | 'succeeded') {
    const user = await setup.newUser()
    const started = await setup.start(user, number)
    if (started.kind !== 'initiated') throw new Error(`not initiated: ${started.kind}`)
    const reference = started.payment.providerReference
    if (outcome) {
      setup.gateway.end(reference, outcome)
      await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
    }
    return await countPayments(setup.database.read, { userId: user.id })
  }
  const verified = () => countVerifications(setup.database.read, { number })
  for (const outcome of [undefined, 'failed', 'cancelled'] as const)
    expect(await attempt(outcome)).toEqual({ payments: 1, verifications: 0 })
  expect(await verified()).toBe(0)
  expect(await attempt('succeeded')).toEqual({ payments: 1, verifications: 1 })
  expect(await verified()).toBe(1)
})
