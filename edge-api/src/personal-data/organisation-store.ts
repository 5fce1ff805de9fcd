import { type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { letters } from '../db/schema/letters.ts'
import { fulfilments, ledgerEntries } from '../db/schema/money.ts'
import { rankedCounters } from '../db/schema/operations.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'

/** SQL for the company in an address, exactly as the triggers of the counters read it. */
const company = sql`trim(substr(${users.address}, 1, instr(${users.address} || ',', ',') - 1))`

const RANGE_ROWS = 5000

/** Returns the names under which an account's verifications are counted: its current company, and those on its letters. */
async function listNamesOfUser(db: Reader, { userId }: { userId: string }): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select ${company} as name from ${users} where ${users.id} = ${userId}
    union select json_extract(${letters.template}, '$.recipient.company') from ${paymentItems}
      join ${letters} on ${letters.paymentItemId} = ${paymentItems.id} where ${paymentItems.userId} = ${userId}`)
  return rows.map(({ name }) => name).filter(name => name !== '')
}

/** Returns those of these names that no other account has, and that therefore identify this account. */
async function filterUniqueNames(
  db: Reader,
  { userId, names }: { userId: string; names: readonly string[] },
): Promise<string[]> {
  const unique = new Set(names)
  const [newest] = await db.all<{ end: number | null }>(sql`select max(rowid) as end from ${users}`)
  const end = newest?.end ?? 0
  for (let above = 0; above < end && unique.size > 0; above += RANGE_ROWS) {
    const shared = await db.all<{ name: string }>(sql`
      select distinct name.value as name from ${users}, json_each(${JSON.stringify([...unique])}) as name
      where ${users}.rowid > ${above} and ${users}.rowid <= ${above + RANGE_ROWS}
        and ${users.id} <> ${userId} and ${company} = name.value collate nocase`)
    for (const { name } of shared) unique.delete(name)
  }
  return [...unique]
}

/**
 * Returns the company names that only the account to be erased has. Reads the table in ranges, outside transactions.
 */
export async function listOwnOrganisations(db: Reader, account: { userId: string }): Promise<string[]> {
  const names = await listNamesOfUser(db, account)
  return names.length === 0 ? [] : await filterUniqueNames(db, { ...account, names })
}

const dayOf = (at: SQL) => sql`date(${at} / 1000, 'unixepoch')`

/** Adds the counts under these names to the counts without a name, for the days of the account's verifications and payments. */
export async function forgetOrganisations(
  db: Tx,
  { userId, names }: { userId: string; names: readonly string[] },
): Promise<void> {
  if (names.length === 0) return
  const isToBeMoved = sql`kind = 'organisation' and (unit, period, name) in (
    select unit, substr(day, 1, length), name.value from (
      select ${dayOf(sql`${fulfilments.at}`)} as day from ${paymentItems}
        join ${fulfilments} on ${fulfilments.paymentItemId} = ${paymentItems.id} where ${paymentItems.userId} = ${userId}
      union select ${dayOf(sql`${ledgerEntries.at}`)} from ${payments}
        join ${ledgerEntries} on ${ledgerEntries.paymentId} = ${payments.id} where ${payments.userId} = ${userId}
    ), (select 'day' as unit, 10 as length union all select 'month', 7 union all select 'year', 4 union all select 'all', 0),
    json_each(${JSON.stringify(names)}) as name)`
  await db.run(sql`
    insert into ${rankedCounters} (kind, unit, period, name, verifications, successful, revenue_minor)
    select kind, unit, period, '', sum(verifications), sum(successful), sum(revenue_minor)
    from ${rankedCounters} where ${isToBeMoved} group by kind, unit, period
    on conflict (kind, unit, period, name) do update set verifications = verifications + excluded.verifications,
      successful = successful + excluded.successful, revenue_minor = revenue_minor + excluded.revenue_minor`)
  await db.run(sql`delete from ${rankedCounters} where ${isToBeMoved}`)
}
