import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { countPayments } from '../accounts/detail-store.ts'
import { countVerifications } from '../certificates/detail-store.ts'
import { syncWithGateway } from './sync.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

test('open, declined and cancelled payments are attempts, and only paid ones are verifications', async () => {
  const number = await bench.newCertificate()
  async function attempt(outcome?: 'failed' | 'cancelled' | 'succeeded') {
    const user = await bench.newUser()
    const started = await bench.start(user, number)
    if (started.kind !== 'initiated') throw new Error(`not initiated: ${started.kind}`)
    const reference = started.payment.providerReference
    if (outcome) {
      bench.gateway.end(reference, outcome)
      await syncWithGateway(bench.ports, bench.database, { reference }, 'webhook')
    }
    return await countPayments(bench.database.read, { userId: user.id })
  }
  const verified = () => countVerifications(bench.database.read, { number })
  for (const outcome of [undefined, 'failed', 'cancelled'] as const)
    expect(await attempt(outcome)).toEqual({ payments: 1, verifications: 0 })
  expect(await verified()).toBe(0)
  expect(await attempt('succeeded')).toEqual({ payments: 1, verifications: 1 })
  expect(await verified()).toBe(1)
})
