import type { FieldChange } from '@portal/contract/history'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { StoredCertificate } from '../certificates/store.ts'
import type { Reader } from '../db/database.ts'
import { certificates } from '../db/schema/certificates.ts'
import { recordChanges } from '../db/schema/history.ts'
import { registerJobs } from '../db/schema/register-jobs.ts'
import { parseStoredFields } from '../history/store.ts'
import type { Step } from './apply-store.ts'
import { NOT_IN_REGISTER } from './restorable-store.ts'

/*
 * Decides what a revert does with each certificate that an upload added or updated, or that a job changed. A certificate is
 * changed back only if nothing else has changed it since; changes that were themselves reverted do not count.
 */

/** The upload or job to be reverted. */
export interface RevertTarget {
  id: string
  /** `seq` of the upload; null if the target is a job. */
  uploadSeq: number | null
}

/** Position at which a revert continues: after the last added certificate and the last change. */
export interface Cursor {
  added: number
  change: number
}

/**
 * One certificate of the target, with a change to make or the reason to skip it. It has neither if an earlier revert has
 * already changed the certificate back.
 */
export interface RevertItem {
  certificateSeq: number
  certificateNumber: string
  version: number
  step?: Step
  reason?: string
}

type VersionedCertificate = Pick<StoredCertificate, 'id' | 'version'>

interface Source {
  recordId: string
  version: number
  sourceKind: string
  sourceId: string | null
}

const jsonValues = (values: readonly string[]) =>
  sql`(select value from json_each(${JSON.stringify(values)}))`

/** Returns what made each change of these certificates, by certificate and version. */
async function findSources(db: Reader, ids: readonly string[]): Promise<Map<string, Map<number, Source>>> {
  const rows = await db
    .select({
      recordId: recordChanges.recordId,
      version: recordChanges.version,
      sourceKind: recordChanges.sourceKind,
      sourceId: recordChanges.sourceId,
    })
    .from(recordChanges)
    .where(and(eq(recordChanges.kind, 'certificate'), inArray(recordChanges.recordId, jsonValues(ids))))
  const byRecord = Map.groupBy(rows, ({ recordId }) => recordId)
  return new Map(
    [...byRecord].map(([id, changes]) => [id, new Map(changes.map(change => [change.version, change]))]),
  )
}

async function findTargets(db: Reader, jobIds: readonly string[]): Promise<Map<string, string | null>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .select({ id: registerJobs.id, targetId: registerJobs.targetId })
    .from(registerJobs)
    .where(inArray(registerJobs.id, jsonValues(jobIds)))
  return new Map(rows.map(({ id, targetId }) => [id, targetId]))
}

/** Effective version of a certificate whose upload was reverted: lower than the first version. */
const VERSION_BEFORE_FIRST = 0

interface EffectiveVersion {
  /** The version that first had the current content, ignoring reverted changes and their reverts. */
  version: number
  /** If a revert made the current version: the ID of its target; otherwise null. */
  revertTargetId: string | null
}

/**
 * Computes the effective version of each certificate. It is the current version, unless a revert has changed the certificate.
 */
async function computeEffectiveVersions(
  db: Reader,
  rows: readonly VersionedCertificate[],
): Promise<Map<string, EffectiveVersion>> {
  if (rows.length === 0) return new Map()
  const sources = await findSources(
    db,
    rows.map(({ id }) => id),
  )
  const reverts = [...sources.values()].flatMap(changes =>
    [...changes.values()].flatMap(({ sourceKind, sourceId }) =>
      sourceKind === 'revert' && sourceId !== null ? [sourceId] : [],
    ),
  )
  const targets = await findTargets(db, [...new Set(reverts)])
  const targetOf = (change: Source | undefined) =>
    change?.sourceKind === 'revert' && change.sourceId !== null ? targets.get(change.sourceId) : undefined
  const effectiveVersionOf = (changes: ReadonlyMap<number, Source>, version: number): number => {
    let current = version
    for (;;) {
      const target = targetOf(changes.get(current))
      if (!target) return current
      const reverted = [...changes.values()].find(
        ({ version: earlier, sourceId }) => earlier < current && sourceId === target,
      )
      // If none is found, an upload added the certificate, which is not recorded as a change.
      current = reverted ? reverted.version - 1 : VERSION_BEFORE_FIRST
    }
  }
  return new Map(
    rows.map(({ id, version }) => {
      const changes = sources.get(id) ?? new Map<number, Source>()
      const revertTargetId = targetOf(changes.get(version)) ?? null
      return [id, { version: effectiveVersionOf(changes, version), revertTargetId }]
    }),
  )
}

