import type { Reader } from '../db/database.ts'
import { digestOf, logSuffix } from './digest.ts'
import { type AuditedChange, findNewestLogged, readChanges } from './store.ts'

export interface HistoryAudit {
  /** Number of unaltered changes, including blanked ones. */
  whole: number
  /** Number of unaltered changes whose values were purged or erased. */
  blanked: number
  /** The first change that was altered or removed, and how this was detected; `record` is empty for a removed one. */
  broken?: { id: number; record: string; reason: string }
}

const isBlank = ({ salt, fields, reason }: AuditedChange) =>
  salt === null && fields === null && reason === null

function faultOf(change: AuditedChange): string | undefined {
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
  const result: HistoryAudit = { whole: 0, blanked: 0 }
  const broken = (id: number, record: string, reason: string) => ({
    ...result,
    broken: { id, record, reason },
  })
  let entry: AuditedChange[] = []
  const findUnlogged = () => {
    const [first] = entry
    return first && !isLogged(entry)
      ? broken(first.id, recordLabelOf(first), `entry ${first.logId} of the activity log has other changes`)
      : undefined
  }
  let last = 0
  for await (const change of readChanges(db)) {
    if (change.id !== last + 1) return broken(last + 1, '', 'it was removed')
    const fault = faultOf(change)
    if (fault) return broken(change.id, recordLabelOf(change), fault)
    if (entry[0] && entry[0].logId !== change.logId) {
      const mismatch = findUnlogged()
      if (mismatch) return mismatch
      entry = []
    }
    entry.push(change)
    last = change.id
    result.whole++
    if (isBlank(change)) result.blanked++
  }
  const mismatch = findUnlogged()
  if (mismatch) return mismatch
  if (await findNewestLogged(db, { above: entry[0]?.logId ?? 0 }))
    return broken(last + 1, '', 'it was removed')
  return result
}
