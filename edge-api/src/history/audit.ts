import type { Reader } from '../db/database.ts'
import { digestOf, logSuffix } from './digest.ts'
import { type AuditedChange, hasLoggedChangesAfter, readChanges } from './store.ts'

export interface HistoryAudit {
  /** Number of unaltered changes, including blanked ones. */
  unaltered: number
  /** Number of unaltered changes whose values were purged or erased. */
  blanked: number
  /** The first change that was altered or removed, and how this was detected; `record` is empty for a removed one. */
  broken?: { id: number; record: string; reason: string }
}

const isBlank = ({ salt, fields, reason }: AuditedChange) =>
  salt === null && fields === null && reason === null

function findFault(change: AuditedChange): string | undefined {
  if (isBlank(change)) return change.wronglyBlank ? 'its values were removed' : undefined
  return change.salt !== null && digestOf(change.salt, change) === change.digest
    ? undefined
    : 'it was altered'
}

/** True if the log entry contains the digest of exactly these changes. An erased entry has no details to compare. */
function isLogged(changes: readonly AuditedChange[]): boolean {
  const [first] = changes
  if (!first || first.details === '') return true
  const suffix = logSuffix(changes)
  // Older entries were written without thousands separators in the number of changes.
  return [suffix, suffix.replaceAll(',', '')].some(end => first.details?.endsWith(end))
}

const recordLabelOf = ({ label, kind, recordId }: AuditedChange) => label ?? `${kind} ${recordId}`

/** Verifies the history, in the order in which it was written, against its digests and the activity log. */
export async function auditHistory(db: Reader): Promise<HistoryAudit> {
  const result: HistoryAudit = { unaltered: 0, blanked: 0 }
  const withBroken = (id: number, record: string, reason: string) => ({
    ...result,
    broken: { id, record, reason },
  })
  let changesOfEntry: AuditedChange[] = []
  const findLogMismatch = () => {
    const [first] = changesOfEntry
    return first && !isLogged(changesOfEntry)
      ? withBroken(
          first.id,
          recordLabelOf(first),
          `entry ${first.logId} of the activity log has other changes`,
        )
      : undefined
  }
  let lastId = 0
  for await (const change of readChanges(db)) {
    if (change.id !== lastId + 1) return withBroken(lastId + 1, '', 'it was removed')
    const fault = findFault(change)
    if (fault) return withBroken(change.id, recordLabelOf(change), fault)
    if (changesOfEntry[0] && changesOfEntry[0].logId !== change.logId) {
      const mismatch = findLogMismatch()
      if (mismatch) return mismatch
      changesOfEntry = []
    }
    changesOfEntry.push(change)
    lastId = change.id
    result.unaltered++
    if (isBlank(change)) result.blanked++
  }
  const mismatch = findLogMismatch()
  if (mismatch) return mismatch
  if (await hasLoggedChangesAfter(db, { above: changesOfEntry[0]?.logId ?? 0 }))
    return withBroken(lastId + 1, '', 'it was removed')
  return result
}
