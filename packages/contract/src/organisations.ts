import './zod-setup.ts'
import * as z from 'zod'
import { activityLog } from './admin-logs.ts'
import * as field from './fields.ts'
import {
  invitation,
  invitationStates,
  member,
  memberParams,
  memberRole,
  organisationParams,
  organisationProfile,
  ownOrganisation,
} from './organisation-shapes.ts'
import { route } from './route.ts'
import { idParam, message, money, pageQuery, pagination, timestamp } from './shapes.ts'

/* Organisations, their members and invitations. */

const organisationReply = z.object({ message: z.string(), organisation: ownOrganisation })
const invitationReply = z.object({ message: z.string(), invitation })
const decisionReply = z.object({
  message: z.string(),
  organisation: z.object({ id: z.string(), name: z.string() }),
})

/** The token of an invitation's link. */
const tokenParam = z.object({ token: z.string().max(200) })

export const accountAreas = {
  read: route({
    method: 'GET',
    path: '/account/areas',
    access: 'user',
    summary: 'The caller’s organisations and what the portal offers: decides which tabs are shown.',
    reply: z.object({
      organisations: z.array(z.object({ id: z.string(), name: z.string(), role: memberRole })),
      invitations: z
        .array(
          z.object({
            id: z.string(),
            organisation: z.object({ name: z.string(), vetted: z.boolean() }),
            role: memberRole,
            expires_at: timestamp,
          }),
        )
        .describe('Pending invitations for the caller’s address.'),
      /** Counts for features of a later version. */
      research_requests: z.int(),
      claims: z.int(),
      offers: z.object({ organisations: z.boolean(), research: z.boolean(), graduates: z.boolean() }),
    }),
  }),
  accept: route({
    method: 'POST',
    path: '/account/invitations/{id}/accept',
    access: 'user',
    summary: 'Accept a pending invitation for the caller’s address, without the mailed link.',
    params: idParam,
    reply: decisionReply,
    refusals: ['INVALID_INVITATION', 'EXPIRED_INVITATION', 'ALREADY_MEMBER', 'LIMIT_REACHED'],
  }),
  decline: route({
    method: 'POST',
    path: '/account/invitations/{id}/decline',
    access: 'user',
    summary: 'Decline a pending invitation for the caller’s address.',
    params: idParam,
    reply: decisionReply,
    refusals: ['INVALID_INVITATION', 'EXPIRED_INVITATION'],
  }),
}

