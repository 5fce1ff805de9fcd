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

/** URL parameters: `?view=…&state=…&kind=…&search=…&from=…&to=…&page=…&settlement=…`. */
export interface SettlementParams {
  view: View
  /** `all` for every state. */
  state: (typeof states)[number] | 'all'
  kind: (typeof kinds)[number] | ''
  search: string
  /** `YYYY-MM-DD`, inclusive; so is `to`. */
  from: string
  to: string
  page: number
  /** The settlement open in the drawer. */
  settlement: string
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** Parses the URL parameters; differences default to the open ones. */
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

/** Serialises the URL parameters, leaving out defaults. */
export function writeParams(params: SettlementParams): URLSearchParams {
  const named = {
    ...params,
    view: params.view === 'differences' ? '' : params.view,
    state: params.state === 'open' ? '' : params.state,
    page: params.page > 1 ? String(params.page) : '',
  }
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''))
}

/** True if the filters differ from the defaults. */
export const isFiltered = ({ state, kind, search, from, to }: SettlementParams) =>
  state !== 'open' || [kind, search, from, to].some(value => value !== '')
