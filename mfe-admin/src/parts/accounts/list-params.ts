import type { UserSort, UserStatus } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { parseChoice, parseDay, readPage, toSearchParams } from '@portal/router/params'

/** URL parameters of an account list: `?search=…&role=…&status=…&from=…&to=…&sort=…&page=…`; empty means any. */
export interface ListParams {
  search: string
  role: Role | ''
  status: UserStatus | ''
  /** The first day of creation, `YYYY-MM-DD`; both days are included. */
  from: string
  to: string
  sort: UserSort
  page: number
}

const NEWEST_FIRST: UserSort = '-created_at'
export const sorts = [NEWEST_FIRST, 'created_at', 'lastname', '-lastname', 'email', '-email'] as const

export const defaultParams: ListParams = {
  search: '',
  role: '',
  status: '',
  from: '',
  to: '',
  sort: NEWEST_FIRST,
  page: 1,
}

/** Status filters, in display order. */
export const statuses = ['enabled', 'disabled', 'verified', 'unverified'] as const satisfies UserStatus[]

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readListParams(query: URLSearchParams, roles: readonly Role[]): ListParams {
  return {
    search: query.get('search') ?? '',
    role: parseChoice(roles, query.get('role')),
    status: parseChoice(statuses, query.get('status')),
    from: parseDay(query.get('from')),
    to: parseDay(query.get('to')),
    sort: parseChoice(sorts, query.get('sort')) || NEWEST_FIRST,
    page: readPage(query),
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export const writeListParams = (params: ListParams) => toSearchParams({ ...params }, { sort: NEWEST_FIRST })

/** Returns true if any filter is set. */
export const isFiltered = ({ search, role, status, from, to }: ListParams) =>
  [search, role, status, from, to].some(value => value !== '')

/**
 * Returns the API's query for the list and its export; the list adds the page.
 * @param roles the roles to which the list is limited
 */
export const toListQuery = (
  { search, role, status, from, to, sort }: ListParams,
  roles: readonly Role[],
) => ({
  search: search.trim(),
  role: role || roles.join(','),
  status,
  created_from: from,
  created_to: to,
  ...(sort !== NEWEST_FIRST && { sort }),
})
