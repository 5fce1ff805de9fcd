import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { countedTables, findCounterDifferences } from '../../test/recount.ts'
import { restoreCertificate, withdrawCertificate } from '../certificates/store.ts'
import { seed } from '../seed/seed.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
  await seed(setup.ports, setup.database)
})
afterEach(() => setup.close())

const run = (sql: string) => setup.database.client.execute(sql)

test('the counters kept by triggers match a recount of the demo data, in every table', async () => {
  for (const table of countedTables) expect((await run(`select * from ${table}`)).rows).not.toEqual([])
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})

test('a recount reports each wrong counter', async () => {
  for (const table of countedTables) {
    const { rows } = await run(`pragma table_info(${table})`)
    const column = rows.at(-1)?.name
    await run(`update ${table} set ${column} = ${column} + 1`)
    expect([table, (await findCounterDifferences(setup.database.client)).length > 0]).toEqual([table, true])
    await run(`update ${table} set ${column} = ${column} - 1`)
  }
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})

test('the counters follow certificates that are deleted and restored, and accounts that change', async () => {
  const { rows } = await run('select id from certificates limit 3')
  const at = setup.ports.time
  for (const { id } of rows) await setup.database.write(tx => withdrawCertificate(tx, { id: String(id), at }))
  await setup.database.write(tx => restoreCertificate(tx, { id: String(rows[0]?.id), at }))
  await run('delete from certificates where withdrawn_at is not null')
  await run("update users set is_enabled = 0, role = 'admin' where email = 'other@demo.test'")
  await run("update users set verified_at = null where email = 'user@demo.test'")
  await run(`update users set erased_at = ${at} where email = 'admin@demo.test'`)
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})
