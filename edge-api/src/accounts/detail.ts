import type { adminUsers } from '@portal/contract/admin-users'
import { paginate } from '@portal/contract/shapes'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { toChange } from '../history/change-response.ts'
import { listChangesOf } from '../history/store.ts'
import type { Handler } from '../http/serve.ts'
import { toActivityLog } from '../logs/log-response.ts'
import { buildStatistics } from '../logs/rules.ts'
import { countLogs, listLogs } from '../logs/store.ts'
import type { Principal } from '../principal.ts'
import { isoOrNull } from '../wire.ts'
import { accountOf } from './changes.ts'
import { countPayments, listMembershipsOfUser } from './detail-store.ts'
import { findSecondFactor } from './second-factor-store.ts'
import { findUser, type User } from './store.ts'

type Domain = typeof adminUsers

/** Finds any account, including erased ones. @throws Fault `USER_NOT_FOUND` */
async function anyAccountOrFail(db: Reader, id: string): Promise<User> {
  const user = await findUser(db, { id })
  if (!user) throw new Fault('USER_NOT_FOUND')
  return user
}

/** Finds an account that has not been erased. @throws Fault `USER_NOT_FOUND` */
async function accountOrFail(db: Reader, id: string): Promise<User> {
  const user = await anyAccountOrFail(db, id)
  if (user.erasedAt !== null) throw new Fault('USER_NOT_FOUND')
  return user
}

/**
 * Requires that the caller may view an account: only super admins can view the details of staff accounts.
 * @throws Fault `FORBIDDEN`
 */
function requireCanView({ role }: Principal, target: User): void {
  if (target.role !== 'user' && role !== 'super_admin') throw new Fault('FORBIDDEN')
}

/** Returns an account with its organisations and counts. */
export const readAccount: Handler<Domain['read']> = async ({ db: { read: db }, params, user: caller }) => {
  const user = await accountOrFail(db, params.id)
  const isSuperAdmin = caller.role === 'super_admin'
  const secondFactor = isSuperAdmin ? await findSecondFactor(db, { userId: user.id }) : undefined
  return {
    user: accountOf(user),
    organisations: await listMembershipsOfUser(db, { userId: user.id }),
    counts: await countPayments(db, { userId: user.id }),
    second_factor: isSuperAdmin ? { is_set_up: (secondFactor?.confirmedAt ?? null) !== null } : null,
    erasure: isSuperAdmin ? { due_at: isoOrNull(user.erasureDueAt) } : null,
  }
}

/** Returns the recorded changes of an account, newest first. After an erasure, only their times and actors remain. */
export const showAccountHistory: Handler<Domain['history']> = async ({
  db: { read: db },
  params,
  query,
  user: caller,
}) => {
  const { page, per_page: limit } = query
  const target = await anyAccountOrFail(db, params.id)
  requireCanView(caller, target)
  const { rows, total } = await listChangesOf(db, {
    kind: 'user',
    recordId: target.id,
    offset: (page - 1) * limit,
    limit,
  })
  return { changes: rows.map(toChange), pagination: paginate(page, limit, total) }
}

/** Returns what an account did, from the activity log. */
export const showActivity: Handler<Domain['activity']> = async ({
  db: { read: db },
  params,
  query,
  user: caller,
}) => {
  const { page, per_page: perPage } = query
  const target = await accountOrFail(db, params.id)
  requireCanView(caller, target)
  const filter = { view: { all: true }, userId: target.id, search: '' } as const
  const rows = await listLogs(db, { ...filter, page, perPage })
  const { total } = buildStatistics(await countLogs(db, filter))
  return { logs: rows.map(toActivityLog), pagination: paginate(page, perPage, total) }
}
