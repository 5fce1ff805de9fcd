import type { Change } from '@portal/contract/history'
import { displayEmail, ERASED_ACCOUNT } from '../erased.ts'
import { iso } from '../wire.ts'
import type { ChangeWithActor } from './store.ts'

/** Converts a change to the API's format. */
export const toChange = (row: ChangeWithActor): Change => ({
  version: row.version,
  action: row.action,
  at: iso(row.at),
  actor:
    row.actorId === null ? null : { id: row.actorId, email: displayEmail(row.actorEmail) ?? ERASED_ACCOUNT },
  source: { kind: row.sourceKind, id: row.sourceId, label: row.sourceLabel },
  reason: row.reason,
  changes: row.fields,
})
