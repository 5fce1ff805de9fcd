import type { adminUsers } from '@portal/contract/admin-users'
import { accountMessages } from '@portal/rules/messages'
import type { Tx } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Call, Handler } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { enqueueMail, sendSoon } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { composeAddressChangedMail } from '../mail/templates.ts'
import { accountOf, changeAccount, type StaffCall } from './changes.ts'
import { recordAccountChange } from './history.ts'
import { revokeLinksOf } from './link-store.ts'
import { mailVerificationLink } from './links.ts'
import { findChangedFields, requireCanChangeRole, requireCanEdit } from './rules.ts'
import { deleteSessionsOf } from './session-store.ts'
import { PASSWORD_LINKS } from './sign-in-rules.ts'
import { countOtherSuperAdmins, type User, updateAccount } from './store.ts'

/** Updates an account. Fields missing from the body stay unchanged. */
export const editUser: Handler<typeof adminUsers.update> = async call => {
  const { body, ports } = call
  const now = ports.clock.now()
  const user = await changeAccount(call, async (tx, { actor, target }) => {
    requireCanEdit(actor, target)
    if (body.role !== undefined)
      requireCanChangeRole(actor, target, body.role, await countOtherSuperAdmins(tx, target))
    const changedFields = findChangedFields(target, body)
    if (changedFields.length === 0) return target
    const isNewAddress = changedFields.includes('email')
    const change = isNewAddress ? { ...body, verifiedAt: null } : body
    const { id, version } = target
    const updated = await updateAccount(tx, { id, version, change, now })
    if (!updated) throw new Fault('VERSION_CONFLICT')
    if (isNewAddress) await requireConfirmation(tx, call, target, updated)
    const logEntry = { activity: 'User updated', details: `${target.email}: ${changedFields.join(', ')}` }
    await recordAccountChange(tx, call, { before: target, after: updated }, logEntry)
    if (changedFields.includes('role')) await recordChange(tx, call, roleLogEntry(target, updated.role))
    return updated
  })
  sendSoon(ports)
  return { message: accountMessages.updated, user: accountOf(user) }
}

/**
 * Requires that a changed email address is confirmed: ends the account's sessions, revokes the links sent to the old address,
 * mails a confirmation link to the new address, and notifies the old one if it was confirmed. Staff who change their own
 * address keep their current session, so that they can correct a typo.
 */
async function requireConfirmation(tx: Tx, call: StaffCall, before: User, user: User): Promise<void> {
  const now = call.ports.clock.now()
  await revokeLinksOf(tx, { userId: user.id, purposes: ['verify_email', ...PASSWORD_LINKS], now })
  await deleteSessionsOf(tx, { userId: user.id, exceptSessionId: call.user.sessionId })
  await mailVerificationLink(tx, call.ports, user, 'address-changed')
  if (before.verifiedAt === null) return
  const mail = composeAddressChangedMail(await readSender(tx, call.ports), before, user.email)
  await enqueueMail(tx, call.ports, mail)
}

/**
 * Changes an account's role. Each request reads the role from the database, so the change takes effect with the next request.
 */
export const changeRole: Handler<typeof adminUsers.changeRole> = async call => {
  const { role } = call.body
  const user = await changeAccount(call, async (tx, { actor, target }) => {
    requireCanChangeRole(actor, target, role, await countOtherSuperAdmins(tx, target))
    if (target.role === role) return target
    const updated = await updateAccount(tx, {
      id: target.id,
      version: target.version,
      change: { role },
      now: call.ports.clock.now(),
    })
    if (!updated) throw new Fault('VERSION_CONFLICT')
    await recordAccountChange(tx, call, { before: target, after: updated }, roleLogEntry(target, role))
    return updated
  })
  return { message: accountMessages.roleUpdated, user: accountOf(user) }
}

type Role = Call<typeof adminUsers.changeRole>['body']['role']

const roleLogEntry = ({ email, role }: User, newRole: Role) => ({
  activity: 'User role changed',
  details: `${email}: ${role} to ${newRole}`,
})
