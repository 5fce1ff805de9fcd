import type { adminUsers } from '@portal/contract/admin-users'
import { paginate } from '@portal/contract/shapes'
import { type Call, withCsv } from '../http/serve.ts'
import { accountOf } from './changes.ts'
import { listSorted, listUsers, listUsersSorted, type SortedFilter } from './list-store.ts'

type List = typeof adminUsers.list

const EXPORT_BATCH = 1000
const DAY = 86_400_000

const filterOf = ({ query }: Call<List>): SortedFilter => ({
  search: query.search,
  roles: query.role,
  status: query.status,
  from: query.created_from === undefined ? undefined : Date.parse(query.created_from),
  before: query.created_to === undefined ? undefined : Date.parse(query.created_to) + DAY,
  sort: query.sort ?? '-created_at',
})

async function page(call: Call<List>) {
  const { page, per_page: perPage } = call.query
  const filter = filterOf(call)
  const { from, before, sort } = filter
  const plain = from === undefined && before === undefined && sort === '-created_at'
  const { rows, total } = await (plain ? listUsers : listUsersSorted)(call.db.read, {
    ...filter,
    page,
    perPage,
  })
  return { users: rows.map(accountOf), pagination: paginate(page, perPage, total) }
}

/** Admins may take a file of ordinary users only. */
async function* exportAll(call: Call<List>) {
  const filter = filterOf(call)
  const roles = call.user.role === 'super_admin' ? filter.roles : (['user'] as const)
  if (filter.roles.length > 0 && !roles.some(role => filter.roles.includes(role))) return
  for (let offset = 0; ; offset += EXPORT_BATCH) {
    const rows = await listSorted(call.db.read, { ...filter, roles, limit: EXPORT_BATCH, offset })
    yield rows.map(accountOf)
    if (rows.length < EXPORT_BATCH) return
  }
}

/** Accounts by filter, sorted; as a file all that match. */
export const list = withCsv<List>(page, exportAll)
