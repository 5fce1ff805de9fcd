import type { ChangeAction, ChangeSource } from '@portal/contract/history'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import { and, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { countUpTo } from '../db/pages.ts'
import { users } from '../db/schema/accounts.ts'
import { recordChanges } from '../db/schema/history.ts'
import { type ChangeWithActor, changeColumns, parseStoredFields } from './store.ts'

/* Lists the changes of all certificates. */

export interface RegisterChangeFilter {
  /** Email address or ID of an account. */
  actor: string | undefined
  action: ChangeAction | undefined
  source: ChangeSource | undefined
  /** Beginning of a certificate number; empty for all. */
  search: string
  /** In milliseconds: `from` inclusive, `before` exclusive. */
  from: number | undefined
  before: number | undefined
}

function conditionOf({ actor, action, source, search, from, before }: RegisterChangeFilter): SQL {
  const number = search.trim().toUpperCase()
  const selectAccountIds = (account: string) =>
    sql`(select id from ${users} where ${or(eq(users.email, account.toLowerCase()), eq(users.id, account))})`
  return (
    and(
      eq(recordChanges.kind, 'certificate'),
      actor === undefined ? undefined : inArray(recordChanges.actorId, selectAccountIds(actor)),
      action && eq(recordChanges.action, action),
      source && eq(recordChanges.sourceKind, source),
      number === ''
        ? undefined
        : and(gte(recordChanges.label, number), lt(recordChanges.label, `${number}\u{10ffff}`)),
      from === undefined ? undefined : gte(recordChanges.at, from),
      before === undefined ? undefined : lt(recordChanges.at, before),
    ) ?? sql`true`
  )
}

type ListedChange = ChangeWithActor & { id: number }

const select = (db: Reader, where: SQL | undefined) =>
  db
    .select({ id: recordChanges.id, ...changeColumns })
    .from(recordChanges)
    .leftJoin(users, eq(users.id, recordChanges.actorId))
    .where(where)
    .orderBy(desc(recordChanges.id))

/** Returns one page of changes, newest first. At most `MAX_COUNTED` are counted and shown. */
export async function listRegisterChanges(
  db: Reader,
  { offset, limit, ...filter }: RegisterChangeFilter & { offset: number; limit: number },
): Promise<{ rows: ListedChange[]; total: number; isMinimum: boolean }> {
  const where = conditionOf(filter)
  const total = await countUpTo(db, MAX_COUNTED, sql`select 1 from ${recordChanges} where ${where}`)
  const rows =
    offset >= total
      ? []
      : await select(db, where)
          .limit(Math.min(limit, MAX_COUNTED - offset))
          .offset(offset)
  return {
    rows: rows.map(row => ({ ...row, fields: parseStoredFields(row.fields) })),
    total,
    isMinimum: total >= MAX_COUNTED,
  }
}

/** Returns the next changes of an export, newest first. */
export async function listRegisterChangesBelow(
  db: Reader,
  { below, limit, ...filter }: RegisterChangeFilter & { below: number | undefined; limit: number },
): Promise<ListedChange[]> {
  const rows = await select(
    db,
    and(conditionOf(filter), below === undefined ? undefined : lt(recordChanges.id, below)),
  ).limit(limit)
  return rows.map(row => ({ ...row, fields: parseStoredFields(row.fields) }))
}
