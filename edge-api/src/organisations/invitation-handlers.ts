import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import type { accountAreas, invitations, organisationMembers } from '@portal/contract/organisations'
import { organisationInvitationNotice } from '@portal/format/organisation-notices'
import { mayManage, organisationMessages } from '@portal/rules/organisations'
import { newToken } from '../accounts/links.ts'
import { findUserByEmail } from '../accounts/store.ts'
import type { Reader, Tx } from '../db/database.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import type { Call, Handler, HandlersOf } from '../http/serve.ts'
import { liveScope, runOnceForKey } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { consume, requireAllowance } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { composeMemberJoinedMail, composeOrganisationInvitationMail } from '../mail/organisation-mail.ts'
import { enqueueMail, sendSoon } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { memberOrFail, requireActive } from '../membership/member-or-fail.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { fullName } from '../membership/requester.ts'
import { findMember, insertMember, listMembers, type OrganisationRow } from '../membership/store.ts'
import { notify } from '../notifications/store.ts'
import type { Ports } from '../ports.ts'
import { iso } from '../wire.ts'
import {
  changeInvitation,
  countPendingInvitations,
  findInvitation,
  findReceivedInvitation,
  type InvitationRow,
  insertInvitation,
  revokePendingInvitations,
} from './invitation-store.ts'
import { toInvitation } from './replies.ts'

type Members = typeof organisationMembers

const LIFETIME_MS = 7 * 86_400_000

/**
 * Mails a link with an invitation's token, of which only the hash is stored. If the invited person has an account, they also
 * get a notification.
 */
async function mailInvitationLink(
  ports: Ports,
  tx: Tx,
  {
    organisation,
    invitation,
    token,
  }: { organisation: OrganisationRow; invitation: InvitationRow; token: string },
): Promise<void> {
  const { email, role } = invitation
  const sender = await readSender(tx, ports)
  await enqueueMail(
    tx,
    ports,
    composeOrganisationInvitationMail(sender, email, { organisation, role, token }),
  )
  const invitee = await findUserByEmail(tx, { email })
  if (invitee?.role !== 'user') return
  await notify(tx, {
    ...organisationInvitationNotice(organisation.name),
    userId: invitee.id,
    link: '/dashboard/organisations',
    at: ports.clock.now(),
  })
}

async function readInvitationReply(db: Reader, organisationId: string, id: string, now: number) {
  const found = await findInvitation(db, { organisationId, id })
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such invitation.' })
  return toInvitation(found, await listMembers(db, { organisationId }), now)
}

export const invite: Handler<Members['invite']> = async call => {
  const { db, user, params, body, ports } = call
  const organisationId = params.id
  await memberOrFail(db.read, user, organisationId, 'members', { change: true })
  await requireAllowance(call, 'organisation_invitations', organisationId)
  const token = newToken()
  const tokenHash = await sha256Hex(token)
  let isSent = false
  const operation = { scope: liveScope(organisationId), action: 'invitation' }
  const reply = await runOnceForKey(call, operation, async tx => {
    const { organisation, role } = await memberOrFail(tx, user, organisationId, 'members', { change: true })
    if (!mayManage(role, body.role)) throw new Fault('FORBIDDEN')
    const now = ports.clock.now()
    const members = await listMembers(tx, { organisationId })
    if (members.some(({ email }) => email === body.email)) throw new Fault('ALREADY_MEMBER')
    await revokePendingInvitations(tx, { organisationId, email: body.email, now })
    const pending = await countPendingInvitations(tx, { organisationId, now })
    if (pending >= ORGANISATION_LIMITS.invitations || members.length >= ORGANISATION_LIMITS.members)
      throw new Fault('LIMIT_REACHED')
    const invitation = {
      id: newPrefixedId('inv'),
      organisationId,
      email: body.email,
      role: body.role,
      state: 'pending' as const,
      tokenHash,
      invitedBy: user.id,
      expiresAt: now + LIFETIME_MS,
      createdAt: now,
    }
    await insertInvitation(tx, invitation)
    await mailInvitationLink(ports, tx, { organisation, invitation, token })
    await recordChange(tx, call, {
      activity: 'Organisation member invited',
      details: `${body.email} as ${body.role}`,
      organisationId,
    })
    isSent = true
    return {
      message: organisationMessages.invited,
      invitation: await readInvitationReply(tx, organisationId, invitation.id, now),
    }
  })
  if (isSent) {
    await consume(call, 'organisation_invitations', organisationId)
    sendSoon(ports)
  }
  return reply
}

/** Finds a pending invitation of an organisation whose members the caller may manage. */
async function requireManagedInvitation(tx: Tx, call: Pick<Call<Members['resend']>, 'user' | 'params'>) {
  const { user, params } = call
  const membership = await memberOrFail(tx, user, params.id, 'members', { change: true })
  const found = await findInvitation(tx, { organisationId: params.id, id: params.inv })
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such invitation.' })
  const { invitation } = found
  if (!mayManage(membership.role, invitation.role)) throw new Fault('FORBIDDEN')
  if (invitation.state !== 'pending') throw new Fault('WRONG_STATE')
  return { ...membership, invitation }
}

