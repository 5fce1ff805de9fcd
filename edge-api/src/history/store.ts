import type { ChangeAction, ChangeSource, FieldChange } from '@portal/contract/history'
import { and, count, desc, eq, getTableColumns, gt, inArray, like, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { activityLog } from '../db/schema/activity.ts'
import { recordChanges, type recordKinds } from '../db/schema/history.ts'

export type RecordKind = (typeof recordKinds)[number]

export type StoredChange = typeof recordChanges.$inferSelect

/** The values that all changes of one transaction share. */
type SharedOrigin = Pick<
  StoredChange,
  'at' | 'actorId' | 'sourceKind' | 'sourceId' | 'sourceLabel' | 'reason' | 'logId'
>

/** Adds any number of changes in one statement, because a chunk of an upload has thousands. */
export async function appendChanges(
  db: Tx,
  { at, actorId, sourceKind, sourceId, sourceLabel, reason, logId }: SharedOrigin,
  rows: readonly Omit<StoredChange, 'id' | keyof SharedOrigin>[],
): Promise<void> {
  const list = rows.map(row => [
    row.kind,
    row.recordId,
    row.version,
    row.action,
    row.label,
    row.fields,
    row.salt,
    row.digest,
  ])
  await db.run(sql`
    insert into ${recordChanges} (kind, record_id, version, action, label, fields, salt, digest, at, actor_id,
      source_kind, source_id, source_label, reason, log_id)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
      ${at}, ${actorId}, ${sourceKind}, ${sourceId}, ${sourceLabel}, ${reason}, ${logId}
    from json_each(${JSON.stringify(list)})`)
}

/** A change, with the email address of the account that made it. */
export interface ChangeWithActor {
  version: number
  action: ChangeAction
  recordId: string
  label: string | null
  fields: FieldChange[]
  at: number
  actorId: string | null
  actorEmail: string | null
  sourceKind: ChangeSource
  sourceId: string | null
  sourceLabel: string | null
  reason: string | null
}

/** Converts the fields to the stored format, `[field, from, to][]` as JSON. */
export const toStoredFields = (fields: readonly FieldChange[]): string =>
  JSON.stringify(fields.map(({ field, from, to }) => [field, from, to]))

/** Parses fields stored by `toStoredFields`. The cast is safe, because nothing else writes them. */
export const parseStoredFields = (stored: string | null): FieldChange[] =>
  ((stored === null ? [] : JSON.parse(stored)) as [string, FieldChange['from'], FieldChange['to']][]).map(
    ([field, from, to]) => ({ field, from, to }),
  )

export const changeColumns = {
  version: recordChanges.version,
  action: recordChanges.action,
  recordId: recordChanges.recordId,
  label: recordChanges.label,
  fields: recordChanges.fields,
  at: recordChanges.at,
  actorId: recordChanges.actorId,
  actorEmail: users.email,
  sourceKind: recordChanges.sourceKind,
  sourceId: recordChanges.sourceId,
  sourceLabel: recordChanges.sourceLabel,
  reason: recordChanges.reason,
}

interface RecordKey {
  kind: RecordKind
  recordId: string
}

const isOfRecord = ({ kind, recordId }: RecordKey) =>
  and(eq(recordChanges.kind, kind), eq(recordChanges.recordId, recordId))

/** Returns one page of the recorded changes of a record, newest first, with the total. */
export async function listChangesOf(
  db: Reader,
  { offset, limit, ...key }: RecordKey & { offset: number; limit: number },
): Promise<{ rows: ChangeWithActor[]; total: number }> {
  const rows = await db
    .select(changeColumns)
    .from(recordChanges)
    .leftJoin(users, eq(users.id, recordChanges.actorId))
    .where(isOfRecord(key))
    .orderBy(desc(recordChanges.version))
    .limit(limit)
    .offset(offset)
  const [counted] = await db.select({ total: count() }).from(recordChanges).where(isOfRecord(key))
  return {
    rows: rows.map(row => ({ ...row, fields: parseStoredFields(row.fields) })),
    total: counted?.total ?? 0,
  }
}

/** Blanks the values and salts in the history of these records. Without the salt, no one can guess a value from its digest. */
export async function redactValues(
  db: Tx,
  { kind, recordIds }: { kind: RecordKind; recordIds: readonly string[] },
): Promise<void> {
  await db
    .update(recordChanges)
    .set({ fields: null, reason: null, salt: null })
    .where(and(eq(recordChanges.kind, kind), inArray(recordChanges.recordId, recordIds)))
}

/** A change with the details of its entry in the activity log. The details are null if there is no such entry. */
export type AuditedChange = StoredChange & {
  details: string | null
  /** 1 if the values are blank although the record was neither purged nor erased; otherwise 0. */
  wronglyBlank: number
}

const wronglyBlank = sql<number>`record_changes.salt is null and (
  exists (select 1 from certificates where certificates.id = record_id) or
  exists (select 1 from users where users.id = record_id and users.erased_at is null))`

/** Yields all changes by ascending ID, reading them page by page. */
export async function* readChanges(db: Reader): AsyncGenerator<AuditedChange> {
  for (let above: number | undefined = 0; above !== undefined; ) {
    const rows: AuditedChange[] = await db
      .select({ ...getTableColumns(recordChanges), details: activityLog.details, wronglyBlank })
      .from(recordChanges)
      .leftJoin(activityLog, eq(activityLog.id, recordChanges.logId))
      .where(gt(recordChanges.id, above))
      .orderBy(recordChanges.id)
      .limit(1000)
    yield* rows
    above = rows.at(-1)?.id
  }
}

/** True if any log entry with an ID above the given one contains a digest of changes. */
export async function hasLoggedChangesAfter(db: Reader, { above }: { above: number }): Promise<boolean> {
  const rows = await db
    .select({ details: activityLog.details })
    .from(activityLog)
    .where(and(gt(activityLog.id, above), like(activityLog.details, `%; ${'_'.repeat(32)}`)))
  return rows.some(({ details }) => /; (?:version \d+|[\d,]+ changes); [0-9a-f]{32}$/.test(details))
}

/**
 * Returns, for each record, the email address of the account that changed it last, without records last changed by the portal
 * itself.
 */
export async function findNewestActors(
  db: Reader,
  { kind, recordIds }: { kind: RecordKind; recordIds: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await db.all<{ recordId: string; email: string | null }>(sql`
    select newest."recordId", users.email from (
      select record_id as "recordId", actor_id, max(version) from ${recordChanges}
      where kind = ${kind} and record_id in (select value from json_each(${JSON.stringify(recordIds)})) group by record_id
    ) as newest left join users on users.id = newest.actor_id`)
  return new Map(rows.flatMap(({ recordId, email }) => (email === null ? [] : [[recordId, email]])))
}