export const organisations = {
  list: route({
    method: 'GET',
    path: '/organisations',
    access: 'user',
    summary: 'The caller’s organisations, newest first.',
    query: z.object(pageQuery(20)),
    reply: z.object({ organisations: z.array(ownOrganisation), pagination }),
  }),
  create: route({
    method: 'POST',
    path: '/organisations',
    access: 'user',
    summary: 'Create an organisation; the caller becomes its owner. Honours Idempotency-Key.',
    body: organisationProfile,
    reply: organisationReply,
    status: 201,
    refusals: ['FEATURE_OFF', 'LIMIT_REACHED', 'IDEMPOTENCY_MISMATCH', 'IDEMPOTENCY_IN_PROGRESS'],
  }),
  read: route({
    method: 'GET',
    path: '/organisations/{id}',
    access: 'user',
    summary: 'An organisation of the caller, with its statistics.',
    params: idParam,
    reply: z.object({
      organisation: ownOrganisation,
      statistics: z.object({ total: z.int(), verified: z.int(), not_found: z.int(), spent: money }),
    }),
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  update: route({
    method: 'PUT',
    path: '/organisations/{id}',
    access: 'user',
    summary: 'Change the profile. Changing the name removes the vetting by staff.',
    params: idParam,
    body: organisationProfile,
    reply: organisationReply,
    ifMatch: true,
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND', 'ORGANISATION_SUSPENDED', 'WRONG_STATE'],
  }),
  close: route({
    method: 'POST',
    path: '/organisations/{id}/close',
    access: 'user',
    summary:
      'Close the organisation. Balance, holds and debt must be 0, and no batch or top-up may be open. Only staff can reopen it.',
    params: idParam,
    body: z.object({ current_password: field.password() }),
    reply: message,
    ifMatch: true,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'INVALID_CURRENT_PASSWORD',
      'ORGANISATION_HAS_BALANCE',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
    ],
  }),
  activity: route({
    method: 'GET',
    path: '/organisations/{id}/activity',
    access: 'user',
    summary: 'What members, keys and staff did in the organisation, newest first.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: z.object({
      activity: z.array(
        activityLog.pick({ id: true, activity: true, details: true }).extend({
          at: timestamp,
          actor: z
            .string()
            .describe('Name of the member or API key, or "Former member", "Staff" or "System".'),
        }),
      ),
      pagination,
    }),
    csv: {
      title: 'Organisation activity',
      file: 'activity',
      columns: ['at', 'actor', 'activity', 'details'],
    },
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
}

export const organisationMembers = {
  list: route({
    method: 'GET',
    path: '/organisations/{id}/members',
    access: 'user',
    summary: 'Members, oldest first, and for owners and managers the pending invitations.',
    params: idParam,
    reply: z.object({ members: z.array(member), invitations: z.array(invitation) }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  changeRole: route({
    method: 'PUT',
    path: '/organisations/{id}/members/{user_id}',
    access: 'user',
    summary: 'Change a member’s role. Only owners can appoint or change owners.',
    params: memberParams,
    body: z.object({ role: memberRole }),
    reply: z.object({ message: z.string(), member }),
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'USER_NOT_FOUND',
      'LAST_OWNER',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
    ],
  }),
  remove: route({
    method: 'DELETE',
    path: '/organisations/{id}/members/{user_id}',
    access: 'user',
    summary: 'Remove a member; any member can leave.',
    params: memberParams,
    reply: z.object({ message: z.string(), member }),
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'USER_NOT_FOUND',
      'LAST_OWNER',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
    ],
  }),
  invite: route({
    method: 'POST',
    path: '/organisations/{id}/invitations',
    access: 'user',
    summary:
      'Invite a person by email. The response is the same whether or not the address has an account. Honours Idempotency-Key.',
    params: idParam,
    body: z.object({ email: field.email(), role: memberRole }),
    reply: invitationReply,
    status: 201,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'ALREADY_MEMBER',
      'LIMIT_REACHED',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
  }),
  resend: route({
    method: 'POST',
    path: '/organisations/{id}/invitations/{inv}/resend',
    access: 'user',
    summary:
      'Send an invitation again, with a new link that is valid for 7 days. The previous link no longer works.',
    params: organisationParams({ inv: z.string().max(64) }),
    reply: invitationReply,
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE', 'ORGANISATION_SUSPENDED'],
  }),
  revoke: route({
    method: 'DELETE',
    path: '/organisations/{id}/invitations/{inv}',
    access: 'user',
    summary: 'Revoke a pending invitation.',
    params: organisationParams({ inv: z.string().max(64) }),
    reply: invitationReply,
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE', 'ORGANISATION_SUSPENDED'],
  }),
}

export const invitations = {
  read: route({
    method: 'GET',
    path: '/invitations/{token}',
    access: 'public',
    summary: 'The invitation that a link belongs to.',
    params: tokenParam,
    reply: z.object({
      organisation: z.object({ name: z.string(), vetted: z.boolean() }),
      role: memberRole,
      email: z.string(),
      state: z.enum(invitationStates),
      expires_at: timestamp,
    }),
    refusals: ['INVALID_INVITATION', 'EXPIRED_INVITATION'],
  }),
  accept: route({
    method: 'POST',
    path: '/invitations/{token}/accept',
    access: 'user',
    summary: 'Accept an invitation; the caller’s address must be the invited one.',
    params: tokenParam,
    reply: decisionReply,
    refusals: ['INVALID_INVITATION', 'EXPIRED_INVITATION', 'ALREADY_MEMBER', 'LIMIT_REACHED'],
  }),
  decline: route({
    method: 'POST',
    path: '/invitations/{token}/decline',
    access: 'user',
    summary: 'Decline an invitation.',
    params: tokenParam,
    reply: decisionReply,
    refusals: ['INVALID_INVITATION', 'EXPIRED_INVITATION'],
  }),
}
