import type { UserStatus } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'

/** URL parameters of an account list: `?search=…&role=…&status=…&page=…`; empty means any. */
export interface ListParams {
  search: string
  role: Role | ''
  status: UserStatus | ''
  page: number
}

export const everything: ListParams = { search: '', role: '', status: '', page: 1 }

/** Status filters, in display order. */
export const statuses = ['enabled', 'disabled', 'verified', 'unverified'] as const satisfies UserStatus[]

const oneOf = <T extends string>(choices: readonly T[], text: string | null): T | '' =>
  choices.find(choice => choice === text) ?? ''

/** Parses the URL parameters; invalid values fall back to the defaults. */
export function readListParams(query: URLSearchParams, roles: readonly Role[]): ListParams {
  const page = Number(query.get('page') ?? '1')
  return {
    search: query.get('search') ?? '',
    role: oneOf(roles, query.get('role')),
    status: oneOf(statuses, query.get('status')),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  }
}

/** Serialises the URL parameters, leaving out defaults. */
export function writeListParams({ page, ...filters }: ListParams): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value !== '') query.set(name, value)
  if (page > 1) query.set('page', String(page))
  return query
}

/** True if any filter is set. */
export const isFiltered = ({ search, role, status }: ListParams) =>
  search !== '' || role !== '' || status !== ''
