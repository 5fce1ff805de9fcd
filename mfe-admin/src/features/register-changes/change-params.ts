import { type ChangeAction, type ChangeSource, changeActions, changeSources } from '@portal/contract/history'

/** URL parameters of register changes: `?search=…&actor=…&action=…&source=…&from=…&to=…&page=…`. */
export interface ChangeParams {
  /** Beginning of a certificate number. */
  search: string
  /** ID of the account that made the change. */
  actor: string
  action: ChangeAction | ''
  source: ChangeSource | ''
  /** `YYYY-MM-DD`, inclusive; so is `to`. */
  from: string
  to: string
  page: number
}

export const noFilters: ChangeParams = {
  search: '',
  actor: '',
  action: '',
  source: '',
  from: '',
  to: '',
  page: 1,
}

const oneOf = <T extends string>(choices: readonly T[], text: string | null): T | '' =>
  choices.find(choice => choice === text) ?? ''
const day = (text: string | null) =>
  text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readChangeParams(query: URLSearchParams): ChangeParams {
  const page = Number(query.get('page') ?? '1')
  return {
    search: query.get('search') ?? '',
    actor: query.get('actor') ?? '',
    action: oneOf(changeActions, query.get('action')),
    source: oneOf(changeSources, query.get('source')),
    from: day(query.get('from')),
    to: day(query.get('to')),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export function writeChangeParams({ page, ...filters }: ChangeParams): URLSearchParams {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  if (page > 1) query.set('page', String(page))
  return query
}

export const isFiltered = ({ page: _, ...filters }: ChangeParams) =>
  Object.values(filters).some(value => value !== '')

/** The list's query without the page, also used for the export. */
export const changeQuery = ({ search, actor, action, source, from, to }: ChangeParams) => ({
  search: search.trim(),
  actor,
  ...(action !== '' && { action }),
  ...(source !== '' && { source }),
  date_from: from,
  date_to: to,
})
