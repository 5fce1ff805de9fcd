import type { adminUsers } from '@portal/contract/admin-users'
import { accountMessages } from '@portal/rules/messages'
import { Fault } from '../fault.ts'
import type { Handler, HandlersOf } from '../http/serve.ts'
import { consume } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { sendSoon } from '../mail/outbox.ts'
import { accountOf, changeAccount, readCurrentActor, reportTakenEmail } from './changes.ts'
import { readAccount, showAccountHistory, showActivity } from './detail.ts'
import { changeRole, editUser } from './edit.ts'
import { recordAccountChange } from './history.ts'
import { revokeLinksOf } from './link-store.ts'
import { mailVerificationLink } from './links.ts'
import { list } from './list.ts'
import { hashPassword } from './passwords.ts'
import { requireCanCreate, requireCanToggle, requireStaff, requireUnverified } from './rules.ts'
import { deleteSessionsOf } from './session-store.ts'
import { findUser, insertUser, NO_PASSWORD, type User, updateAccount } from './store.ts'

/** Creates an account. Its owner can log in after confirming the address or, if invited, after choosing a password. */
const create: Handler<typeof adminUsers.create> = async call => {
  const { body, ports } = call
  // Checked before the password is hashed, which is expensive, and again in the transaction.
  requireCanCreate(call.user, body.role)
  const now = ports.clock.now()
  const { invite, password, phone = '', address = '', ...otherFields } = body
  const user: User = {
    id: crypto.randomUUID(),
    ...otherFields,
    phone,
    address,
    passwordHash: invite ? NO_PASSWORD : await hashPassword(password, ports.environment.PASSWORD_COST),
    isEnabled: true,
    verifiedAt: null,
    createdAt: now,
    updatedAt: now,
    erasureDueAt: null,
    erasedAt: null,
    version: 1,
  }
  await reportTakenEmail(
    call.db.write(async tx => {
      requireCanCreate(await readCurrentActor(tx, call), body.role)
      await insertUser(tx, user)
      await mailVerificationLink(tx, ports, user, 'created-by-staff')
      const details = `${user.email}: ${user.role}${invite ? ', invited by email' : ''}`
      const logEntry = { activity: 'User created', details }
      await recordAccountChange(tx, call, { before: undefined, after: user }, logEntry)
    }),
  )
  sendSoon(ports)
  const mail = invite ? 'An invitation' : 'A verification email'
  return { message: `User created successfully. ${mail} is on its way.`, user: accountOf(user) }
}

const toggleStatus: Handler<typeof adminUsers.toggleStatus> = async call => {
  const now = call.ports.clock.now()
  const user = await changeAccount(call, async (tx, { actor, target }) => {
    requireCanToggle(actor, target)
    const isEnabled = !target.isEnabled
    const { id, version } = target
    const updated = await updateAccount(tx, { id, version, change: { isEnabled }, now })
    if (!updated) throw new Fault('VERSION_CONFLICT')
    // Enabling an account does not restore its old sessions.
    if (!isEnabled) await deleteSessionsOf(tx, { userId: target.id })
    const activity = isEnabled ? 'User enabled' : 'User disabled'
    const logEntry = { activity, details: target.email }
    await recordAccountChange(tx, call, { before: target, after: updated }, logEntry)
    return updated
  })
  const message = user.isEnabled ? accountMessages.enabled : accountMessages.disabled
  return { message, user: accountOf(user) }
}

const verifyEmail: Handler<typeof adminUsers.verifyEmail> = async call => {
  const now = call.ports.clock.now()
  const user = await changeAccount(call, async (tx, { actor, target }) => {
    requireStaff(actor)
    if (target.verifiedAt !== null) return target
    const { id, version } = target
    const updated = await updateAccount(tx, { id, version, change: { verifiedAt: now }, now })
    if (!updated) throw new Fault('VERSION_CONFLICT')
    await revokeLinksOf(tx, { userId: target.id, purposes: ['verify_email'], now })
    const logEntry = { activity: 'User email verified', details: target.email }
    await recordAccountChange(tx, call, { before: target, after: updated }, logEntry)
    return updated
  })
  return { message: accountMessages.addressVerified, user: accountOf(user) }
}

const resendVerification: Handler<typeof adminUsers.resendVerification> = async call => {
  const existing = await findUser(call.db.read, { id: call.params.id })
  if (!existing || existing.erasedAt !== null) throw new Fault('USER_NOT_FOUND')
  requireUnverified(existing)
  // Limits mails per recipient, across all callers.
  await consume(call, 'mail_recipient', existing.email)
  const mail = await changeAccount(call, async (tx, { actor, target }) => {
    requireStaff(actor)
    requireUnverified(target)
    await mailVerificationLink(tx, call.ports, target)
    const mailKind = target.passwordHash === NO_PASSWORD ? 'Invitation' : 'Verification email'
    const activity = mailKind === 'Invitation' ? 'User invitation resent' : 'Verification email resent'
    await recordChange(tx, call, { activity, details: target.email })
    return mailKind
  })
  sendSoon(call.ports)
  return { message: `${mail} resent.` }
}

export const userHandlers: HandlersOf<typeof adminUsers> = {
  list,
  create,
  update: editUser,
  toggleStatus,
  verifyEmail,
  changeRole,
  resendVerification,
  read: readAccount,
  history: showAccountHistory,
  activity: showActivity,
}
