import { parseChoice, parseDay, readPage, toSearchParams } from '@portal/router/params'
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
  /** A state, or `all` for every state. */
  state: (typeof states)[number] | 'all'
  kind: (typeof kinds)[number] | ''
  search: string
  /** `YYYY-MM-DD`, the first day; both days are included. */
  from: string
  to: string
  page: number
  /** ID of the settlement open in the drawer. */
  settlement: string
}

const defaults = { view: 'differences', state: 'open' } as const

/** Parses the URL parameters; by default, only open differences are listed. */
export function readParams(query: URLSearchParams): SettlementParams {
  const text = (name: string) => query.get(name) ?? ''
  return {
    view: parseChoice(views, text('view')) || defaults.view,
    state: parseChoice([...states, 'all' as const], text('state')) || defaults.state,
    kind: parseChoice(kinds, text('kind')),
    search: text('search'),
    from: parseDay(text('from')),
    to: parseDay(text('to')),
    page: readPage(query),
    settlement: text('settlement'),
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export const writeParams = (params: SettlementParams) => toSearchParams({ ...params }, defaults)

/** Returns true if the filters differ from the defaults. */
export const isFiltered = ({ state, kind, search, from, to }: SettlementParams) =>
  state !== 'open' || [kind, search, from, to].some(value => value !== '')
