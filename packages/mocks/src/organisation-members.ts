import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import type {
  accountAreas as areaRoutes,
  invitations as invitationRoutes,
  organisationMembers as memberRoutes,
} from '@portal/contract/organisations'
import { organisationInvitationNotice } from '@portal/format/organisation-notices'
import { may, mayManage, organisationMessages } from '@portal/rules/organisations'
import { Fault } from './fault.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import { newPrefixedId, randomCode } from './ids.ts'
import { pushNotification } from './notify.ts'
import {
  type Caller,
  findMembership,
  invitationOf,
  listMemberReplies,
  memberOrFail,
  requireActive,
  toMember,
} from './organisation-access.ts'
import { recordActivity } from './organisation-movements.ts'
import { activeMembers, organisationsIn } from './organisation-state.ts'
import type { MockInvitation, MockMember, MockOrganisation } from './organisation-types.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState, MockUser } from './state.ts'

const LIFETIME_MS = 7 * 86_400_000

function requireOtherOwner(state: MockState, organisation: MockOrganisation, member: MockMember): void {
  const otherOwners = activeMembers(state, organisation).filter(
    item => item.member.role === 'owner' && item.member !== member,
  )
  if (member.role === 'owner' && otherOwners.length === 0) throw new Fault('LAST_OWNER')
}

function memberByIdOrFail(state: MockState, organisation: MockOrganisation, userId: string) {
  const found = activeMembers(state, organisation).find(({ member }) => member.user_id === userId)
  if (!found) throw new Fault('USER_NOT_FOUND', undefined, 'There is no such member.')
  return found
}

function mailInvitation(
  state: MockState,
  organisation: MockOrganisation,
  invitation: MockInvitation,
  now: Date,
) {
  const link = `/invitations/${invitation.token}`
  state.mails.unshift({ to: invitation.email, subject: `Invitation to join ${organisation.name}`, link })
  const user = state.users.find(item => item.email === invitation.email && item.role === 'user')
  const notice = organisationInvitationNotice(organisation.name)
  if (user) pushNotification(state, user.id, notice, '/dashboard/organisations', now)
}

type ManagingCall = Caller & { params: { id: string; inv: string } }

function managedInvitationOrFail(call: ManagingCall) {
  const membership = memberOrFail(call, call.params.id, 'members', { change: true })
  const invitation = membership.organisation.invitations.find(item => item.id === call.params.inv)
  if (!invitation) throw new Fault('NOT_FOUND', undefined, 'There is no such invitation.')
  if (!mayManage(membership.role, invitation.role)) throw new Fault('FORBIDDEN')
  if (invitation.state !== 'pending') throw new Fault('WRONG_STATE')
  return { ...membership, invitation }
}

export const organisationMembers: HandlersOf<typeof memberRoutes> = {
  list(call) {
    const { state, now } = call
    const { organisation, role } = memberOrFail(call, call.params.id, 'read')
    const pending = organisation.invitations.filter(item => item.state === 'pending')
    return {
      members: listMemberReplies(state, organisation),
      invitations: may(role, 'members')
        ? pending.map(item => invitationOf(state, organisation, item, now))
        : [],
    }
  },
  changeRole(call) {
    const { state, params, body, user, now } = call
    const { organisation, role } = memberOrFail(call, params.id, 'members', { change: true })
    const found = memberByIdOrFail(state, organisation, params.user_id)
    const { member } = found
    if (!mayManage(role, member.role) || !mayManage(role, body.role)) throw new Fault('FORBIDDEN')
    if (member.role !== body.role) {
      requireOtherOwner(state, organisation, member)
      const details = `${found.user.email}: ${member.role} → ${body.role}`
      member.role = body.role
      recordActivity(organisation, { user_id: user.id, activity: 'Organisation role changed', details, now })
    }
    return { message: organisationMessages.roleChanged, member: toMember(found) }
  },
  remove(call) {
    const { state, params, user, now } = call
    const isLeaving = params.user_id === user.id
    const { organisation, role } = memberOrFail(call, params.id, isLeaving ? 'read' : 'members', {
      change: !isLeaving,
    })
    const found = memberByIdOrFail(state, organisation, params.user_id)
    if (!isLeaving && !mayManage(role, found.member.role)) throw new Fault('FORBIDDEN')
    if (organisation.state !== 'closed') requireOtherOwner(state, organisation, found.member)
    organisation.members = organisation.members.filter(item => item !== found.member)
    const details = isLeaving ? `${found.user.email} left` : found.user.email
    recordActivity(organisation, { user_id: user.id, activity: 'Organisation member removed', details, now })
    return {
      message: isLeaving ? organisationMessages.left : organisationMessages.removed,
      member: toMember(found),
    }
  },
  invite(call) {
    const { state, params, body, user, now } = call
    const { organisation, role } = memberOrFail(call, params.id, 'members', { change: true })
    requireValidKey(call)
    const existing = organisation.invitations.find(
      item => item.id === findIdByIdempotencyKey(call, JSON.stringify(body)),
    )
    const reply = (invitation: MockInvitation) => ({
      message: organisationMessages.invited,
      invitation: invitationOf(state, organisation, invitation, now),
    })
    if (existing) return reply(existing)
    if (!mayManage(role, body.role)) throw new Fault('FORBIDDEN')
    const members = activeMembers(state, organisation)
    if (members.some(item => item.user.email === body.email)) throw new Fault('ALREADY_MEMBER')
    const pending = organisation.invitations.filter(item => item.state === 'pending')
    for (const item of pending) if (item.email === body.email) item.state = 'revoked'
    const pendingCount = pending.filter(item => item.state === 'pending').length
    if (pendingCount >= ORGANISATION_LIMITS.invitations || members.length >= ORGANISATION_LIMITS.members)
      throw new Fault('LIMIT_REACHED')
    const invitation: MockInvitation = {
      id: newPrefixedId('inv'),
      token: randomCode(32),
      email: body.email,
      role: body.role,
      state: 'pending',
      expires_at: new Date(now.getTime() + LIFETIME_MS).toISOString(),
      invited_by: user.id,
      created_at: now.toISOString(),
    }
    organisation.invitations.unshift(invitation)
    mailInvitation(state, organisation, invitation, now)
    const details = `${body.email} as ${body.role}`
    recordActivity(organisation, { user_id: user.id, activity: 'Organisation member invited', details, now })
    storeIdempotencyKey(call, JSON.stringify(body), invitation.id)
    return reply(invitation)
  },
  resend(call) {
    const { state, now } = call
    const { organisation, invitation } = managedInvitationOrFail(call)
    invitation.token = randomCode(32)
    invitation.expires_at = new Date(now.getTime() + LIFETIME_MS).toISOString()
    mailInvitation(state, organisation, invitation, now)
    return {
      message: organisationMessages.resent,
      invitation: invitationOf(state, organisation, invitation, now),
    }
  },
  revoke(call) {
    const { state, now } = call
    const { organisation, invitation } = managedInvitationOrFail(call)
    invitation.state = 'revoked'
    return {
      message: organisationMessages.revoked,
      invitation: invitationOf(state, organisation, invitation, now),
    }
  },
}

