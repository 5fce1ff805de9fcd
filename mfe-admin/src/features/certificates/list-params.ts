import { type RegisterSort, registerSorts } from '@portal/contract/register-filters'
import { parseChoice, readPage, toSearchParams } from '@portal/router/params'

const filterNames = [
  'department',
  'course',
  'grade',
  'graduated_from',
  'graduated_to',
  'uploaded_from',
  'uploaded_to',
  'uploader',
  'upload_id',
  'letters',
] as const
export type FilterName = (typeof filterNames)[number]
export type Filters = Record<FilterName, string>

/** URL parameters of the certificate list: `?search=…&grade=…&state=deleted&sort=student_name&page=…`. */
export interface ListParams {
  search: string
  page: number
  state: 'current' | 'deleted'
  sort: RegisterSort
  filters: Filters
}

const CURRENT = 'current'
const NEWEST_FIRST: RegisterSort = '-uploaded_at'

export const noFilters = Object.fromEntries(filterNames.map(name => [name, ''])) as Filters

/** Parses the URL parameters; an invalid page number means page 1, and an unknown order means newest first. */
export function readListParams(query: URLSearchParams): ListParams {
  const filters = { ...noFilters }
  for (const name of filterNames) filters[name] = query.get(name) ?? ''
  return {
    search: query.get('search') ?? '',
    page: readPage(query),
    state: query.get('state') === 'deleted' ? 'deleted' : CURRENT,
    sort: parseChoice(registerSorts, query.get('sort')) || NEWEST_FIRST,
    filters,
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export const writeListParams = ({ search, filters, state, sort, page }: ListParams) =>
  toSearchParams({ search, ...filters, state, sort, page }, { state: CURRENT, sort: NEWEST_FIRST })

/** Returns the number of active filters. */
export const countFilters = (filters: Filters): number =>
  filterNames.filter(name => filters[name] !== '').length

/** Returns the API's query for the list and its export; the list adds the page. */
export const toListQuery = ({ search, state, sort, filters }: ListParams) => ({
  search: search.trim(),
  ...(state === 'deleted' && { state }),
  ...(sort !== NEWEST_FIRST && { sort }),
  ...(Object.fromEntries(
    filterNames.flatMap(name => (filters[name] === '' ? [] : [[name, filters[name]]])),
  ) as Partial<Omit<Filters, 'letters'>> & { letters?: 'with' | 'without' }),
})
