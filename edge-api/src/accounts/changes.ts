import type { AdminUser, adminUsers } from '@portal/contract/admin-users'
import { errorCatalogue } from '@portal/contract/errors'
import { isExpected } from '@portal/contract/if-match'
import type { Tx } from '../db/database.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { iso } from '../wire.ts'
import { toValues } from './history.ts'
import type { Actor } from './rules.ts'
import { findSession } from './session-store.ts'
import { findUser, type User } from './store.ts'

/** The parts of a call that are needed when staff change an account. */
export type StaffCall = Pick<
  Call<typeof adminUsers.toggleStatus>,
  'db' | 'ports' | 'user' | 'address' | 'requestId'
> &
  Partial<Pick<Call, 'expected'>>

/** Converts an account to the form in which staff see it. */
export const accountOf = (user: User): AdminUser => ({
  id: user.id,
  ...toValues(user),
  created_at: iso(user.createdAt),
  version: user.version,
})

/**
 * Reads the caller's account again inside the transaction: if two admins demote each other at the same time, only the first
 * succeeds.
 * @throws Fault `UNAUTHENTICATED` if the session has ended
 */
export async function readCurrentActor(tx: Tx, { user, ports }: StaffCall): Promise<Actor> {
  const actor = await findSession(tx, { sessionId: user.sessionId, now: ports.clock.now() })
  if (!actor) throw new Fault('UNAUTHENTICATED')
  return actor
}

/**
 * Runs `work` in a write transaction, with the caller's and the target account as stored at that time.
 * @throws Fault `USER_NOT_FOUND`, `VERSION_CONFLICT`, `EMAIL_TAKEN`
 */
export async function changeAccount<T>(
  call: StaffCall & { params: { id: string } },
  work: (tx: Tx, current: { actor: Actor; target: User }) => Promise<T>,
): Promise<T> {
  return await reportTakenEmail(
    call.db.write(async tx => {
      const actor = await readCurrentActor(tx, call)
      const target = await findUser(tx, { id: call.params.id })
      if (!target || target.erasedAt !== null) throw new Fault('USER_NOT_FOUND')
      if (!isExpected(call.expected, target.version)) throw new Fault('VERSION_CONFLICT')
      return await work(tx, { actor, target })
    }),
  )
}

/**
 * Waits for `work`, and reports the database's unique violation for an email address as the fault `EMAIL_TAKEN`, at its field.
 */
export async function reportTakenEmail<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Fault('EMAIL_TAKEN', { cause: error, fields: { email: errorCatalogue.EMAIL_TAKEN.message } })
  }
}
