import { parseChoice, parseDay } from '@portal/router/params'
/*
 * Filters of the organisation's history in the URL: `?search=…&result=…&source=…&requested_by=…&from=…&to=…`; empty means any.
 */

export const results = [
  { value: 'verified', label: 'Found' },
  { value: 'not_found', label: 'Not found' },
] as const
export const sources = ['portal', 'batch', 'api'] as const

/** Parses the filters; invalid values count as not set. */
export const filtersOf = (query: URLSearchParams): Record<Filter, string> => ({
  search: query.get('search') ?? '',
  result: results.find(({ value }) => value === query.get('result'))?.value ?? '',
  source: parseChoice(sources, query.get('source')),
  requested_by: (query.get('requested_by') ?? '').slice(0, 64),
  from: parseDay(query.get('from')),
  to: parseDay(query.get('to')),
})

type Filter = 'search' | 'result' | 'source' | 'requested_by' | 'from' | 'to'

export const isFiltered = (filters: Record<Filter, string>) =>
  Object.values(filters).some(value => value !== '')

/** Returns the parameters of the request. */
export const toQuery = ({ from, to, result, source, ...rest }: Record<Filter, string>) => ({
  ...rest,
  result: results.find(({ value }) => value === result)?.value,
  source: sources.find(value => value === source),
  date_from: from,
  date_to: to,
})
