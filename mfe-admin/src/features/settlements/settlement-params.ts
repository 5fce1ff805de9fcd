export const views = ['differences', 'settlements'] as const
export type View = (typeof views)[number]

export const kinds = [
  'not_settled',
  'unknown_here',
  'amount_differs',
  'fee_differs',
  'deduction',
  'total_differs',
] as const
export const states = ['open', 'explained', 'resolved'] as const

/** What the address holds: `?view=…&state=…&kind=…&search=…&from=…&to=…&page=…&settlement=…`. */
export interface SettlementParams {
  view: View
  /** `all` for every state. */
  state: (typeof states)[number] | 'all'
  kind: (typeof kinds)[number] | ''
  search: string
  /** `YYYY-MM-DD`, inclusive, as `to` is. */
  from: string
  to: string
  page: number
  /** The settlement whose lines are open. */
  settlement: string
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** Reads the address; what is no filter is none. Differences are the open ones unless others are asked for. */
export function readParams(query: URLSearchParams): SettlementParams {
  const text = (name: string) => query.get(name) ?? ''
  const day = (name: string) => (isDay(text(name)) ? text(name) : '')
  const page = Number(query.get('page') ?? '1')
  return {
    view: views.find(view => view === text('view')) ?? 'differences',
    state: [...states, 'all' as const].find(state => state === text('state')) ?? 'open',
    kind: kinds.find(kind => kind === text('kind')) ?? '',
    search: text('search'),
    from: day('from'),
    to: day('to'),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
    settlement: text('settlement'),
  }
}

/** The address of a view; what is as usual is left out. */
export function writeParams(params: SettlementParams): URLSearchParams {
  const named = {
    ...params,
    view: params.view === 'differences' ? '' : params.view,
    state: params.state === 'open' ? '' : params.state,
    page: params.page > 1 ? String(params.page) : '',
  }
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''))
}

/** True when the list shows less, or others, than it does at first. */
export const isFiltered = ({ state, kind, search, from, to }: SettlementParams) =>
  state !== 'open' || [kind, search, from, to].some(value => value !== '')
