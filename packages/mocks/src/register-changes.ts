import type { registerChanges as routes } from '@portal/contract/register-changes'
import { pageOf } from './page-of.ts'
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
        each =>
          (actor === undefined || each.actor?.id === actor || each.actor?.email === actor.toLowerCase()) &&
          (action === undefined || each.action === action) &&
          (source === undefined || each.source.kind === source) &&
          (each.label ?? '').startsWith(number) &&
          (from === undefined || each.at.slice(0, 10) >= from) &&
          (to === undefined || each.at.slice(0, 10) <= to),
      )
      .map(each => ({ ...each, certificate_id: each.record_id, certificate_number: each.label ?? '' }))
    const { rows, pagination } = pageOf(changes, query)
    return { changes: rows, pagination }
  },
}
