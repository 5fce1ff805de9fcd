import type { ChangeAction, ChangeSource, FieldChange } from '@portal/contract/history'
import type { Tx } from '../db/database.ts'
import { recordWithId } from '../logs/store.ts'
import { digestOf, logSuffix, newSalts } from './digest.ts'
import { appendChanges, type RecordKind, toStoredFields } from './store.ts'

/** A change of a record, from one version to the next. */
export interface RecordChange {
  kind: RecordKind
  recordId: string
  /** The record's version after the change. */
  version: number
  action: ChangeAction
  /** The certificate's number; null for other records. */
  label: string | null
  fields: readonly FieldChange[]
}

/** The origin of changes: who made them, how, why, and from which IP address. */
export interface Origin {
  actor: { id: string; email: string } | null
  source: { kind: ChangeSource; id?: string | null; label?: string | null }
  reason?: string | null | undefined
  ipAddress?: string | null
  requestId?: string | null
  at: number
}

/** Texts of an activity log entry, which may contain field names but no values. */
export interface LogEntry {
  activity: string
  details: string
}

/**
 * Records the changes of a transaction in the history and, with one entry, in the activity log. Runs in the same transaction.
 * Every change to the content of a certificate or account must go through this function. Does nothing if there are no changes.
 */
export async function recordHistory(
  tx: Tx,
  { actor, source, reason, ipAddress = null, requestId = null, at }: Origin,
  changes: readonly RecordChange[],
  { activity, details }: LogEntry,
): Promise<void> {
  if (changes.length === 0) return
  const origin = {
    at,
    actorId: actor?.id ?? null,
    sourceKind: source.kind,
    sourceId: source.id ?? null,
    sourceLabel: source.label ?? null,
    reason: reason || null,
  }
  const salts = newSalts(changes.length)
  const rows = changes.map((change, index) => {
    const salt = salts[index] ?? ''
    const row = { ...change, ...origin, fields: toStoredFields(change.fields) }
    return { ...row, salt, digest: digestOf(salt, row) }
  })
  const logId = await recordWithId(tx, {
    userId: origin.actorId,
    userEmail: actor?.email ?? null,
    activity,
    details: details + logSuffix(rows),
    ipAddress,
    requestId,
    at,
  })
  await appendChanges(tx, { ...origin, logId }, rows)
}
