import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { listEntries } from './ledger-store.ts'

let setup: TestSetup
beforeAll(async () => {
  setup = await openTestSetup()
})
afterAll(() => setup.close())

test('deep pages of the ledger contain the same rows as a full scan, with their payments', async () => {
  const { client, read } = setup.database
  const { transactionId } = await setup.newPayment()
  await client.execute(`
    insert into ledger_entries (payment_id, account, amount_minor, currency, reason, at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    select (select id from payments), iif(i % 3, 'revenue', 'gateway_clearing'), 1, 'NGN', 'payment received', i * 2000000 from n`)
  for (const account of [undefined, 'revenue'] as const) {
    const { rows } = await client.execute(
      `select id from ledger_entries where ${account ? `account = '${account}'` : 'true'} order by at desc, id desc`,
    )
    const all = rows.map(({ id }) => id)
    for (const page of [1, 12, 16, Math.ceil(all.length / 100), 100]) {
      const filter = { account, search: '', from: undefined, before: undefined }
      const found = await listEntries(read, { ...filter, page, perPage: 100 })
      expect([account, page, found.map(({ entry }) => entry.id)]).toEqual([
        account,
        page,
        all.slice((page - 1) * 100, page * 100),
      ])
      expect(found.every(row => row.transactionId === transactionId)).toBe(true)
    }
  }
})
