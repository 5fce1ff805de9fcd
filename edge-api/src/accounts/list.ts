import type { adminUsers } from '@portal/contract/admin-users'
import { paginate } from '@portal/contract/shapes'
import { type Call, withCsv } from '../http/serve.ts'
import { accountOf } from './changes.ts'
import {
  type AccountKey,
  listUsers,
  listUsersAfter,
  listUsersSorted,
  type SortedFilter,
} from './list-store.ts'

type List = typeof adminUsers.list

/** Rows that an export reads per query. For a search it reads more at once, because each query repeats the whole search. */
const EXPORT_BATCH = 1000
const SEARCHED_BATCH = 20_000

const DAY = 86_400_000

const filterOf = ({ query }: Call<List>): SortedFilter => ({
  search: query.search,
  roles: query.role,
  status: query.status,
  from: query.created_from === undefined ? undefined : Date.parse(query.created_from),
  before: query.created_to === undefined ? undefined : Date.parse(query.created_to) + DAY,
  sort: query.sort ?? '-created_at',
})

async function showPage(call: Call<List>) {
  const { page, per_page: perPage } = call.query
  const filter = filterOf(call)
  const { from, before, sort } = filter
  const isDefault = from === undefined && before === undefined && sort === '-created_at'
  const { rows, total, isMinimum } = await (isDefault ? listUsers : listUsersSorted)(call.db.read, {
    ...filter,
    page,
    perPage,
  })
  return {
    users: rows.map(accountOf),
    pagination: { ...paginate(page, perPage, total), ...(isMinimum && { total_is_minimum: true as const }) },
  }
}

/** Exports all matching accounts. Admins may export only accounts with the role user. */
async function* exportAll(call: Call<List>) {
  const filter = filterOf(call)
  const roles = call.user.role === 'super_admin' ? filter.roles : (['user'] as const)
  if (filter.roles.length > 0 && !roles.some(role => filter.roles.includes(role))) return
  const limit = filter.search === '' ? EXPORT_BATCH : SEARCHED_BATCH
  for (let afterRow: AccountKey | undefined; ; ) {
    const { rows, next } = await listUsersAfter(call.db.read, { ...filter, roles, afterRow, limit })
    yield rows.map(accountOf)
    if (!next) return
    afterRow = next
  }
}

/** Lists accounts by page, or exports all matching ones as a file. */
export const list = withCsv<List>(showPage, exportAll)