/** Lists certificates that an upload added or, with `onlyChanged`, only those of them that have changed since. */
async function listAdded(
  db: Reader,
  {
    uploadSeq,
    after,
    limit,
    onlyChanged,
  }: { uploadSeq: number; after: number; limit: number; onlyChanged: boolean },
): Promise<StoredCertificate[]> {
  return await db
    .select()
    .from(certificates)
    .where(
      and(
        eq(certificates.uploadSeq, uploadSeq),
        gt(certificates.seq, after),
        onlyChanged ? sql`(version <> 1 or withdrawn_at is not null)` : undefined,
      ),
    )
    .orderBy(certificates.seq)
    .limit(limit)
}

/** Lists the changes made by the target, each with its certificate, which is null if it has been purged. */
const listChanges = (db: Reader, { id, after, limit }: { id: string; after: number; limit: number }) =>
  db
    .select({ change: recordChanges, row: certificates })
    .from(recordChanges)
    .leftJoin(certificates, eq(certificates.id, recordChanges.recordId))
    .where(
      and(eq(recordChanges.sourceId, id), eq(recordChanges.kind, 'certificate'), gt(recordChanges.id, after)),
    )
    .orderBy(recordChanges.id)
    .limit(limit)

const invertChanges = (fields: readonly FieldChange[]): FieldChange[] =>
  fields.map(({ field, from, to }) => ({ field, from: to, to: from }))

type ListedChange = Awaited<ReturnType<typeof listChanges>>[number]

function toReverseStep(row: StoredCertificate, { action, fields }: ListedChange['change']): Step | undefined {
  if (action === 'updated')
    return { row, action: 'updated', fields: invertChanges(parseStoredFields(fields)) }
  if (action === 'deleted' || action === 'withdrawn') return { row, action: 'restored' }
  return action === 'restored' ? { row, action: 'deleted' } : undefined
}

/**
 * Plans the revert of the next certificates of the target: first those that it added, then those that it changed.
 * @param onlyChanged true to plan only those added certificates that have changed since, which will be skipped
 * @returns an empty list at the end
 */
export async function planRevert(
  db: Reader,
  { id, uploadSeq }: RevertTarget,
  { cursor, limit, onlyChanged = false }: { cursor: Cursor; limit: number; onlyChanged?: boolean },
): Promise<{ items: RevertItem[]; cursor: Cursor }> {
  const changedReason = `Changed since the ${uploadSeq === null ? 'bulk change' : 'upload'}`
  const added =
    uploadSeq === null ? [] : await listAdded(db, { uploadSeq, after: cursor.added, limit, onlyChanged })
  if (added.length > 0) {
    const versions = await computeEffectiveVersions(
      db,
      added.filter(({ version }) => version !== 1),
    )
    const items = added.map((row): RevertItem => {
      const { version, revertTargetId } = versions.get(row.id) ?? {
        version: row.version,
        revertTargetId: null,
      }
      const identity = {
        certificateSeq: row.seq,
        certificateNumber: row.certificateNumber,
        version: row.version,
      }
      if (row.deletedAt === null && version === 1) return { ...identity, step: { row, action: 'deleted' } }
      return revertTargetId === id ? identity : { ...identity, reason: changedReason }
    })
    return { items, cursor: { ...cursor, added: added.at(-1)?.seq ?? cursor.added } }
  }
  const changed = await listChanges(db, { id, after: cursor.change, limit })
  const changedSince = changed.flatMap(({ change, row }) =>
    row && row.version !== change.version ? [row] : [],
  )
  const versions = await computeEffectiveVersions(db, changedSince)
  const items = changed.map(({ change, row }): RevertItem => {
    const identity = {
      certificateNumber: row?.certificateNumber ?? change.label ?? '',
      version: change.version,
    }
    if (!row) return { ...identity, certificateSeq: 0, reason: NOT_IN_REGISTER }
    const found = { ...identity, certificateSeq: row.seq }
    const { version, revertTargetId } = versions.get(row.id) ?? { version: row.version, revertTargetId: null }
    const step = version === change.version ? toReverseStep(row, change) : undefined
    if (step) return { ...found, step }
    return revertTargetId === id ? found : { ...found, reason: changedReason }
  })
  return { items, cursor: { ...cursor, change: changed.at(-1)?.change.id ?? cursor.change } }
}
