import type { auth } from '@portal/contract/auth'
import { accountMessages } from '@portal/rules/messages'
import { clientOf } from '@portal/rules/user-agent'
import type { Tx } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import { Fault } from '../fault.ts'
import type { Handler } from '../http/serve.ts'
import { consume, countWithin, requireAllowance } from '../limits/limiter.ts'
import type { LimitName } from '../limits/rules.ts'
import { recordChange } from '../logs/record-change.ts'
import { recordLogEntry } from '../logs/store.ts'
import { iso } from '../wire.ts'
import { createDeviceCookie, type Device, deviceOf } from './device-cookie.ts'
import { hashPassword, hashQueue, needsRehash, verifyPassword } from './passwords.ts'
import { redeemCode } from './second-factor.ts'
import { findSecondFactor } from './second-factor-store.ts'
import { deleteExpiredSessionsOf, deleteSession, insertSession } from './session-store.ts'
import { findLoginRefusal, SESSION_LIFETIME_MS, toSessionUser } from './sign-in-rules.ts'
import { findUserByEmail, replacePasswordHash, type User } from './store.ts'
import { signToken } from './tokens.ts'

/**
 * Starts a session. Takes equally long for an unknown email address and for a wrong password. The limits are checked before and
 * again after hashing, so that parallel guesses get no more answers than the limit allows: over the limit, the response is the
 * same for a correct password.
 */
export const login: Handler<typeof auth.login> = async call => {
  const { body, db, ports } = call
  const { JWT_SECRETS: secrets, PASSWORD_COST } = ports.environment
  hashQueue.requireCapacity()
  const device = await deviceOf(call.header('cookie'), ports)
  const user = await findUserByEmail(db.read, { email: body.email })
  const limits = listLoginLimits(call, device, user)
  await requireAllowances(call, limits)
  const isCorrect = await verifyPassword(body.password, user?.passwordHash, PASSWORD_COST)
  const now = ports.clock.now()
  const context = {
    userId: user?.id ?? null,
    userEmail: user?.email ?? null,
    ipAddress: call.address,
    requestId: call.requestId,
    at: now,
  }

  if (!user || !isCorrect) {
    for (const [name, subject] of limits) await consume(call, name, subject)
    await db.write(tx =>
      recordLogEntry(tx, {
        ...context,
        activity: 'Login failed',
        details: user ? 'Wrong password' : 'Unknown email address',
      }),
    )
    throw new Fault('INVALID_CREDENTIALS')
  }
  await requireAllowances(call, limits)
  const refusal = findLoginRefusal(user)
  if (refusal) throw refusal

  const newHash = needsRehash(user.passwordHash, PASSWORD_COST)
    ? await hashPassword(body.password, PASSWORD_COST)
    : undefined
  const sessionId = crypto.randomUUID()
  // Rounded down to a whole second, the resolution of a token's expiry, so that the session, the token and the response have
  // the same expiry.
  const expiresAt = now - (now % 1000) + SESSION_LIFETIME_MS
  const outcome = await db.write(async tx => {
    // The password may have been changed, or the account disabled, during hashing.
    const current = await findUserByEmail(tx, { email: user.email })
    if (current?.passwordHash !== user.passwordHash) return 'changed'
    const currentRefusal = findLoginRefusal(current)
    if (currentRefusal) throw currentRefusal
    const acceptedFactor = await checkSecondFactor(tx, call, {
      userId: user.id,
      limits,
      secrets,
      now,
    })
    if (!acceptedFactor) {
      await recordLogEntry(tx, {
        ...context,
        activity: 'Login failed',
        details: 'Wrong code of the second factor',
      })
      return 'wrong_code'
    }
    if (newHash) await replacePasswordHash(tx, { id: user.id, from: user.passwordHash, to: newHash })
    await deleteExpiredSessionsOf(tx, { userId: user.id, now })
    const client = { ...clientOf(call.header('user-agent')), ipAddress: call.address }
    await insertSession(tx, { id: sessionId, userId: user.id, createdAt: now, expiresAt, ...client })
    await recordLogEntry(tx, {
      ...context,
      activity: 'User login',
      details: factorDetails[acceptedFactor],
    })
    return 'started'
  })
  // The password was changed during hashing, so the attempt is checked against the new one.
  if (outcome === 'changed') return await login(call)
  if (outcome === 'wrong_code') throw new Fault('INVALID_SECOND_FACTOR')
  const token = await signToken(
    { userId: user.id, sessionId, role: user.role, issuedAt: now, expiresAt },
    secrets,
  )
  call.replyHeaders = { 'Set-Cookie': await createDeviceCookie(device, user.id, ports) }
  return { token, user: toSessionUser(user), expires_at: iso(expiresAt) }
}

/** Log details about the second factor, by how the login was authorised. */
const factorDetails = {
  password: '',
  app: 'With an authenticator app',
  recovery_code: 'With a recovery code',
} as const

type LoginCall = Parameters<typeof login>[0]
type SubjectLimits = readonly (readonly [LimitName, string])[]

/**
 * Returns the limits that a failed attempt counts against. A browser that has logged in to the account before has its own limit.
 */
function listLoginLimits(
  call: LoginCall,
  device: Device | undefined,
  user: Pick<User, 'id'> | undefined,
): SubjectLimits {
  return device && user && device.accounts.includes(user.id)
    ? [['login_device', `${device.id}:${user.id}`]]
    : [
        ['login_account', call.body.email],
        ['login_address', call.address],
      ]
}

/** Checks all limits without counting an attempt. @throws Fault `RATE_LIMITED` */
async function requireAllowances(call: LoginCall, limits: SubjectLimits, tx?: Tx): Promise<void> {
  for (const [name, subject] of limits) await requireAllowance(call, name, subject, tx)
}

/**
 * Checks the second factor of an account that has one. Wrong codes count against the same limits as wrong passwords. They are
 * counted in the transaction that checks them, because a check is so fast that many could otherwise run before the first is
 * counted.
 * @returns how the login was authorised, or undefined if the code is wrong or was used before
 * @throws Fault `SECOND_FACTOR_REQUIRED` if there is no code, `RATE_LIMITED`
 */
async function checkSecondFactor(
  tx: Tx,
  call: LoginCall,
  {
    userId,
    limits,
    secrets,
    now,
  }: { userId: string; limits: SubjectLimits; secrets: Environment['JWT_SECRETS']; now: number },
): Promise<'password' | 'app' | 'recovery_code' | undefined> {
  const { code } = call.body
  const factor = await findSecondFactor(tx, { userId })
  if (!factor || factor.confirmedAt === null) return 'password'
  if (!code) throw new Fault('SECOND_FACTOR_REQUIRED')
  await requireAllowances(call, limits, tx)
  const acceptedFactor = await redeemCode(tx, { factor, code, secrets, now })
  if (!acceptedFactor) for (const [name, subject] of limits) await countWithin(tx, call, name, subject)
  return acceptedFactor
}

export const logout: Handler<typeof auth.logout> = async call => {
  await call.db.write(async tx => {
    await deleteSession(tx, { sessionId: call.user.sessionId })
    await recordChange(tx, call, { activity: 'User logout' })
  })
  return { message: accountMessages.loggedOut }
}
