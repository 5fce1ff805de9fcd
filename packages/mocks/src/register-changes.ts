import type { registerChanges as routes } from '@portal/contract/register-changes'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'

export const registerChanges: HandlersOf<typeof routes> = {
  list({ state, query }) {
    const { actor, action, source, search, date_from: from, date_to: to } = query
    const number = search.trim().toUpperCase()
    const changes = (state.history ?? [])
      .filter(
        ({ kind, action, source }) =>
          // As in the API, the list leaves out certificates that an upload added.
          kind === 'certificate' && !(action === 'created' && source.kind === 'upload'),
      )
      .filter(
        item =>
          (actor === undefined || item.actor?.id === actor || item.actor?.email === actor.toLowerCase()) &&
          (action === undefined || item.action === action) &&
          (source === undefined || item.source.kind === source) &&
          (item.label ?? '').startsWith(number) &&
          (from === undefined || item.at.slice(0, 10) >= from) &&
          (to === undefined || item.at.slice(0, 10) <= to),
      )
      .map(item => ({ ...item, certificate_id: item.record_id, certificate_number: item.label ?? '' }))
    const { rows, pagination } = paginateRows(changes, query)
    return { changes: rows, pagination }
  },
}