export const resend: Handler<Members['resend']> = async call => {
  const { db, params, ports } = call
  await memberOrFail(db.read, call.user, params.id, 'members', { change: true })
  await requireAllowance(call, 'organisation_invitations', params.id)
  const token = newToken()
  const tokenHash = await sha256Hex(token)
  const reply = await db.write(async tx => {
    const { organisation, invitation } = await requireManagedInvitation(tx, call)
    const now = ports.clock.now()
    await changeInvitation(tx, invitation.id, { tokenHash, expiresAt: now + LIFETIME_MS })
    await mailInvitationLink(ports, tx, { organisation, invitation, token })
    await recordChange(tx, call, {
      activity: 'Organisation member invited',
      details: `${invitation.email} again`,
      organisationId: params.id,
    })
    return {
      message: organisationMessages.resent,
      invitation: await readInvitationReply(tx, params.id, invitation.id, now),
    }
  })
  await consume(call, 'organisation_invitations', params.id)
  sendSoon(ports)
  return reply
}

export const revoke: Handler<Members['revoke']> = async call => {
  const { db, params, ports } = call
  return await db.write(async tx => {
    const { invitation } = await requireManagedInvitation(tx, call)
    await changeInvitation(tx, invitation.id, { state: 'revoked' })
    await recordChange(tx, call, {
      activity: 'Organisation invitation revoked',
      details: invitation.email,
      organisationId: params.id,
    })
    return {
      message: organisationMessages.revoked,
      invitation: await readInvitationReply(tx, params.id, invitation.id, ports.clock.now()),
    }
  })
}

type ReceivedKey = Parameters<typeof findReceivedInvitation>[1]

/** Finds a pending invitation, for the invited person. @throws Fault `INVALID_INVITATION`, `EXPIRED_INVITATION` */
async function requireReceivedInvitation(db: Reader, key: ReceivedKey, now: number) {
  const found = await findReceivedInvitation(db, key)
  if (found?.invitation.state !== 'pending' || found.organisation.state === 'closed')
    throw new Fault('INVALID_INVITATION')
  if (found.invitation.expiresAt <= now) throw new Fault('EXPIRED_INVITATION')
  return found
}

type InvitationAnswerCall = Pick<Call, 'db' | 'ports' | 'address' | 'requestId'> & {
  user: Call<(typeof invitations)['accept']>['user']
}

/**
 * Finds a pending invitation that the caller may accept or decline.
 * @throws Fault `FORBIDDEN` for staff, and for any address other than the invited one
 */
async function requireAnswerableInvitation(tx: Tx, { user, ports }: InvitationAnswerCall, key: ReceivedKey) {
  const found = await requireReceivedInvitation(tx, key, ports.clock.now())
  if (user.role !== 'user') throw new Fault('FORBIDDEN', { message: organisationMessages.staffCannotJoin })
  if (found.invitation.email !== user.email)
    throw new Fault('FORBIDDEN', { message: organisationMessages.otherAddress })
  return found
}

async function accept(call: InvitationAnswerCall, key: ReceivedKey) {
  const { db, user, ports } = call
  const reply = await db.write(async tx => {
    const { invitation, organisation } = await requireAnswerableInvitation(tx, call, key)
    requireActive(organisation)
    const { id: organisationId, name } = organisation
    const { role } = invitation
    const at = ports.clock.now()
    if (await findMember(tx, { organisationId, userId: user.id })) throw new Fault('ALREADY_MEMBER')
    if ((await listMembers(tx, { organisationId })).length >= ORGANISATION_LIMITS.members)
      throw new Fault('LIMIT_REACHED')
    await changeInvitation(tx, invitation.id, { state: 'accepted' })
    await insertMember(tx, { organisationId, userId: user.id, role, joinedAt: at })
    await recordChange(tx, call, {
      activity: 'Organisation member joined',
      details: `${user.email} as ${role}`,
      organisationId,
    })
    const newMember = { organisation, name: fullName(user), role }
    await notifyMembers(ports, tx, {
      organisationId,
      roles: ['owner'],
      mail: (sender, to) => composeMemberJoinedMail(sender, to, newMember),
      dedupeKey: `joined:${invitation.id}`,
      at,
    })
    return { message: organisationMessages.accepted, organisation: { id: organisationId, name } }
  })
  sendSoon(ports)
  return reply
}

async function decline(call: InvitationAnswerCall, key: ReceivedKey) {
  return await call.db.write(async tx => {
    const { invitation, organisation } = await requireAnswerableInvitation(tx, call, key)
    await changeInvitation(tx, invitation.id, { state: 'declined' })
    await recordChange(tx, call, {
      activity: 'Organisation invitation declined',
      details: invitation.email,
      organisationId: organisation.id,
    })
    const { id, name } = organisation
    return { message: organisationMessages.declined, organisation: { id, name } }
  })
}

type AccountAreas = typeof accountAreas
export const acceptReceived: Handler<AccountAreas['accept']> = call =>
  accept(call, { id: call.params.id, email: call.user.email })
export const declineReceived: Handler<AccountAreas['decline']> = call =>
  decline(call, { id: call.params.id, email: call.user.email })

export const invitationHandlers: HandlersOf<typeof invitations> = {
  read: async call => {
    await consume(call, 'invitation_links', call.address)
    const tokenHash = await sha256Hex(call.params.token)
    const { invitation, organisation } = await requireReceivedInvitation(
      call.db.read,
      { tokenHash },
      call.ports.clock.now(),
    )
    return {
      organisation: { name: organisation.name, vetted: organisation.vettedAt !== null },
      role: invitation.role,
      email: invitation.email,
      state: invitation.state,
      expires_at: iso(invitation.expiresAt),
    }
  },
  accept: async call => accept(call, { tokenHash: await sha256Hex(call.params.token) }),
  decline: async call => decline(call, { tokenHash: await sha256Hex(call.params.token) }),
}
