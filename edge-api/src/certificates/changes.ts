import type { ChangeValue } from '@portal/contract/history'
import type { registerChanges } from '@portal/contract/register-changes'
import { paginate } from '@portal/contract/shapes'
import { toChange } from '../history/change-response.ts'
import type { RegisterChangeFilter } from '../history/list-store.ts'
import { listRegisterChanges, listRegisterChangesBelow } from '../history/list-store.ts'
import type { ChangeWithActor } from '../history/store.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'

type List = typeof registerChanges.list

const EXPORT_BATCH = 1000
const DAY = 86_400_000

const filterOf = ({ query }: Call<List>): RegisterChangeFilter => ({
  actor: query.actor,
  action: query.action,
  source: query.source,
  search: query.search,
  from: query.date_from === undefined ? undefined : Date.parse(query.date_from),
  before: query.date_to === undefined ? undefined : Date.parse(query.date_to) + DAY,
})

const toRegisterChange = (row: ChangeWithActor) => ({
  ...toChange(row),
  certificate_id: row.recordId,
  certificate_number: row.label ?? '',
})

async function listPage(call: Call<List>) {
  const { page, per_page: perPage } = call.query
  const { rows, total, isMinimum } = await listRegisterChanges(call.db.read, {
    ...filterOf(call),
    offset: (page - 1) * perPage,
    limit: perPage,
  })
  return {
    changes: rows.map(toRegisterChange),
    pagination: { ...paginate(page, perPage, total), ...(isMinimum && { total_is_minimum: true as const }) },
  }
}

/** Converts the value of a field to a CSV value. */
const toCsvValue = (value: ChangeValue): string | number | boolean | null =>
  Array.isArray(value) ? value.join(', ') : value

/** Returns the export's lines for one change: a line per changed field, or a single line if no field changed. */
function buildHistoryLines(row: ChangeWithActor) {
  const { at, actor, action, reason, source, version, changes, certificate_number } = toRegisterChange(row)
  const line = {
    at,
    actor_email: actor?.email ?? null,
    certificate_number,
    action,
    reason,
    source: source.kind,
    source_label: source.label,
    version,
  }
  const fields = changes.length > 0 ? changes : [{ field: null, from: null, to: null }]
  return fields.map(({ field, from, to }) => ({ ...line, field, from: toCsvValue(from), to: toCsvValue(to) }))
}

async function* exportAll(call: Call<List>) {
  for (let below: number | undefined; ; ) {
    const rows = await listRegisterChangesBelow(call.db.read, {
      ...filterOf(call),
      below,
      limit: EXPORT_BATCH,
    })
    yield rows.flatMap(buildHistoryLines)
    below = rows.at(-1)?.id
    if (rows.length < EXPORT_BATCH || below === undefined) return
  }
}

export const registerChangeHandlers: HandlersOf<typeof registerChanges> = {
  list: withCsv<List>(listPage, exportAll),
}
