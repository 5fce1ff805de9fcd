import type { HistoryOutcome, HistorySort } from '@portal/contract/verification-history'
import { parseChoice, parseDay, readPage, toSearchParams } from '@portal/router/params'
import type { Sort } from '@portal/ui/table'

/** URL parameters of the history: `?search=…&outcome=…&from=…&to=…&sort=…&page=…`; empty means any. */
export interface HistoryParams {
  search: string
  outcome: HistoryOutcome | ''
  from: string
  to: string
  sort: HistorySort
  page: number
}

/** The outcomes in display order. Only types are imported from the contract, because its schemas are larger than the screen. */
export const outcomes: readonly { value: HistoryOutcome; label: string }[] = [
  { value: 'success', label: 'Found' },
  { value: 'not_found', label: 'Not found' },
  { value: 'pending', label: 'Payment pending' },
  { value: 'not_paid', label: 'Not paid' },
]
const sorts: readonly HistorySort[] = [
  '-created_at',
  'created_at',
  'certificate_number',
  '-certificate_number',
]

export const defaultParams: HistoryParams = {
  search: '',
  outcome: '',
  from: '',
  to: '',
  sort: '-created_at',
  page: 1,
}

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readParams(query: URLSearchParams): HistoryParams {
  return {
    search: query.get('search') ?? '',
    outcome: outcomes.find(({ value }) => value === query.get('outcome'))?.value ?? '',
    from: parseDay(query.get('from')),
    to: parseDay(query.get('to')),
    sort: parseChoice(sorts, query.get('sort')) || defaultParams.sort,
    page: readPage(query),
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export const writeParams = (params: HistoryParams) => toSearchParams({ ...params }, { ...defaultParams })

/** Returns true if a search or filter is set. */
export const isFiltered = ({ search, outcome, from, to }: HistoryParams) =>
  [search, outcome, from, to].some(item => item !== '')

/** Returns the parameters of the request. Unset ones are omitted, as in the specification's example. */
export const toQuery = ({ search, outcome, from, to, sort }: HistoryParams) => ({
  ...(search !== '' && { search }),
  ...(outcome !== '' && { outcome }),
  ...(from !== '' && { date_from: from }),
  ...(to !== '' && { date_to: to }),
  ...(sort !== defaultParams.sort && { sort }),
})

/** Returns the order as the table expects it, in which the key of `created_at` is `date`. */
export const toTableSort = (sort: HistorySort): Sort => ({
  key: sort.endsWith('created_at') ? 'date' : 'certificate',
  direction: sort.startsWith('-') ? 'desc' : 'asc',
})

/** Returns the order that a click on a column's header chooses. */
export const sortOf = ({ key, direction }: Sort): HistorySort => {
  const column = key === 'date' ? 'created_at' : 'certificate_number'
  return direction === 'desc' ? `-${column}` : column
}
