import type { auth } from '@portal/contract/auth'
import type { Tx } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import { Fault } from '../fault.ts'
import { consume, countWithin, requireAllowance } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { record } from '../logs/store.ts'
import type { Handler } from '../serve.ts'
import { findUserByEmail, replacePasswordHash } from '../users/store.ts'
import { iso } from '../wire.ts'
import { hashing, hashPassword, needsRehash, verifyPassword } from './passwords.ts'
import { loginRefusal, SESSION_LIFETIME, sessionUserOf } from './rules.ts'
import { redeemCode } from './second-factor.ts'
import { findSecondFactor } from './second-factor-store.ts'
import { deleteExpiredSessionsOf, deleteSession, insertSession } from './session-store.ts'
import { signToken } from './tokens.ts'

/**
 * Starts a session. An unknown e-mail costs the same work as a wrong password. The limits are asked before the hash
 * and again after it, so that of many guesses at once no more are answered than the limit allows: not even a right
 * one is told apart then.
 */
export const login: Handler<typeof auth.login> = async call => {
  const { body, db, ports } = call
  const { JWT_SECRETS: secrets, PASSWORD_COST } = ports.environment
  hashing.requireRoom()
  await requireAllowance(call, 'login_account', body.email)
  await requireAllowance(call, 'login_address', call.address)
  const user = await findUserByEmail(db.read, { email: body.email })
  const right = await verifyPassword(body.password, user?.passwordHash, PASSWORD_COST)
  const now = ports.clock.now()
  const context = {
    userId: user?.id ?? null,
    userEmail: user?.email ?? null,
    ipAddress: call.address,
    requestId: call.requestId,
    at: now,
  }

  if (!user || !right) {
    await countWrongTry(call)
    await db.write(tx =>
      record(tx, {
        ...context,
        activity: 'Login failed',
        details: user ? 'Wrong password' : 'Unknown email address',
      }),
    )
    throw new Fault('INVALID_CREDENTIALS')
  }
  await requireAllowance(call, 'login_account', body.email)
  await requireAllowance(call, 'login_address', call.address)
  const refusal = loginRefusal(user)
  if (refusal) throw refusal

  const rehashed = needsRehash(user.passwordHash, PASSWORD_COST)
    ? await hashPassword(body.password, PASSWORD_COST)
    : undefined
  const sessionId = crypto.randomUUID()
  // In whole seconds, as the token has it: session, token and answer end together.
  const expiresAt = now - (now % 1000) + SESSION_LIFETIME
  const started = await db.write(async tx => {
    // The password may have been changed, or the account disabled, while the hash was worked out.
    const current = await findUserByEmail(tx, { email: user.email })
    if (current?.passwordHash !== user.passwordHash) return 'changed'
    const refusedNow = loginRefusal(current)
    if (refusedNow) throw refusedNow
    const letIn = await passGuard(tx, call, { userId: user.id, secrets, now })
    if (!letIn) {
      await record(tx, { ...context, activity: 'Login failed', details: 'Wrong code of the second factor' })
      return 'wrong_code'
    }
    if (rehashed) await replacePasswordHash(tx, { id: user.id, from: user.passwordHash, to: rehashed })
    await deleteExpiredSessionsOf(tx, { userId: user.id, now })
    await insertSession(tx, { id: sessionId, userId: user.id, createdAt: now, expiresAt })
    await record(tx, {
      ...context,
      activity: 'User login',
      details: factorWords[letIn],
    })
    return 'started'
  })
  // Whatever the password is now decides.
  if (started === 'changed') return await login(call)
  if (started === 'wrong_code') throw new Fault('INVALID_SECOND_FACTOR')
  const token = await signToken(
    { userId: user.id, sessionId, role: user.role, issuedAt: now, expiresAt },
    secrets,
  )
  return { token, user: sessionUserOf(user), expires_at: iso(expiresAt) }
}

/** What was asked for beside the password, for the log. */
const factorWords = {
  password: '',
  app: 'With an authenticator app',
  recovery_code: 'With a recovery code',
} as const

async function countWrongTry(call: Parameters<typeof login>[0]): Promise<void> {
  await consume(call, 'login_account', call.body.email)
  await consume(call, 'login_address', call.address)
}

/**
 * Asks for the second factor of an account that has one. Guesses are counted with the passwords, in the transaction
 * that looks at them: a code is soon looked at, and many could be before the first one counts.
 * @returns what let the account in, or undefined when its code is wrong or was used before
 * @throws Fault `SECOND_FACTOR_REQUIRED` when none was given, `RATE_LIMITED`
 */
async function passGuard(
  tx: Tx,
  call: Parameters<typeof login>[0],
  { userId, secrets, now }: { userId: string; secrets: Environment['JWT_SECRETS']; now: number },
): Promise<'password' | 'app' | 'recovery_code' | undefined> {
  const { code, email } = call.body
  const factor = await findSecondFactor(tx, { userId })
  if (!factor || factor.confirmedAt === null) return 'password'
  if (!code) throw new Fault('SECOND_FACTOR_REQUIRED')
  await requireAllowance(call, 'login_account', email, tx)
  await requireAllowance(call, 'login_address', call.address, tx)
  const letIn = await redeemCode(tx, { factor, code, secrets, now })
  if (!letIn) {
    await countWithin(tx, call, 'login_account', email)
    await countWithin(tx, call, 'login_address', call.address)
  }
  return letIn
}

export const logout: Handler<typeof auth.logout> = async call => {
  await call.db.write(async tx => {
    await deleteSession(tx, { sessionId: call.user.sessionId })
    await recordChange(tx, call, { activity: 'User logout' })
  })
  return { message: 'You have been logged out.' }
}
