import type { UserStatus } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'

/** What the address of a list of accounts holds: `?search=…&role=…&status=…&page=…`; empty means any. */
export interface ListParams {
  search: string
  role: Role | ''
  status: UserStatus | ''
  page: number
}

export const everything: ListParams = { search: '', role: '', status: '', page: 1 }

/** The status filter, in the order of its choices. */
export const statuses = ['enabled', 'disabled', 'verified', 'unverified'] as const satisfies UserStatus[]

const oneOf = <T extends string>(choices: readonly T[], text: string | null): T | '' =>
  choices.find(choice => choice === text) ?? ''

/** Reads the address; a filter that is no choice means any, anything that is no page number the first page. */
export function readListParams(query: URLSearchParams, roles: readonly Role[]): ListParams {
  const page = Number(query.get('page') ?? '1')
  return {
    search: query.get('search') ?? '',
    role: oneOf(roles, query.get('role')),
    status: oneOf(statuses, query.get('status')),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  }
}

/** The address of a list; what is as usual is left out, so that addresses stay short. */
export function writeListParams({ page, ...filters }: ListParams): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value !== '') query.set(name, value)
  if (page > 1) query.set('page', String(page))
  return query
}

/** True when something narrows the list. */
export const isFiltered = ({ search, role, status }: ListParams) =>
  search !== '' || role !== '' || status !== ''