interface ReceivedInvitation {
  organisation: MockOrganisation
  invitation: MockInvitation
}

/**
 * Returns the pending invitation that matches.
 * @throws Fault `EXPIRED_INVITATION` if it has expired, `INVALID_INVITATION` if there is none
 */
function receivedInvitationOrFail(
  state: MockState,
  now: Date,
  matches: (invitation: MockInvitation) => boolean,
): ReceivedInvitation {
  for (const organisation of organisationsIn(state)) {
    const invitation = organisation.invitations.find(matches)
    if (!invitation) continue
    if (invitation.state !== 'pending' || organisation.state === 'closed') break
    if (invitation.expires_at <= now.toISOString()) throw new Fault('EXPIRED_INVITATION')
    return { organisation, invitation }
  }
  throw new Fault('INVALID_INVITATION')
}

function requireInvited(user: MockUser, { organisation, invitation }: ReceivedInvitation) {
  if (user.role !== 'user') throw new Fault('FORBIDDEN', undefined, organisationMessages.staffCannotJoin)
  if (invitation.email !== user.email)
    throw new Fault('FORBIDDEN', undefined, organisationMessages.otherAddress)
  const { id, name } = organisation
  return { id, name }
}

function accept({ state, user, now }: Caller & { now: Date }, found: ReceivedInvitation) {
  const organisationSummary = requireInvited(user, found)
  const { organisation, invitation } = found
  requireActive(organisation)
  if (findMembership(state, organisation, user)) throw new Fault('ALREADY_MEMBER')
  if (activeMembers(state, organisation).length >= ORGANISATION_LIMITS.members)
    throw new Fault('LIMIT_REACHED')
  invitation.state = 'accepted'
  const joined_at = now.toISOString()
  organisation.members.push({ user_id: user.id, role: invitation.role, joined_at })
  const details = `${user.email} as ${invitation.role}`
  recordActivity(organisation, { user_id: user.id, activity: 'Organisation member joined', details, now })
  return { message: organisationMessages.accepted, organisation: organisationSummary }
}

function decline({ user }: Caller, found: ReceivedInvitation) {
  const organisationSummary = requireInvited(user, found)
  found.invitation.state = 'declined'
  return { message: organisationMessages.declined, organisation: organisationSummary }
}

export const invitations: HandlersOf<typeof invitationRoutes> = {
  read({ state, params, now }) {
    const { organisation, invitation } = receivedInvitationOrFail(
      state,
      now,
      item => item.token === params.token,
    )
    const { role, email, state: current, expires_at } = invitation
    const { name, vetted_at } = organisation
    return { organisation: { name, vetted: vetted_at !== null }, role, email, state: current, expires_at }
  },
  accept: call =>
    accept(
      call,
      receivedInvitationOrFail(call.state, call.now, item => item.token === call.params.token),
    ),
  decline: call =>
    decline(
      call,
      receivedInvitationOrFail(call.state, call.now, item => item.token === call.params.token),
    ),
}

const ownInvitationOrFail = (call: Caller & { now: Date; params: { id: string } }) =>
  receivedInvitationOrFail(
    call.state,
    call.now,
    item => item.id === call.params.id && item.email === call.user.email,
  )

export const accountAreas: HandlersOf<typeof areaRoutes> = {
  read({ state, user, now }) {
    const organisations = organisationsIn(state)
    const isPerson = user.role === 'user'
    return {
      organisations: organisations.flatMap(item => {
        const member = findMembership(state, item, user)
        return member ? [{ id: item.id, name: item.name, role: member.role }] : []
      }),
      invitations: organisations.flatMap(
        ({ name, vetted_at, state: current, invitations: sentInvitations }) =>
          sentInvitations
            .filter(item => isPerson && current === 'active' && item.email === user.email)
            .filter(item => item.state === 'pending' && item.expires_at > now.toISOString())
            .map(({ id, role, expires_at }) => ({
              id,
              organisation: { name, vetted: vetted_at !== null },
              role,
              expires_at,
            })),
      ),
      research_requests: 0,
      claims: 0,
      offers: {
        organisations: isPerson && state.settings.policies.organisations === 'on',
        research: false,
        graduates: false,
      },
    }
  },
  accept: call => accept(call, ownInvitationOrFail(call)),
  decline: call => decline(call, ownInvitationOrFail(call)),
}
