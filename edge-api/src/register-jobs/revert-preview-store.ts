import { isOnLetters } from '@portal/contract/letter'
import { type JobPreview, SAMPLE_ROWS } from '@portal/contract/register-jobs'
import { sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { yieldToOthers } from '../queues/yield-to-others.ts'
import type { Step } from './apply-store.ts'
import { findUnrestorable } from './restorable-store.ts'
import { type Cursor, planRevert, type RevertItem, type RevertTarget } from './revert-store.ts'
import { toSample } from './selection-store.ts'

/** Number of certificates read per query. */
const BATCH_SIZE = 2000

interface UntouchedCounts {
  total: number
  letters: number
}

/**
 * Counts the certificates that have not changed since the upload added them. Does not read them one by one, because most
 * certificates have not changed.
 */
async function countUntouched(db: Reader, uploadSeq: number): Promise<UntouchedCounts> {
  const added = sql`upload_seq = ${uploadSeq} and version = 1 and withdrawn_at is null`
  const [counted] = await db.all<UntouchedCounts>(sql`
    select (select count(*) from certificates where ${added}) as total,
      (select count(*) from certificates join letters on letters.certificate_id = certificates.id
        where ${added} and letters.replaced_by is null and letters.status = 'valid') as letters`)
  return counted ?? { total: 0, letters: 0 }
}

async function countLetters(db: Reader, steps: readonly Step[]): Promise<number> {
  const ids = JSON.stringify(steps.map(({ row }) => row.id))
  const [counted] = await db.all<{ total: number }>(sql`
    select count(*) as total from letters
    where replaced_by is null and status = 'valid' and certificate_id in (select value from json_each(${ids}))`)
  return counted?.total ?? 0
}

const stepsOf = (items: readonly RevertItem[]) => items.flatMap(({ step }) => (step ? [step] : []))

/** True if a step changes something that letters show. */
const affectsLetters = (step: Step) =>
  step.action !== 'updated' || step.fields.some(({ field }) => isOnLetters(field))

const changesOf = (step: Step) => (step.action === 'updated' ? [...step.fields] : [])

/** Returns the steps of a batch, without restorations that are not possible. */
async function filterRestorable(db: Reader, steps: readonly Step[], now: number): Promise<Step[]> {
  const rowsToRestore = steps.flatMap(({ action, row }) => (action === 'restored' ? [row] : []))
  const refusedSeqs = await findUnrestorable(db, rowsToRestore, now)
  return steps.filter(({ row }) => !refusedSeqs.has(row.seq))
}

/**
 * Returns what a revert would do, without changing anything. `total` is the number of certificates that the target added and
 * changed.
 */
export async function previewRevert(
  db: Reader,
  { total, ...target }: RevertTarget & { total: number },
  now: number,
): Promise<JobPreview> {
  const untouched =
    target.uploadSeq === null ? { total: 0, letters: 0 } : await countUntouched(db, target.uploadSeq)
  const firstPlanned = await planRevert(db, target, { cursor: { added: 0, change: 0 }, limit: SAMPLE_ROWS })
  const sample = new Map(
    (await filterRestorable(db, stepsOf(firstPlanned.items), now)).map(step => [step.row.seq, step]),
  )
  const result = {
    to_delete: untouched.total,
    to_restore: 0,
    unchanged: 0,
    letters_affected: untouched.letters,
    letters_withdrawn: untouched.letters,
  }
  for (let cursor: Cursor = { added: 0, change: 0 }; ; ) {
    const next = await planRevert(db, target, { cursor, limit: BATCH_SIZE, onlyChanged: true })
    if (next.items.length === 0) break
    result.unchanged += next.items.filter(({ step, reason }) => !step && reason === undefined).length
    const steps = await filterRestorable(db, stepsOf(next.items), now)
    const deleted = steps.filter(({ action }) => action === 'deleted')
    if (sample.size < SAMPLE_ROWS) for (const step of steps) sample.set(step.row.seq, step)
    result.to_delete += deleted.length
    result.to_restore += steps.length - deleted.length
    result.letters_affected += await countLetters(db, steps.filter(affectsLetters))
    result.letters_withdrawn += await countLetters(db, deleted)
    cursor = next.cursor
    await yieldToOthers()
  }
  const changeCount = result.to_delete + result.to_restore
  return {
    ...result,
    count: total,
    to_change: changeCount,
    skipped: Math.max(0, total - changeCount - result.unchanged),
    sample: [...sample.values()].slice(0, SAMPLE_ROWS).map(step => toSample(step.row, changesOf(step))),
  }
}
