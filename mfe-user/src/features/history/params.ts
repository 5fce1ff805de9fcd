import type { HistoryOutcome, HistorySort } from '@portal/contract/verification-history'
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

/** Outcomes in display order. Types only come from the contract: its schemas weigh more than the screen. */
export const outcomes: readonly { value: HistoryOutcome; label: string }[] = [
  { value: 'success', label: 'Found' },
  { value: 'not_found', label: 'Not found' },
  { value: 'pending', label: 'Payment open' },
  { value: 'not_paid', label: 'Not paid' },
]
const sorts: readonly HistorySort[] = [
  '-created_at',
  'created_at',
  'certificate_number',
  '-certificate_number',
]

export const everything: HistoryParams = {
  search: '',
  outcome: '',
  from: '',
  to: '',
  sort: '-created_at',
  page: 1,
}

const day = (text: string | null) => (text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? text : '')

/** The page of the address, at least 1; anything else in there reads as 1. */
const pageOf = (text: string | null) => (text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1)

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readParams(query: URLSearchParams): HistoryParams {
  return {
    search: query.get('search') ?? '',
    outcome: outcomes.find(({ value }) => value === query.get('outcome'))?.value ?? '',
    from: day(query.get('from')),
    to: day(query.get('to')),
    sort: sorts.find(sort => sort === query.get('sort')) ?? everything.sort,
    page: pageOf(query.get('page')),
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export function writeParams(params: HistoryParams): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (value !== everything[name as keyof HistoryParams]) query.set(name, String(value))
  return query
}

/** True if a search or filter is set. */
export const isFiltered = ({ search, outcome, from, to }: HistoryParams) =>
  [search, outcome, from, to].some(each => each !== '')

/** Parameters of the call. Unset ones are omitted, as in the specification's example. */
export const queryOf = ({ search, outcome, from, to, sort }: HistoryParams) => ({
  ...(search !== '' && { search }),
  ...(outcome !== '' && { outcome }),
  ...(from !== '' && { date_from: from }),
  ...(to !== '' && { date_to: to }),
  ...(sort !== everything.sort && { sort }),
})

/** The order as the table marks it: `created_at` is the column of dates. */
export const tableSort = (sort: HistorySort): Sort => ({
  key: sort.endsWith('created_at') ? 'date' : 'certificate',
  direction: sort.startsWith('-') ? 'desc' : 'asc',
})

/** The order that a column's header chooses. */
export const sortOf = ({ key, direction }: Sort): HistorySort => {
  const by = key === 'date' ? 'created_at' : 'certificate_number'
  return direction === 'desc' ? `-${by}` : by
}
