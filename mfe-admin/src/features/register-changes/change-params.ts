import { type ChangeAction, type ChangeSource, changeActions, changeSources } from '@portal/contract/history'
import { parseChoice, parseDay, readPage, toSearchParams } from '@portal/router/params'

/** URL parameters of register changes: `?search=…&actor=…&action=…&source=…&from=…&to=…&page=…`. */
export interface ChangeParams {
  /** The beginning of a certificate number. */
  search: string
  /** ID of the account that made the change. */
  actor: string
  action: ChangeAction | ''
  source: ChangeSource | ''
  /** `YYYY-MM-DD`, the first day; both days are included. */
  from: string
  to: string
  page: number
}

export const noFilters: ChangeParams = {
  search: '',
  actor: '',
  action: '',
  source: '',
  from: '',
  to: '',
  page: 1,
}

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readChangeParams(query: URLSearchParams): ChangeParams {
  return {
    search: query.get('search') ?? '',
    actor: query.get('actor') ?? '',
    action: parseChoice(changeActions, query.get('action')),
    source: parseChoice(changeSources, query.get('source')),
    from: parseDay(query.get('from')),
    to: parseDay(query.get('to')),
    page: readPage(query),
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export const writeChangeParams = (params: ChangeParams) => toSearchParams({ ...params })

export const isFiltered = ({ page: _, ...filters }: ChangeParams) =>
  Object.values(filters).some(value => value !== '')

/** Returns the API's query for the list and its export; the list adds the page. */
export const toChangeQuery = ({ search, actor, action, source, from, to }: ChangeParams) => ({
  search: search.trim(),
  actor,
  ...(action !== '' && { action }),
  ...(source !== '' && { source }),
  date_from: from,
  date_to: to,
})
