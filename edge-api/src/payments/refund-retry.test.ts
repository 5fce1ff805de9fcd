import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakePaystack } from '../../test/gateways/fake-paystack.ts'
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
const boss = { id: 'boss', email: 'boss@users.test' }
let fake: Awaited<ReturnType<typeof fakePaystack>>
let setup: TestSetup
beforeEach(async () => {
  fake = await fakePaystack()
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

const bankAccount = () => {
  const [refund] = fake.refunded
  if (!refund) throw new Error('no refund at the gateway')
  return refund
}
const stored = async () => (await setup.rows()).refunds[0]
const retry = (id: string, number = NUMBER, bankId = '174') =>
  retryRefund(setup.ports, setup.database, {
    id,
    actor: boss,
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
  fake.settle(reference, 'success', { amount: 500_100 })
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const id = (await stored())?.id ?? ''
  const approval = { id, actor: boss, bankReference: null, address: '192.0.2.1', requestId: 'r' }
  await approveRefund(setup.ports, setup.database, approval)
  bankAccount().status = 'needs-attention'
  await runAfterAnHour()
  expect(await stored()).toMatchObject({ status: 'needs_attention' })
  return id
}

/** Returns everything that is stored in the database, as one text. */
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
  const unknown = { ...account, number: '1234567890' }
  expect(await findAccountName(setup.ports, setup.database, unknown)).toBeUndefined()

  expect((await retry(id)).refund).toMatchObject({ status: 'approved', note: null })
  expect(fake.accounts).toEqual([{ refund: bankAccount().id, number: NUMBER, bank: '174' }])
  const log = await setup.database.read.select().from(activityLog)
  expect(log.find(({ activity }) => activity === 'Refund account sent')).toMatchObject({
    userEmail: boss.email,
    details: expect.stringContaining("to the payer's bank account"),
  })

  bankAccount().status = 'processed'
  await runAfterAnHour()
  expect(await stored()).toMatchObject({ status: 'processed' })
  const all = `${await readEverythingStored()}${JSON.stringify(setup.ports.lines)}`
  expect(all).toContain(id)
  expect(all).not.toContain(NUMBER)
})

test('if sent twice, the account arrives at the gateway once; a completed refund stays unchanged', async () => {
  const id = await createRefundNeedingAttention()
  await Promise.allSettled([retry(id), retry(id)])
  expect(fake.accounts).toHaveLength(1)
  expect((await retry(id)).refund.status).toBe('approved')
  bankAccount().status = 'processed'
  await runAfterAnHour()
  expect((await retry(id)).refund.status).toBe('processed')
  expect(fake.accounts).toHaveLength(1)
})

test('while a job requeries the refund, no account is sent', async () => {
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
    expect(await stored()).toMatchObject({ status: 'needs_attention', leaseUntil: null })
    fake.server.fault = undefined
    // A gateway that answers 500 has done nothing, but one whose response is lost has executed the call.
    const sent = fault === '500' ? 0 : 1
    expect(fake.accounts).toHaveLength(sent)
    expect((await retry(id)).refund.status).toBe('approved')
    expect(fake.accounts).toHaveLength(1)
  },
)

test('the scheduled job also requeries after a lost response', async () => {
  const id = await createRefundNeedingAttention()
  fake.server.fault = 'closed'
  fake.server.affectedPaths = /retry_with_customer_details/
  await expect(retry(id)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  fake.server.fault = undefined
  setup.ports.time += 61_000
  await runScheduledJobs(setup.ports, setup.database)
  expect(await stored()).toMatchObject({ status: 'approved' })
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

test('if the gateway has completed the refund in the meantime, no account is sent', async () => {
  const id = await createRefundNeedingAttention()
  bankAccount().status = 'processed'
  expect((await retry(id)).refund.status).toBe('processed')
  expect(fake.accounts).toEqual([])
})

test('a refund accepts no account if its gateway cannot send refunds to bank accounts', async () => {
  const id = await createRefundNeedingAttention()
  const { refundAccounts: _, ...without } = setup.ports.gateways.sandbox ?? {}
  setup.ports.gateways = { sandbox: without as (typeof setup.ports.gateways)[string] }
  await expect(retry(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await listRefundBanks(setup.ports, setup.database, id)).toEqual([])
  expect(await findAccountName(setup.ports, setup.database, { id, bankCode: '801', number: NUMBER })).toBe(
    undefined,
  )
  await expect(retry('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('if the list of banks cannot be loaded, this is reported', async () => {
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
