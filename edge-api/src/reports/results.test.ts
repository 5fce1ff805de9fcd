import { afterEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { seed } from '../seed/seed.ts'
import { listHistory } from '../verification/history-store.ts'
import { toHistoryRecord } from '../verification/replies.ts'
import { reportDaysOf } from './rules.ts'
import { countAuthentications, listAuthentications } from './store.ts'

/* Compares the result stored with every item with the payers' own histories. */

const MINUTE = 60_000
let setup: TestSetup
afterEach(() => setup.close())

const sync = (reference: string) => syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
const all = { result: undefined, search: '', from: undefined, before: undefined }

/** Returns every item's result and time, as computed for the account's history. */
async function readResultsFromHistories(): Promise<Map<string, [result: string, at: string]>> {
  const { rows } = await setup.database.client.execute('select distinct user_id from payment_items')
  const found = new Map<string, [string, string]>()
  for (const { user_id } of rows) {
    const { rows: views } = await listHistory(setup.database.read, {
      userId: String(user_id),
      search: '',
      outcome: undefined,
      from: undefined,
      before: undefined,
      sort: '-created_at',
      unfilteredTotal: 1000,
      page: 1,
      perPage: 1000,
    })
    for (const view of views) {
      const record = toHistoryRecord(view, 'http://localhost:8080')
      found.set(record.id, [record.authentication_result, record.authenticated_at])
    }
  }
  return found
}

async function expectAgreement(): Promise<void> {
  const rows = await listAuthentications(setup.database.read, { ...all, limit: 10_000 })
  const storedResults = new Map(
    rows.map(({ item }) => [item.id, [item.result, new Date(item.resultAt).toISOString()]]),
  )
  expect(storedResults).toEqual(await readResultsFromHistories())
}

async function listResults(number: string) {
  const rows = await listAuthentications(setup.database.read, { ...all, search: number, limit: 10 })
  return rows.map(row => row.item.result)
}

test('the results stored in the demo data agree with the histories', async () => {
  setup = await openTestSetup()
  await seed(setup.ports, setup.database)
  await expectAgreement()
  const results = await Promise.all(
    (['success', 'failed', 'pending'] as const).map(result =>
      countAuthentications(setup.database.read, { ...all, result }),
    ),
  )
  expect(results[0]).toBeGreaterThan(100)
  expect(results[1]).toBeGreaterThan(5)
})

test.each([
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['succeeded', 'success'],
  ['failed', 'failed'],
  ['cancelled', 'failed'],
  ['expired', 'failed'],
] as const)('a payment that is %s at the gateway has the result %s', async (outcome, result) => {
  setup = await openTestSetup()
  const { reference, number } = await setup.newPayment()
  expect(await listResults(number)).toEqual(['pending'])
  setup.ports.time += MINUTE
  setup.gateway.setOutcome(reference, outcome)
  await sync(reference)
  expect(await listResults(number)).toEqual([result])
  await expectAgreement()
})

test('a paid certificate that is not found has the result failed, an underpayment pending, and an overpayment success', async () => {
  setup = await openTestSetup()
  await setup.setPolicy('charge')
  const deletedPayment = await setup.newPayment()
  await setup.removeCertificate(deletedPayment.number)
  setup.gateway.setOutcome(deletedPayment.reference, 'succeeded')
  const underpayment = await setup.newPayment()
  setup.gateway.setOutcome(underpayment.reference, 'succeeded', { amountPaid: { minor: 1, currency: 'NGN' } })
  const overpayment = await setup.newPayment()
  setup.gateway.setOutcome(overpayment.reference, 'succeeded', {
    amountPaid: { minor: 900_000, currency: 'NGN' },
  })
  setup.ports.time += MINUTE
  for (const { reference } of [deletedPayment, underpayment, overpayment]) await sync(reference)
  expect(await listResults(deletedPayment.number)).toEqual(['failed'])
  expect(await listResults(underpayment.number)).toEqual(['pending'])
  expect(await listResults(overpayment.number)).toEqual(['success'])
  await expectAgreement()
})

test('a second payment shows the result of the first, until the first is reversed', async () => {
  setup = await openTestSetup()
  const { user, number, reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'failed')
  await sync(reference)
  setup.ports.time += MINUTE
  const secondStart = await setup.startPayment(user, number)
  if (secondStart.kind !== 'initiated') throw new Error(secondStart.kind)
  // Both payments receive late money.
  for (const item of [reference, secondStart.payment.providerReference]) {
    setup.ports.time += MINUTE
    setup.gateway.setOutcome(item, 'succeeded')
    await sync(item)
  }
  expect(await listResults(number)).toEqual(['success', 'success'])
  await expectAgreement()
  setup.ports.time += MINUTE
  setup.gateway.setOutcome(reference, 'reversed')
  await sync(reference)
  expect(await listResults(number)).toEqual(['failed', 'failed'])
  await expectAgreement()
})

test('a verification is found by number, ID, email and reference, in either case, and by nothing else', async () => {
  setup = await openTestSetup()
  const { user, number, transactionId, reference } = await setup.newPayment()
  await setup.newPayment()
  const findIds = async (search: string) => {
    const rows = await listAuthentications(setup.database.read, { ...all, search, limit: 10 })
    expect(await countAuthentications(setup.database.read, { ...all, search })).toBe(rows.length)
    return rows.map(row => row.payment.transactionId)
  }
  const groupedId = transactionId.replace(/(.{4})(?=.)/g, '$1-')
  for (const search of [number, number.toLowerCase(), groupedId, transactionId.slice(0, 20), reference]) {
    expect(await findIds(search)).toEqual([transactionId])
  }
  expect(await findIds(user.email.toUpperCase())).toEqual([transactionId])
  for (const search of ['%', '_', "' or 1 = 1 --", number.slice(1)]) expect(await findIds(search)).toEqual([])
})

test('a report covers the 30 days up to its end by default', () => {
  const now = Date.UTC(2026, 2, 31, 23, 59)
  expect(reportDaysOf({}, now)).toEqual({ first: '2026-03-01', last: '2026-03-31' })
  expect(reportDaysOf({ date_to: '2026-01-31' }, now)).toEqual({ first: '2026-01-01', last: '2026-01-31' })
  expect(reportDaysOf({ date_from: '2026-01-01' }, now)).toEqual({ first: '2026-01-01', last: '2026-03-31' })
})
