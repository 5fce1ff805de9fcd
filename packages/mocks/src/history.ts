import type { Change, ChangeAction, ChangeSource, ChangeValue } from '@portal/contract/history'
import { type ExpectedVersion, isExpected } from '@portal/contract/if-match'
import { Fault } from './fault.ts'
import { paginateRows } from './paginate-rows.ts'
import type { MockChange } from './register-types.ts'
import type { MockState } from './state.ts'

/**
 * Checks that the caller expects the current version of a record.
 * @throws Fault `VERSION_CONFLICT` if not
 */
export function requireVersion(
  { expected }: { expected: ExpectedVersion | undefined },
  version: number,
): void {
  if (!isExpected(expected, version)) throw new Fault('VERSION_CONFLICT')
}

type Values = Readonly<Record<string, ChangeValue>>

/** Returns the changes between two states of a record, for the fields that differ. */
export const fieldChanges = (before: Values | undefined, after: Values) =>
  Object.entries(after)
    .map(([field, to]) => ({ field, from: before?.[field] ?? null, to }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))

interface ChangeRecord {
  kind: MockChange['kind']
  id: string
  label?: string | null
  version: number
  action: ChangeAction
  changes?: Change['changes']
  source?: { kind: ChangeSource; id?: string | null; label?: string | null }
  reason?: string | null | undefined
}

/** Adds a change to the history. */
export function recordChange(
  { state, user, now }: { state: MockState; user: { id: string; email: string } | null; now: Date },
  { kind, id, label = null, version, action, changes = [], source, reason = null }: ChangeRecord,
): void {
  const { kind: sourceKind, id: sourceId = null, label: sourceLabel = null } = source ?? { kind: 'form' }
  const entry: MockChange = {
    kind,
    record_id: id,
    label,
    version,
    action,
    at: now.toISOString(),
    actor: user && { id: user.id, email: user.email },
    source: { kind: sourceKind, id: sourceId, label: sourceLabel },
    reason,
    changes,
  }
  state.history = [entry, ...(state.history ?? [])]
}

/** Returns the changes to one record, newest first. */
export const changesOf = (state: MockState, kind: MockChange['kind'], id: string): Change[] =>
  (state.history ?? []).filter(item => item.kind === kind && item.record_id === id)

/** Returns one page of the changes to a record. */
export function changesPage(
  state: MockState,
  { kind, id }: { kind: MockChange['kind']; id: string },
  query: { page: number; per_page: number },
) {
  const { rows: changes, pagination } = paginateRows(changesOf(state, kind, id), query)
  return { changes, pagination }
}
