import type { OrganisationState } from '@portal/contract/organisation-shapes'
import { parseChoice, readPage, toSearchParams } from '@portal/router/params'

/** URL parameters of the list: `?search=…&state=…&vetted=…&page=…`; empty means any. */
export interface ListParams {
  search: string
  state: OrganisationState | ''
  vetted: 'true' | 'false' | ''
  page: number
}

export const states: readonly OrganisationState[] = ['active', 'suspended', 'closed']
const vettedValues = ['true', 'false'] as const

/** Parses the URL parameters; an invalid value means any. */
export const readParams = (query: URLSearchParams): ListParams => ({
  search: query.get('search') ?? '',
  state: parseChoice(states, query.get('state')),
  vetted: parseChoice(vettedValues, query.get('vetted')),
  page: readPage(query),
})

/** Serialises the URL parameters, leaving out defaults. */
export const writeParams = (params: ListParams) => toSearchParams({ ...params })

export const isFiltered = ({ page: _, ...filters }: ListParams) =>
  Object.values(filters).some(value => value !== '')

/** Returns the API's query for the list and its export; the list adds the page. */
export const toListQuery = ({ search, state, vetted }: ListParams) => ({
  search: search.trim(),
  ...(state !== '' && { state }),
  ...(vetted !== '' && { vetted }),
})
