import { demoMembers, demoOrganisation, suspendedOrganisation } from '@portal/fixtures/organisations'
import { personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { findCounterDifferences } from '../../test/recount.ts'
import { seed } from './seed.ts'

let setup: TestSetup
beforeAll(async () => {
  setup = await openTestSetup()
  await seed({ ...setup.ports, environment: { ...setup.ports.environment, SEED: 'demo' } }, setup.database)
})
afterAll(() => setup.close())

const query = async (sql: string) => (await setup.database.client.execute(sql)).rows.map(row => ({ ...row }))

test('the demo has a vetted organisation with its members, and a suspended one', async () => {
  const rows = await query(
    'select name, state, vetted_at is not null as vetted from organisations order by name',
  )
  expect(rows).toEqual([
    { name: demoOrganisation.name, state: 'active', vetted: 1 },
    { name: suspendedOrganisation.name, state: 'suspended', vetted: 0 },
  ])
  const members = await query(
    `select users.email, m.role from organisation_members m join users on users.id = m.user_id
       join organisations o on o.id = m.organisation_id where o.state = 'active' order by m.joined_at`,
  )
  expect(members).toEqual(demoMembers.map(({ person, role }) => ({ email: person.email, role })))
  const own = await query(`select 1 from organisation_members where user_id = '${personas.user.id}'`)
  expect(own).toEqual([])
})

test('the vetted organisation has verified 40 numbers and a batch of 25, paid from two top-ups and a bank transfer', async () => {
  expect(
    await query('select source, result, count(*) as total from organisation_verifications group by 1, 2'),
  ).toEqual([
    { source: 'batch', result: 'not_found', total: 1 },
    { source: 'batch', result: 'verified', total: 22 },
    { source: 'portal', result: 'not_found', total: 3 },
    { source: 'portal', result: 'verified', total: 37 },
  ])
  expect(
    await query('select status, count(*) as total from organisation_batch_items group by 1 order by 1'),
  ).toEqual([
    { status: 'already_paid', total: 1 },
    { status: 'invalid', total: 1 },
    { status: 'not_found', total: 1 },
    { status: 'verified', total: 22 },
  ])
  expect(
    await query('select type, count(*) as total from organisation_movements group by 1 order by 1'),
  ).toEqual([
    { type: 'bank_credit', total: 1 },
    { type: 'charge', total: 59 },
    { type: 'topup', total: 2 },
  ])
  expect(await query('select state from organisation_invoices')).toEqual([{ state: 'open' }])
  expect(await query("select id from organisation_holds where state = 'held'")).toEqual([])
})

test('the demo’s balances, holds, ledger and counters agree, and no mail is pending', async () => {
  expect(await findViolations(setup)).toEqual([])
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
  expect(await query('select id from outbox')).toEqual([])
})

test('the activity log has the events of organisations in chronological order', async () => {
  const rows = await query(
    "select at from activity_log where organisation_id is not null or user_id in (select id from users where role = 'user') order by id",
  )
  expect(rows.length).toBeGreaterThan(100)
  const times = rows.map(({ at }) => Number(at))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})
