import type { auth } from '@portal/contract/auth'
import { accountMessages } from '@portal/rules/messages'
import { Fault } from '../fault.ts'
import { afterResponse } from '../http/after-response.ts'
import { requireSameOriginFetch } from '../http/require-same-origin.ts'
import type { Handler } from '../http/serve.ts'
import { consume } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { recordLogEntry } from '../logs/store.ts'
import { drainOutbox, enqueueMail, sendSoon } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { composeAlreadyRegisteredMail } from '../mail/templates.ts'
import { notifyWelcome } from '../notifications/notify.ts'
import { recordAccountChange } from './history.ts'
import { revokeLinksOf } from './link-store.ts'
import { checkLink, issueLink, type MailedLink, mailVerificationLink, redeemLink } from './links.ts'
import { hashPassword } from './passwords.ts'
import { findUser, findUserByEmail, insertUser, markVerified, type User } from './store.ts'

/**
 * Creates an account. If the address already has one, the response and the work (mostly the hash) are the same, and the owner
 * of that account gets an email instead.
 */
export const register: Handler<typeof auth.register> = async call => {
  const { body, db, ports } = call
  await consume(call, 'register_address', call.address)
  await consume(call, 'register_email', body.email)
  const passwordHash = await hashPassword(body.password, ports.environment.PASSWORD_COST)
  const now = ports.clock.now()
  const id = crypto.randomUUID()
  const context = { ipAddress: call.address, requestId: call.requestId, at: now }

  await db.write(async tx => {
    const existingUser = await findUserByEmail(tx, { email: body.email })
    if (existingUser) {
      const token =
        existingUser.verifiedAt === null
          ? await issueLink(tx, { purpose: 'verify_email', userId: existingUser.id, now })
          : undefined
      await enqueueMail(
        tx,
        ports,
        composeAlreadyRegisteredMail(await readSender(tx, ports), existingUser, token),
      )
      await recordLogEntry(tx, {
        ...context,
        userId: existingUser.id,
        userEmail: existingUser.email,
        activity: 'Registration attempted for an existing account',
      })
      return
    }
    const { firstname, middlename, lastname, email, phone, address } = body
    const user: User = {
      id,
      firstname,
      middlename,
      lastname,
      email,
      phone,
      address,
      passwordHash,
      role: 'user',
      isEnabled: true,
      verifiedAt: null,
      createdAt: now,
      updatedAt: now,
      erasureDueAt: null,
      erasedAt: null,
      version: 1,
    }
    await insertUser(tx, user)
    await mailVerificationLink(tx, ports, user)
    const logEntry = { activity: 'User registered', details: '' }
    await recordAccountChange(
      tx,
      { ...call, user: { id, email } },
      { before: undefined, after: user, kind: 'self' },
      logEntry,
    )
  })
  sendSoon(ports)
  return { message: accountMessages.registered }
}

const VERIFIED = accountMessages.verified

/**
 * Confirms an email address. The specification makes this a GET, so only the script of the page that the mail links to may call
 * it, not the link itself.
 */
export const verifyEmail: Handler<typeof auth.verifyEmail> = async call => {
  requireSameOriginFetch(call, 'Please open the link exactly as it was emailed to you.')
  const now = call.ports.clock.now()
  const link: MailedLink = { token: call.params.token, purposes: ['verify_email'], now }
  if (call.isHead) {
    await checkLink(call.db.read, link)
    return { message: VERIFIED }
  }
  await call.db.write(async tx => {
    const { userId } = await redeemLink(tx, link)
    const before = await findUser(tx, { id: userId })
    await markVerified(tx, { id: userId, now })
    await revokeLinksOf(tx, { userId, purposes: ['verify_email'], now })
    const after = await findUser(tx, { id: userId })
    if (!before || !after) throw new Fault('INVALID_VERIFICATION_TOKEN')
    const { id, email } = after
    if (before.verifiedAt === null) {
      await notifyWelcome(tx, after, now)
      const logEntry = { activity: 'Email verified', details: '' }
      await recordAccountChange(
        tx,
        { ...call, user: { id, email } },
        { before, after, kind: 'self' },
        logEntry,
      )
    } else await recordChange(tx, { ...call, user: { id, email } }, { activity: 'Email verified' })
  })
  return { message: VERIFIED }
}

/**
 * Sends a new verification link. Everything that depends on the address happens after the response, so that the response time
 * does not reveal whether an account exists.
 */
export const resendVerification: Handler<typeof auth.resendVerification> = async call => {
  const { body, ports } = call
  await consume(call, 'mail_address', call.address)
  await consume(call, 'mail_recipient', body.email)
  afterResponse(ports, 'resend_verification_failed', async database => {
    await database.write(async tx => {
      const user = await findUserByEmail(tx, { email: body.email })
      if (!user || user.verifiedAt !== null || !user.isEnabled) return
      await mailVerificationLink(tx, ports, user)
      await recordLogEntry(tx, {
        userId: user.id,
        userEmail: user.email,
        activity: 'Verification email requested',
        ipAddress: call.address,
        requestId: call.requestId,
        at: ports.clock.now(),
      })
    })
    await drainOutbox(ports, database)
  })
  return {
    message: accountMessages.verificationMailed,
  }
}
