import { type RegisterSort, registerSorts } from '@portal/contract/register-filters'

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

const NEWEST: RegisterSort = '-uploaded_at'

export const noFilters = Object.fromEntries(filterNames.map(name => [name, ''])) as Filters

/** Parses the URL parameters; an invalid page number means page 1, an unknown order means newest first. */
export function readListParams(query: URLSearchParams): ListParams {
  const page = Number(query.get('page') ?? '1')
  const filters = { ...noFilters }
  for (const name of filterNames) filters[name] = query.get(name) ?? ''
  return {
    search: query.get('search') ?? '',
    page: Number.isInteger(page) && page >= 1 ? page : 1,
    state: query.get('state') === 'deleted' ? 'deleted' : 'current',
    sort: registerSorts.find(sort => sort === query.get('sort')) ?? NEWEST,
    filters,
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export function writeListParams({ search, page, state, sort, filters }: ListParams): URLSearchParams {
  const query = new URLSearchParams()
  if (search !== '') query.set('search', search)
  for (const name of filterNames) if (filters[name] !== '') query.set(name, filters[name])
  if (state !== 'current') query.set('state', state)
  if (sort !== NEWEST) query.set('sort', sort)
  if (page > 1) query.set('page', String(page))
  return query
}

/** Number of active filters. */
export const countFilters = (filters: Filters): number =>
  filterNames.filter(name => filters[name] !== '').length

/** The list's query without the page, also used for the export. */
export const listQuery = ({ search, state, sort, filters }: ListParams) => ({
  search: search.trim(),
  ...(state === 'deleted' && { state }),
  ...(sort !== NEWEST && { sort }),
  ...(Object.fromEntries(
    filterNames.flatMap(name => (filters[name] === '' ? [] : [[name, filters[name]]])),
  ) as Partial<Omit<Filters, 'letters'>> & { letters?: 'with' | 'without' }),
})
