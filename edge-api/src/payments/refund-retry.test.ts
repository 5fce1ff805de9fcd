import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakePaystack } from '../../test/gateways/fake-paystack.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { paystackGateway } from '../adapters/gateway-paystack.ts'
import { activityLog } from '../db/schema/activity.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { approveRefund } from './refund-approval.ts'
import { findAccountName, listRefundBanks, retryRefund } from './refund-retry.ts'
import { syncWithGateway } from './sync.ts'

/*
 * Tests refunds that need attention and are sent to the payer's bank account, from the core through the adapter to a fake
 * Paystack.
 */

const NUMBER = '0022728151'
const superAdmin = { id: 'boss', email: 'boss@users.test' }
let fake: Awaited<ReturnType<typeof startFakePaystack>>
let setup: TestSetup
beforeEach(async () => {
  fake = await startFakePaystack()
  setup = await openTestSetup()
  const { url } = fake.server
  const { secretKey } = fake
  const paystack = paystackGateway({ url, checkoutUrl: url, secretKey, fetch, allowLoopback: true })
  // Payments of the test set-up are started at its default provider, so Paystack takes its place.
  setup.ports.gateways = { sandbox: paystack }
})
afterEach(async () => {
  await setup.close()
  await fake.server.close()
})

const requireGatewayRefund = () => {
  const [refund] = fake.refunded
  if (!refund) throw new Error('no refund at the gateway')
  return refund
}
const readRefund = async () => (await setup.readRows()).refunds[0]
const retry = (id: string, number = NUMBER, bankId = '174') =>
  retryRefund(setup.ports, setup.database, {
    id,
    actor: superAdmin,
    account: { bankId, number },
    address: '192.0.2.1',
    requestId: 'r',
  })

async function runAfterAnHour() {
  setup.ports.time += 3_600_000
  await runScheduledJobs(setup.ports, setup.database)
}

/** Creates a refund that the gateway could not return to the payment method. */
async function createRefundNeedingAttention(): Promise<string> {
  const { reference } = await setup.newPayment()
  fake.endPayment(reference, 'success', { amount: 500_100 })
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const id = (await readRefund())?.id ?? ''
  const approval = { id, actor: superAdmin, bankReference: null, address: '192.0.2.1', requestId: 'r' }
  await approveRefund(setup.ports, setup.database, approval)
  requireGatewayRefund().status = 'needs-attention'
  await runAfterAnHour()
  expect(await readRefund()).toMatchObject({ status: 'needs_attention' })
  return id
}

/** Returns all rows of the database as JSON. */
async function readEverythingStored(): Promise<string> {
  const { client } = setup.database
  const tables = await client.execute("select name from sqlite_master where type = 'table'")
  const rows = await Promise.all(
    tables.rows.map(async ({ name }) => (await client.execute(`select * from "${name}"`)).rows),
  )
  return JSON.stringify(rows)
}

test('the bank account is sent to the gateway and stored nowhere, and the refund is processed', async () => {
  const id = await createRefundNeedingAttention()
  expect(await listRefundBanks(setup.ports, setup.database, id)).toEqual([
    { id: '174', code: '801', name: 'Abbey Mortgage Bank' },
    { id: '173', code: '559', name: 'Coronation Merchant Bank' },
    { id: '170', code: '50746', name: 'Petra Mircofinance Bank Plc' },
  ])
  const account = { id, bankCode: '801', number: NUMBER }
  expect(await findAccountName(setup.ports, setup.database, account)).toBe('WES GIBBONS')
  const unknownAccount = { ...account, number: '1234567890' }
  expect(await findAccountName(setup.ports, setup.database, unknownAccount)).toBeUndefined()

  expect((await retry(id)).refund).toMatchObject({ status: 'approved', note: null })
  expect(fake.accounts).toEqual([{ refund: requireGatewayRefund().id, number: NUMBER, bank: '174' }])
  const log = await setup.database.read.select().from(activityLog)
  expect(log.find(({ activity }) => activity === 'Refund account sent')).toMatchObject({
    userEmail: superAdmin.email,
    details: expect.stringContaining("to the payer's bank account"),
  })

  requireGatewayRefund().status = 'processed'
  await runAfterAnHour()
  expect(await readRefund()).toMatchObject({ status: 'processed' })
  const all = `${await readEverythingStored()}${JSON.stringify(setup.ports.lines)}`
  expect(all).toContain(id)
  expect(all).not.toContain(NUMBER)
})

