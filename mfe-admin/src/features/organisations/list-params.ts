import type { OrganisationState } from '@portal/contract/organisation-shapes'
import { pageOf } from '../../parts/page-of.ts'

/** URL parameters of the list: `?search=…&state=…&vetted=…&page=…`; empty means any. */
export interface ListParams {
  search: string
  state: OrganisationState | ''
  vetted: 'true' | 'false' | ''
  page: number
}

export const states: readonly OrganisationState[] = ['active', 'suspended', 'closed']
const answers = ['true', 'false'] as const

/** Parses the URL parameters; invalid values fall back to any. */
export const readParams = (query: URLSearchParams): ListParams => ({
  search: query.get('search') ?? '',
  state: states.find(state => state === query.get('state')) ?? '',
  vetted: answers.find(answer => answer === query.get('vetted')) ?? '',
  page: pageOf(query),
})

/** Serialises the URL parameters, leaving out defaults. */
export function writeParams({ page, ...filters }: ListParams): URLSearchParams {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  if (page > 1) query.set('page', String(page))
  return query
}

export const isFiltered = ({ page: _, ...filters }: ListParams) =>
  Object.values(filters).some(value => value !== '')

/** The list's query without the page, also used for the export. */
export const queryOf = ({ search, state, vetted }: ListParams) => ({
  search: search.trim(),
  ...(state !== '' && { state }),
  ...(vetted !== '' && { vetted }),
})
