import type { Client } from '@libsql/client'

/* Recounts the rows behind every counter that triggers maintain. */

const dayOf = (column: string) => `date(${column} / 1000, 'unixepoch')`

const IS_VERIFIED = "fulfilments.outcome = 'verified' and payments.status in ('paid', 'refunded')"
const IS_PAID_TWICE = `fulfilments.outcome = 'refund_due' and payments.status = 'paid' and exists (
  select 1 from fulfilments first join payments first_payment on first_payment.id = first.payment_id
  join certificates first_certificate on first_certificate.id = first.certificate_id
  where first.user_id = payment_items.user_id and first.certificate_number = payment_items.certificate_number
    and first.outcome = 'verified' and first_payment.status in ('paid', 'refunded') and first.at <= fulfilments.at
    and (first_certificate.withdrawn_at is null or first_certificate.withdrawn_at > fulfilments.at))`
const IS_DELIVERED = "payments.status in ('paid', 'refunded') and fulfilments.outcome is not null"
const count = (condition: string, value = '1') =>
  `coalesce(sum(case when ${condition} then ${value} else 0 end), 0)`

/** Two queries for each table of counters: its content, and the recount from the rows. Counters of zero are ignored. */
const counts: Record<string, [stored: string, counted: string]> = {
  certificate_blocks: [
    'select block, standing from certificate_blocks where standing <> 0',
    'select seq / 4096, count(*) from certificates where withdrawn_at is null group by 1',
  ],
  payment_counters: [
    'select day, status, total, due_minor, paid_minor from payment_counters where total or due_minor or paid_minor',
    `select ${dayOf('created_at')}, status, count(*), sum(amount_minor), coalesce(sum(amount_paid_minor), 0) from payments
      where provider not in ('balance', 'bank') group by 1, 2`,
  ],
  item_counters: [
    'select day, result, total from item_counters where total',
    `select ${dayOf('result_at')}, result, count(*) from payment_items group by 1, 2`,
  ],
  user_counters: [
    'select user_id, total, found, again, missed, spent_minor from user_counters where total',
    `select payment_items.user_id, count(*), ${count(IS_VERIFIED)}, ${count(IS_PAID_TWICE)},
       ${count(`${IS_DELIVERED} and not (${IS_VERIFIED}) and not (${IS_PAID_TWICE})`)},
       ${count(`${IS_DELIVERED} and fulfilments.outcome <> 'refund_due'`, 'payment_items.amount_minor')}
     from payment_items join payments on payments.id = payment_items.payment_id
       left join fulfilments on fulfilments.payment_item_id = payment_items.id group by 1`,
  ],
  account_counters: [
    'select day, role, is_enabled, is_verified, total from account_counters where total',
    `select ${dayOf('created_at')}, role, is_enabled, verified_at is not null, count(*) from users
       where erased_at is null group by 1, 2, 3, 4`,
  ],
  daily_counters: [
    `select day, users, certificates, verifications, successful, not_found, revenue_minor from daily_counters
       where users or certificates or verifications or successful or not_found or revenue_minor`,
    `select * from (select day, sum(u) as u, sum(c) as c, sum(v) as v, sum(s) as s, sum(n) as n, sum(r) as r from (
       select ${dayOf('created_at')} as day, 1 as u, 0 as c, 0 as v, 0 as s, 0 as n, 0 as r from users where erased_at is null
       union all select ${dayOf('uploaded_at')}, 0, 1, 0, 0, 0, 0 from certificates where withdrawn_at is null
       union all select ${dayOf('at')}, 0, 0, 1, outcome = 'verified', outcome = 'not_found', 0 from fulfilments where outcome <> 'refund_due'
       union all select ${dayOf('at')}, 0, 0, 0, 0, 0, -amount_minor from ledger_entries where account = 'revenue'
     ) group by day) where u or c or v or s or n or r`,
  ],
  activity_counters: [
    'select unit, period, user_id, type, status, total from activity_counters where total',
    `select unit, substr(day, 1, length), user_id, type, status, count(*) from (
       select ${dayOf('at')} as day, '' as user_id, coalesce(type, '') as type, coalesce(status, '') as status from activity_log
       union all select ${dayOf('at')}, user_id, coalesce(type, ''), coalesce(status, '') from activity_log
         where user_id is not null and user_id not in (select id from users where role = 'user')
     ), (select 'day' as unit, 10 as length union all select 'month', 7 union all select 'year', 4)
     where unit = 'day' or day < (select day from counter_rollup) group by 1, 2, 3, 4, 5`,
  ],
  ledger_counters: [
    'select day, account, currency, entries, minor from ledger_counters',
    `select ${dayOf('at')}, account, currency, count(*), sum(amount_minor) from ledger_entries group by 1, 2, 3`,
  ],
  // Names are those at the time of a verification, so they cannot be recounted: days are compared with the day's total, and
  // longer periods with their days.
  ranked_counters: [
    `select unit, kind, period, name, verifications, successful, revenue_minor from ranked_counters
       where unit <> 'day' and (verifications or successful or revenue_minor)
     union all select 'day', kind, period, '', sum(verifications), sum(successful), sum(revenue_minor) from ranked_counters
       where unit = 'day' group by kind, period having sum(verifications) or sum(revenue_minor)`,
    `select * from (select longer.unit, kind, substr(period, 1, length), name, sum(verifications) as v, sum(successful) as s,
       sum(revenue_minor) as r
       from ranked_counters as days, (select 'month' as unit, 7 as length union all select 'year', 4 union all select 'all', 0) as longer
       where days.unit = 'day' and period < (select day from counter_rollup) group by 1, 2, 3, 4) where v or s or r
     union all select 'day', 'organisation', day, '', verifications, successful, revenue_minor from daily_counters
       where verifications or revenue_minor
     union all select 'day', 'course', day, '', successful, successful, 0 from daily_counters where successful`,
  ],
}

export const countedTables = Object.keys(counts)

/** Returns the differences between counters and rows, one line each. */
export async function findCounterDifferences(client: Pick<Client, 'execute'>): Promise<string[]> {
  const differences: string[] = []
  for (const [table, [stored, counted]] of Object.entries(counts)) {
    for (const [side, query, otherQuery] of [
      ['stored', stored, counted],
      ['counted', counted, stored],
    ] as const) {
      const { rows } = await client.execute(`select * from (${query}) except select * from (${otherQuery})`)
      differences.push(...rows.map(row => `${table}, only ${side}: ${JSON.stringify(Object.values(row))}`))
    }
  }
  return differences
}