test('a bank account sent twice at once reaches the gateway once, and a processed refund stays unchanged', async () => {
  const id = await createRefundNeedingAttention()
  await Promise.allSettled([retry(id), retry(id)])
  expect(fake.accounts).toHaveLength(1)
  expect((await retry(id)).refund.status).toBe('approved')
  requireGatewayRefund().status = 'processed'
  await runAfterAnHour()
  expect((await retry(id)).refund.status).toBe('processed')
  expect(fake.accounts).toHaveLength(1)
})

test('while a job requeries the refund, no bank account is sent', async () => {
  const id = await createRefundNeedingAttention()
  await setup.database.client.execute(`update refunds set lease_until = ${setup.ports.time + 30_000}`)
  await expect(retry(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(fake.accounts).toEqual([])
})

test.each(['closed', 'html', '500', '429'] as const)(
  'after the failure "%s", the refund is requeried before anything is sent again',
  async fault => {
    const id = await createRefundNeedingAttention()
    fake.server.fault = fault
    fake.server.affectedPaths = /retry_with_customer_details/
    await expect(retry(id)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
    expect(await readRefund()).toMatchObject({ status: 'needs_attention', leaseUntil: null })
    fake.server.fault = undefined
    // A gateway that answers 500 has done nothing, but one whose response is lost has executed the call.
    const accountsSent = fault === '500' ? 0 : 1
    expect(fake.accounts).toHaveLength(accountsSent)
    expect((await retry(id)).refund.status).toBe('approved')
    expect(fake.accounts).toHaveLength(1)
  },
)

test('the scheduled job requeries a refund after a lost response', async () => {
  const id = await createRefundNeedingAttention()
  fake.server.fault = 'closed'
  fake.server.affectedPaths = /retry_with_customer_details/
  await expect(retry(id)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  fake.server.fault = undefined
  setup.ports.time += 61_000
  await runScheduledJobs(setup.ports, setup.database)
  expect(await readRefund()).toMatchObject({ status: 'approved' })
  expect(fake.accounts).toHaveLength(1)
})

test('a bank account that the gateway rejects can be corrected and sent again', async () => {
  const id = await createRefundNeedingAttention()
  await expect(retry(id, NUMBER, '999')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    fields: { account_number: expect.stringContaining('did not accept') },
  })
  expect((await retry(id)).refund.status).toBe('approved')
})

test('if the gateway has completed the refund in the meantime, no bank account is sent', async () => {
  const id = await createRefundNeedingAttention()
  requireGatewayRefund().status = 'processed'
  expect((await retry(id)).refund.status).toBe('processed')
  expect(fake.accounts).toEqual([])
})

test('no bank account is accepted for a refund whose gateway cannot send refunds to bank accounts', async () => {
  const id = await createRefundNeedingAttention()
  const { refundAccounts: _, ...rest } = setup.ports.gateways.sandbox ?? {}
  setup.ports.gateways = { sandbox: rest as (typeof setup.ports.gateways)[string] }
  await expect(retry(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await listRefundBanks(setup.ports, setup.database, id)).toEqual([])
  expect(await findAccountName(setup.ports, setup.database, { id, bankCode: '801', number: NUMBER })).toBe(
    undefined,
  )
  await expect(retry('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('reports GATEWAY_UNAVAILABLE if the list of banks or the account name cannot be loaded', async () => {
  const id = await createRefundNeedingAttention()
  fake.server.fault = '500'
  await expect(listRefundBanks(setup.ports, setup.database, id)).rejects.toMatchObject({
    code: 'GATEWAY_UNAVAILABLE',
  })
  const account = { id, bankCode: '801', number: NUMBER }
  await expect(findAccountName(setup.ports, setup.database, account)).rejects.toMatchObject({
    code: 'GATEWAY_UNAVAILABLE',
  })
})
