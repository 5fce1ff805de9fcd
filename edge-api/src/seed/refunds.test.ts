import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { approveRefund } from '../payments/refund-approval.ts'
import { seed } from './seed.ts'

let setup: TestSetup
beforeAll(async () => {
  setup = await openTestSetup()
  await seed({ ...setup.ports, environment: { ...setup.ports.environment, SEED: 'demo' } }, setup.database)
})
afterAll(() => setup.close())

test('the demo has refunds due and completed, and its ledger adds up', async () => {
  const { refunds, ledger, payments } = await setup.readRows()
  expect(refunds.map(({ status }) => status).sort()).toEqual(['due', 'due', 'processed'])
  const sum = (account: string) =>
    ledger.filter(entry => entry.account === account).reduce((total, entry) => total + entry.amountMinor, 0)
  expect(ledger.reduce((total, entry) => total + entry.amountMinor, 0)).toBe(0)
  expect(sum('refund_payable')).toBe(-100_000)
  for (const { paymentId, amountMinor } of refunds) {
    const payment = payments.find(({ id }) => id === paymentId)
    expect(payment).toMatchObject({
      status: 'paid',
      amountPaidMinor: (payment?.amountMinor ?? 0) + amountMinor,
    })
  }
})

test('a refund of a demo payment is completed without a request to a gateway', async () => {
  const actor = await setup.newUser('super_admin')
  const due = (await setup.readRows()).refunds.find(({ status }) => status === 'due')
  const approval = { id: due?.id ?? '', actor, bankReference: 'FT-9', address: '192.0.2.1', requestId: 'r' }
  const { refund } = await approveRefund(setup.ports, setup.database, approval)
  expect(refund.status).toBe('processed')
  const payment = (await setup.readRows()).payments.find(({ id }) => id === refund.paymentId)
  expect(payment).toMatchObject({ status: 'paid', nextRequeryAt: null })
  await runScheduledJobs(setup.ports, setup.database)
  expect(setup.ports.lines.filter(({ event }) => event === 'requery_failed')).toEqual([])
})
