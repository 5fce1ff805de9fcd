import { accountMessages } from '@portal/rules/messages'
import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { consume, requireAllowance } from '../limits/limiter.ts'
import { verifyPassword } from './passwords.ts'
import { findUser, type User } from './store.ts'

/** The parts of a call that are needed to check the caller's password. */
export type PasswordCheckCall = Pick<Call, 'db' | 'ports'> & { user: { id: string } }

/**
 * Requires the password of a logged-in caller, so that a stolen session is not enough for irreversible actions. All these
 * checks share one limit on wrong passwords.
 * @returns the caller's account as read for the check
 * @throws Fault `INVALID_CURRENT_PASSWORD` at the field `current_password`, `RATE_LIMITED`
 */
export async function requireOwnPassword(call: PasswordCheckCall, password: string): Promise<User> {
  await requireAllowance(call, 'current_password', call.user.id)
  const account = await findUser(call.db.read, { id: call.user.id })
  const { PASSWORD_COST } = call.ports.environment
  const isCorrect = await verifyPassword(password, account?.passwordHash, PASSWORD_COST)
  if (!account || !isCorrect) {
    await consume(call, 'current_password', call.user.id)
    throw createWrongPasswordFault()
  }
  // Checked again after hashing, because parallel attempts may have used up the limit. The response is then the same for a
  // correct password.
  await requireAllowance(call, 'current_password', call.user.id)
  return account
}

/** Creates the error for a wrong current password, reported at its field. */
export const createWrongPasswordFault = () =>
  new Fault('INVALID_CURRENT_PASSWORD', {
    fields: { current_password: accountMessages.wrongOwnPassword },
  })
