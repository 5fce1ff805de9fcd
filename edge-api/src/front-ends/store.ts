import type { FailureStage } from '@portal/contract/front-ends'
import { and, count, desc, eq, gte, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { activityLog } from '../db/schema/activity.ts'
import { frontEndReports, storedPointers } from '../db/schema/front-ends.ts'
import { jobLeases } from '../db/schema/operations.ts'

/**
 * Maximum number of kinds of reports that are counted separately per day. Needed because anyone can send reports with any name.
 */
export const MAX_KINDS = 500

interface Kind {
  /** `YYYY-MM-DD` in UTC. */
  day: string
  remote: string
  release: string
  stage: FailureStage
}

/** Counts one report. If there are already too many kinds on that day, a report of a new kind is counted without its names. */
export async function countReport(db: Tx, kind: Kind): Promise<void> {
  const { day, remote, release, stage } = kind
  const isOfKind = and(
    eq(frontEndReports.day, day),
    eq(frontEndReports.remote, remote),
    eq(frontEndReports.release, release),
    eq(frontEndReports.stage, stage),
  )
  const [existing] = await db.select({ total: frontEndReports.total }).from(frontEndReports).where(isOfKind)
  const [kinds] = await db
    .select({ total: count() })
    .from(frontEndReports)
    .where(eq(frontEndReports.day, day))
  const isFull = !existing && (kinds?.total ?? 0) >= MAX_KINDS
  await db
    .insert(frontEndReports)
    .values({ ...kind, ...(isFull && { remote: '', release: '' }), total: 1 })
    .onConflictDoUpdate({
      target: [frontEndReports.day, frontEndReports.remote, frontEndReports.release, frontEndReports.stage],
      set: { total: sql`${frontEndReports.total} + 1` },
    })
}

/** Returns the number of failures since a day for each release, most failures first. */
export async function readReports(
  db: Reader,
  { since, limit }: { since: string; limit: number },
): Promise<{ remote: string; release: string; reports: number }[]> {
  const reports = sql<number>`sum(${frontEndReports.total})`
  return await db
    .select({ remote: frontEndReports.remote, release: frontEndReports.release, reports })
    .from(frontEndReports)
    .where(gte(frontEndReports.day, since))
    .groupBy(frontEndReports.remote, frontEndReports.release)
    .orderBy(desc(reports), frontEndReports.remote, frontEndReports.release)
    .limit(limit)
}

const cursorNameOf = (log: string) => `shipments ${log}`

/** Returns the time of the last imported entry of a release log, or 0 if none has been imported yet. */
export async function readImportedUntil(db: Reader, { log }: { log: string }): Promise<number> {
  const [row] = await db
    .select({ at: jobLeases.lastRunAt })
    .from(jobLeases)
    .where(eq(jobLeases.name, cursorNameOf(log)))
  return row?.at ?? 0
}

export async function writeImportedUntil(db: Tx, { log, at }: { log: string; at: number }): Promise<void> {
  await db
    .insert(jobLeases)
    .values({ name: cursorNameOf(log), leaseUntil: 0, lastRunAt: at })
    .onConflictDoUpdate({ target: jobLeases.name, set: { lastRunAt: at } })
}

/**
 * Returns which of these releases the activity log already contains. Reads the whole activity log, so it is used only after a
 * clock was ahead.
 */
export async function findRecordedIds(
  db: Tx,
  { ids }: { ids: readonly string[] },
): Promise<Set<string | null>> {
  const rows = await db
    .select({ id: activityLog.requestId })
    .from(activityLog)
    .where(sql`${activityLog.requestId} in (select value from json_each(${JSON.stringify(ids)}))`)
  return new Set(rows.map(({ id }) => id))
}

/** ID of the table's only row, which stores the last valid pointer. */
const POINTER_ID = 1

/** Returns the last valid `remotes.json`, or undefined if none has been stored. */
export async function readStoredPointer(db: Reader): Promise<string | undefined> {
  const [row] = await db
    .select({ content: storedPointers.content })
    .from(storedPointers)
    .where(eq(storedPointers.id, POINTER_ID))
  return row?.content
}

export async function storePointer(db: Tx, { content, at }: { content: string; at: number }): Promise<void> {
  await db
    .insert(storedPointers)
    .values({ id: POINTER_ID, content, at })
    .onConflictDoUpdate({ target: storedPointers.id, set: { content, at } })
}
