import type { auth } from '@portal/contract/auth'
import { accountMessages } from '@portal/rules/messages'
import type { Tx } from '../db/database.ts'
import { afterResponse } from '../http/after-response.ts'
import type { Handler } from '../http/serve.ts'
import { consume } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { recordLogEntry } from '../logs/store.ts'
import { drainOutbox, enqueueMail, sendSoon } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { composePasswordChangedMail } from '../mail/templates.ts'
import { notifyPasswordChanged, notifyWelcome } from '../notifications/notify.ts'
import type { Ports } from '../ports.ts'
import { recordAccountChange } from './history.ts'
import { revokeLinksOf } from './link-store.ts'
import { checkLink, mailResetLink, redeemLink } from './links.ts'
import { createWrongPasswordFault, requireOwnPassword } from './own-password.ts'
import { hashPassword } from './passwords.ts'
import { deleteSessionsOf } from './session-store.ts'
import { createLinkFault, PASSWORD_LINKS } from './sign-in-rules.ts'
import {
  findUser,
  findUserByEmail,
  markVerified,
  NO_PASSWORD,
  type User,
  updatePasswordHash,
} from './store.ts'

/**
 * Mails a password reset link. Everything that depends on the address happens after the response, so that the response time
 * does not reveal whether an account exists.
 */
export const forgotPassword: Handler<typeof auth.forgotPassword> = async call => {
  const { body, ports } = call
  await consume(call, 'mail_address', call.address)
  await consume(call, 'mail_recipient', body.email)
  afterResponse(ports, 'forgot_password_failed', async database => {
    await database.write(async tx => {
      const user = await findUserByEmail(tx, { email: body.email })
      if (!user?.isEnabled) return
      await mailResetLink(tx, ports, user)
      await recordLogEntry(tx, {
        userId: user.id,
        userEmail: user.email,
        activity: 'Password reset requested',
        ipAddress: call.address,
        requestId: call.requestId,
        at: ports.clock.now(),
      })
    })
    await drainOutbox(ports, database)
  })
  return { message: accountMessages.resetMailed }
}

export const checkResetToken: Handler<typeof auth.checkResetToken> = async ({ params, db, ports }) => {
  const link = { token: params.token, purposes: PASSWORD_LINKS, now: ports.clock.now() }
  const { purpose } = await checkLink(db.read, link)
  return { message: accountMessages.linkUsable, invited: purpose === 'invitation' }
}

/**
 * Sets a new password and ends every session. Because the link came by mail, it also confirms an address that was not
 * confirmed yet.
 */
export const resetPassword: Handler<typeof auth.resetPassword> = async call => {
  const { params, body, db, ports } = call
  const link = { token: params.token, purposes: PASSWORD_LINKS, now: ports.clock.now() }
  // Checked before hashing, so that guessed tokens cost the server little.
  await checkLink(db.read, link)
  const passwordHash = await hashPassword(body.password, ports.environment.PASSWORD_COST)
  const now = ports.clock.now()
  const wasInvited = await db.write(async tx => {
    const { userId, purpose } = await redeemLink(tx, { ...link, now })
    const isInvitation = purpose === 'invitation'
    const user = await findUser(tx, { id: userId })
    if (!user) throw createLinkFault(purpose, 'invalid')
    await storePassword(tx, ports, { user, passwordHash, now })
    await markVerified(tx, { id: userId, now })
    if (user.verifiedAt === null) {
      await notifyWelcome(tx, user, now)
      const after = { ...user, verifiedAt: now, version: user.version + 1 }
      const logEntry = {
        activity: 'Email verified',
        details: `with ${isInvitation ? 'an invitation' : 'a password reset link'}`,
      }
      await recordAccountChange(tx, { ...call, user }, { before: user, after, kind: 'self' }, logEntry)
    }
    await deleteSessionsOf(tx, { userId })
    await recordLogEntry(tx, {
      userId,
      userEmail: user.email,
      activity: isInvitation ? 'Password chosen by invitation' : 'Password reset',
      ipAddress: call.address,
      requestId: call.requestId,
      at: now,
    })
    return isInvitation
  })
  sendSoon(ports)
  if (wasInvited) return { message: accountMessages.passwordSet }
  return { message: accountMessages.passwordReset }
}

/** Changes the caller's password and ends every other session of the account. */
export const changePassword: Handler<typeof auth.changePassword> = async call => {
  const { body, user, db, ports } = call
  const before = await requireOwnPassword(call, body.current_password)
  const passwordHash = await hashPassword(body.new_password, ports.environment.PASSWORD_COST)
  const now = ports.clock.now()
  await db.write(async tx => {
    // Read again in the transaction: if two changes run in parallel, the second one no longer has the current password.
    const current = await findUser(tx, { id: user.id })
    if (current?.passwordHash !== before.passwordHash) throw createWrongPasswordFault()
    await storePassword(tx, ports, { user: current, passwordHash, now })
    await deleteSessionsOf(tx, { userId: user.id, exceptSessionId: user.sessionId })
    await recordChange(tx, call, { activity: 'Password changed', at: now })
  })
  sendSoon(ports)
  return { message: accountMessages.passwordChanged }
}

/**
 * Stores the hash, revokes unused links that set a password, and notifies the owner, unless this is the account's first
 * password.
 */
async function storePassword(
  tx: Tx,
  ports: Ports,
  { user, passwordHash, now }: { user: User; passwordHash: string; now: number },
): Promise<void> {
  await updatePasswordHash(tx, { id: user.id, passwordHash, now })
  await revokeLinksOf(tx, { userId: user.id, purposes: PASSWORD_LINKS, now })
  if (user.passwordHash === NO_PASSWORD) return
  await notifyPasswordChanged(tx, user, now)
  await enqueueMail(tx, ports, composePasswordChangedMail(await readSender(tx, ports), user))
}
