import {
  FORMER_MEMBER,
  type Invitation,
  type Member,
  type MemberRole,
  type Organisation,
  type OwnOrganisation,
} from '@portal/contract/organisation-shapes'
import { toMajor } from '@portal/format/money'
import { may, type Permission } from '@portal/rules/organisations'
import { CURRENCY } from './currency.ts'
import { Fault } from './fault.ts'
import { activeMembers, organisationsIn } from './organisation-state.ts'
import type { MockInvitation, MockMember, MockOrganisation } from './organisation-types.ts'
import type { MockState, MockUser } from './state.ts'

export interface Caller {
  state: MockState
  user: MockUser
}

/**
 * Checks that an organisation is active.
 * @throws Fault `ORGANISATION_SUSPENDED`, or `WRONG_STATE` if it is closed
 */
export function requireActive({ state }: MockOrganisation): void {
  if (state === 'suspended') throw new Fault('ORGANISATION_SUSPENDED')
  if (state === 'closed') throw new Fault('WRONG_STATE')
}

export const findMembership = (state: MockState, organisation: MockOrganisation, user: MockUser) =>
  activeMembers(state, organisation).find(({ member }) => member.user_id === user.id)?.member

/**
 * Returns an organisation and the caller's role in it.
 * @throws Fault `ORGANISATION_NOT_FOUND` (not a member), `FORBIDDEN` (no permission), `ORGANISATION_SUSPENDED`, or
 * `WRONG_STATE` (closed)
 */
export function memberOrFail(
  { state, user }: Caller,
  id: string,
  permission: Permission,
  { change = false } = {},
): { organisation: MockOrganisation; role: MemberRole } {
  const organisation = organisationsIn(state).find(item => item.id === id)
  const member = organisation && findMembership(state, organisation, user)
  if (!organisation || !member) throw new Fault('ORGANISATION_NOT_FOUND')
  if (!may(member.role, permission)) throw new Fault('FORBIDDEN')
  if (change) requireActive(organisation)
  return { organisation, role: member.role }
}

export const balanceOf = (row: MockOrganisation) => ({
  balance: toMajor(row.balance_minor),
  held: toMajor(row.held_minor),
  available: toMajor(row.balance_minor - row.held_minor),
  debt: toMajor(row.debt_minor),
  currency: CURRENCY,
  low_balance_alert: row.low_balance_alert_minor === null ? null : toMajor(row.low_balance_alert_minor),
})

export const organisationOf = (row: MockOrganisation): Organisation => ({ ...row, ...balanceOf(row) })

export const toOwnOrganisation = (row: MockOrganisation, role: MemberRole): OwnOrganisation => ({
  ...organisationOf(row),
  role,
})

export const fullName = ({ firstname, lastname }: MockUser) => `${firstname} ${lastname}`.trim()

/** Returns a member's name, or `FORMER_MEMBER` if the member has left. */
export function findMemberName(state: MockState, organisation: MockOrganisation, userId: string): string {
  const found = activeMembers(state, organisation).find(({ member }) => member.user_id === userId)
  return found ? fullName(found.user) : FORMER_MEMBER
}

export const toMember = ({ member, user }: { member: MockMember; user: MockUser }): Member => ({
  user_id: user.id,
  name: fullName(user),
  email: user.email,
  role: member.role,
  joined_at: member.joined_at,
})

export const listMemberReplies = (state: MockState, organisation: MockOrganisation) =>
  activeMembers(state, organisation).map(toMember)

export function invitationOf(
  state: MockState,
  organisation: MockOrganisation,
  invitation: MockInvitation,
  now: Date,
): Invitation {
  const { token: _, invited_by, ...rest } = invitation
  const isExpired = rest.state === 'pending' && rest.expires_at <= now.toISOString()
  return {
    ...rest,
    state: isExpired ? 'expired' : rest.state,
    invited_by: { user_id: invited_by, name: findMemberName(state, organisation, invited_by) },
  }
}
