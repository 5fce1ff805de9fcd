import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createLoggingClient, explainQuery, findFullScans, type LoggedQuery } from '../../test/query-log.ts'
import { findCounterDifferences } from '../../test/recount.ts'
import { openWholeProduct, readEverything, runJourneys } from '../../test/whole-product.ts'
import { openDatabase } from './database.ts'

/* Runs EXPLAIN QUERY PLAN on every statement that the product sends while all of its features are used. */

/** Tables that never have many rows, even after years. A new table is treated as large. */
const SMALL_TABLES = new Set([
  'settings',
  'job_leases',
  // Queue items that cannot be processed at the moment.
  'deferrals',
  'schema_migrations',
  // This table has one row.
  'stored_pointers',
  'counter_rollup',
  'backups',
  'activity_head',
  'letter_keys',
  'letter_authorities',
  // Actions of staff, a few a day.
  'uploads',
  'register_jobs',
  // A few a month.
  'organisations',
  'organisation_invitations',
  'organisation_batches',
  // A few per organisation: 10 keys and 5 endpoints per mode.
  'organisation_keys',
  'organisation_endpoints',
  'setting_changes',
  'reconciliations',
  // A few a week, and a row a day.
  'settlements',
  'settlement_runs',
  // A small share of payments.
  'refunds',
  'settlement_differences',
  'disputes',
  // A row a day.
  'daily_counters',
  // A row per kind of entry.
  'activity_counters',
  // A few rows a day.
  'payment_counters',
  'item_counters',
  'ledger_counters',
  'account_counters',
  // A row for 4,096 certificates.
  'certificate_blocks',
])
/** Statements that may read many rows, and why. */
const ACCEPTED_STATEMENTS = [
  // `npm run audit:verify` reads the whole log anyway.
  /^select count\("hash"\)/,
  // The facets are counted in narrow indexes, at most once in ten minutes.
  /as value, count\(\*\)/,
  // Nearly all certificates have no letters, so reading the first 50,000 is enough.
  /not exists \(select 1 from letters/,
]
/** Partial indexes of rows that wait to be processed, which are always few. */
const PARTIAL_INDEX = /_(due|unsealed|unread|staff|open|waiting)$/

let setup: TestSetup
let queries: Map<string, LoggedQuery>
let refused: string[]

beforeAll(async () => {
  setup = await openTestSetup()
  const client = createLoggingClient(setup.database.client)
  queries = client.queries
  const product = await openWholeProduct(setup, openDatabase(client.client, { serialiseWrites: true }))
  refused = await readEverything(product, await runJourneys(product))
})
afterAll(() => setup.close())

test('every request of this test is valid according to the contract', () => {
  expect(refused).toEqual([])
  expect(queries.size).toBeGreaterThan(200)
})

test('the counters match a recount after the test', async () => {
  expect(await findCounterDifferences(setup.database.client)).toEqual([])
})

test('no statement scans a table that grows', async () => {
  const { client } = setup.database
  const { rows } = await client.execute('select type, name from sqlite_master')
  const listNames = (type: string) => rows.filter(row => row.type === type).map(row => String(row.name))
  const large = new Set(
    listNames('table').filter(name => !SMALL_TABLES.has(name) && !/_search(_|$)/.test(name)),
  )
  const partialIndexes = new Set(listNames('index').filter(name => PARTIAL_INDEX.test(name)))
  const found: string[] = []
  const explainedStatements = [...queries.values()].filter(
    ({ sql }) => !ACCEPTED_STATEMENTS.some(pattern => pattern.test(sql)),
  )
  for (const query of explainedStatements) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(query.sql)) continue
    const steps = findFullScans(query.sql, await explainQuery(client, query), { large, partialIndexes })
    if (steps.length > 0)
      found.push(
        `${steps.join('; ')}\n    ${query.sql.replaceAll(/\s+/g, ' ').replaceAll(/\?(, \?)+/g, '?…')}`,
      )
  }
  expect(found.join('\n')).toBe('')
})
