import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { expect, test } from 'vitest'
import { recount } from '../../test/recount.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'

test('books from before the bank’s account are moved to it by entries of their own', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-migration-'))
  const client = createClient({ url: `file:${path.join(folder, 'portal.db')}` })
  await client.execute('create table schema_migrations (name text primary key, applied_at integer not null)')
  for (const { name, statements } of migrations.filter(each => each.name < '0020')) {
    for (const statement of statements) await client.execute(statement)
    await client.execute({ sql: 'insert into schema_migrations values (?, 0)', args: [name] })
  }
  await client.execute(`insert into users (id, email, firstname, lastname, phone, address, password_hash, role, is_enabled,
    created_at, updated_at) values ('u', 'u@users.test', 'U', 'U', '1', 'A', '-', 'user', 1, 0, 0)`)
  const pay = async (
    id: string,
    status: string,
    bankReference: string | null,
    refundStatus = 'processed',
  ) => {
    await client.execute({
      sql: `insert into payments (id, transaction_id, provider, provider_reference, user_id, amount_minor, currency, mode,
        status, unknown_policy, expires_at, created_at, updated_at) values (?, ?, 'paystack', ?, 'u', 900, 'NGN', 'test', ?, 'free', 0, 0, 0)`,
      args: [id, `CVF${id}`, `CV${id}`, status],
    })
    const book = (account: string, minor: number, reason: string) =>
      client.execute({
        sql: `insert into ledger_entries (payment_id, account, amount_minor, currency, reason, at) values (?, ?, ?, 'NGN', ?, 1000)`,
        args: [id, account, minor, reason],
      })
    await book('gateway_clearing', 1000, 'payment received')
    await book('revenue', -900, 'verified')
    await book('refund_payable', -100, 'over_payment')
    await client.execute({
      sql: `insert into refunds (id, payment_id, amount_minor, reason, status, idempotency_key, bank_reference, created_at, updated_at)
        values (?, ?, 100, 'over_payment', ?, ?, ?, 0, 7)`,
      args: [`r${id}`, id, refundStatus, `${id}:over_payment`, bankReference],
    })
    if (refundStatus === 'processed') {
      await book('refund_payable', 100, 'refund processed')
      await book('gateway_clearing', -100, 'refund processed')
    }
    if (status !== 'reversed') return
    await book('gateway_clearing', refundStatus === 'processed' ? -900 : -1000, 'reversed')
    await book('revenue', 900, 'reversed')
    if (refundStatus !== 'processed') await book('refund_payable', 100, 'reversed')
    await client.execute(
      `insert into payment_events (payment_id, type, source, at) values ('${id}', 'reversed', 'tick', 1000)`,
    )
  }
  await pay('GATEWAY', 'paid', null)
  await pay('BANK', 'paid', 'FT-1')
  await pay('TWICE', 'reversed', 'FT-2')
  await pay('OPEN', 'reversed', null, 'needs_attention')
  await migrate(client)

  const standing =
    await client.execute(`select payment_id, account, sum(amount_minor) as minor from ledger_entries
    group by 1, 2 having minor <> 0 order by 1, 2`)
  expect(standing.rows.map(row => [row.payment_id, row.account, row.minor])).toEqual([
    ['BANK', 'bank', -100],
    ['BANK', 'gateway_clearing', 1000],
    ['BANK', 'revenue', -900],
    ['GATEWAY', 'gateway_clearing', 900],
    ['GATEWAY', 'revenue', -900],
    ['TWICE', 'bank', -100],
    ['TWICE', 'refund_payable', 100],
  ])
  const over = await client.execute("select status, processed_at, note from refunds where id = 'rOPEN'")
  expect(over.rows[0]).toMatchObject({ status: 'processed', processed_at: 7 })
  expect(await recount(client)).toEqual([])
  // What the entries moved was received once.
  await expect(
    client.execute(`insert into refunds (id, payment_id, amount_minor, reason, status, idempotency_key, created_at, updated_at)
      values ('more', 'BANK', 901, 'over_payment', 'due', 'more', 0, 0)`),
  ).rejects.toThrow('refunds would exceed what was received')
  client.close()
  await rm(folder, { recursive: true, force: true })
})
