import type { MemberRole } from '@portal/contract/organisation-shapes'
import type { organisationMembers } from '@portal/contract/organisations'
import { may, mayManage, organisationMessages } from '@portal/rules/organisations'
import type { Reader, Tx } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { composeMemberRemovedMail } from '../mail/organisation-mail.ts'
import { enqueueMail, sendSoon } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { memberOrFail, requireActive } from '../membership/member-or-fail.ts'
import {
  countOtherOwners,
  findMember,
  listMembers,
  type MemberRow,
  removeMember,
  setRole,
} from '../membership/store.ts'
import { invite, resend, revoke } from './invitation-handlers.ts'
import { listPendingInvitations } from './invitation-store.ts'
import { toInvitation, toMember } from './replies.ts'

type Domain = typeof organisationMembers

async function requireMember(db: Reader, organisationId: string, userId: string): Promise<MemberRow> {
  const member = await findMember(db, { organisationId, userId })
  if (!member) throw new Fault('USER_NOT_FOUND', { message: 'There is no such member.' })
  return member
}

/** Requires that this member is not the only owner. @throws Fault `LAST_OWNER` otherwise */
export async function requireOtherOwner(
  tx: Tx,
  { organisationId, userId, role }: { organisationId: string; userId: string; role: MemberRole },
): Promise<void> {
  if (role === 'owner' && (await countOtherOwners(tx, { organisationId, userId })) === 0)
    throw new Fault('LAST_OWNER')
}

async function changeRole(call: Call<Domain['changeRole']>) {
  const { db, user, params, body } = call
  return await db.write(async tx => {
    const organisationId = params.id
    const { role: ownRole } = await memberOrFail(tx, user, organisationId, 'members', { change: true })
    const member = await requireMember(tx, organisationId, params.user_id)
    if (!mayManage(ownRole, member.role) || !mayManage(ownRole, body.role)) throw new Fault('FORBIDDEN')
    const reply = { message: organisationMessages.roleChanged }
    if (member.role === body.role) return { ...reply, member: toMember(member) }
    const key = { organisationId, userId: member.userId }
    await requireOtherOwner(tx, { ...key, role: member.role })
    await setRole(tx, { ...key, role: body.role })
    await recordChange(tx, call, {
      activity: 'Organisation role changed',
      details: `${member.email}: ${member.role} → ${body.role}`,
      organisationId,
    })
    return { ...reply, member: toMember({ ...member, role: body.role }) }
  })
}

async function remove(call: Call<Domain['remove']>) {
  const { db, user, params, ports } = call
  const organisationId = params.id
  const isLeaving = params.user_id === user.id
  const reply = await db.write(async tx => {
    // Only `read`, because members may leave an organisation in any state.
    const { organisation, role: ownRole } = await memberOrFail(tx, user, organisationId, 'read')
    if (!isLeaving && !may(ownRole, 'members')) throw new Fault('FORBIDDEN')
    if (!isLeaving) requireActive(organisation)
    const member = await requireMember(tx, organisationId, params.user_id)
    if (!isLeaving && !mayManage(ownRole, member.role)) throw new Fault('FORBIDDEN')
    const key = { organisationId, userId: member.userId }
    if (organisation.state !== 'closed') await requireOtherOwner(tx, { ...key, role: member.role })
    await removeMember(tx, key)
    await recordChange(tx, call, {
      activity: 'Organisation member removed',
      details: isLeaving ? `${member.email} left` : member.email,
      organisationId,
    })
    if (!isLeaving)
      await enqueueMail(
        tx,
        ports,
        composeMemberRemovedMail(await readSender(tx, ports), member, { organisation }),
      )
    const message = isLeaving ? organisationMessages.left : organisationMessages.removed
    return { message, member: toMember(member) }
  })
  if (!isLeaving) sendSoon(ports)
  return reply
}

export const organisationMemberHandlers: HandlersOf<Domain> = {
  list: async ({ db, user, params, ports }) => {
    const { role } = await memberOrFail(db.read, user, params.id, 'read')
    const members = await listMembers(db.read, { organisationId: params.id })
    const pendingInvitations = may(role, 'members')
      ? await listPendingInvitations(db.read, { organisationId: params.id })
      : []
    const now = ports.clock.now()
    return {
      members: members.map(toMember),
      invitations: pendingInvitations.map(invitation => toInvitation(invitation, members, now)),
    }
  },
  changeRole,
  remove,
  invite,
  resend,
  revoke,
}
