import type { MemberRole } from '@portal/contract/organisation-shapes'
import { may, type Permission } from '@portal/rules/organisations'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Principal } from '../principal.ts'
import { findMembership, type OrganisationRow } from './store.ts'

export interface Membership {
  organisation: OrganisationRow
  role: MemberRole
}

/**
 * Returns the organisation of a call and the caller's role in it, if that role has the required permission.
 * @param change true for calls that write, which require an active organisation
 * @throws Fault `ORGANISATION_NOT_FOUND` if the caller is not a member, `FORBIDDEN`, `ORGANISATION_SUSPENDED`, `WRONG_STATE`
 */
export async function memberOrFail(
  db: Reader,
  user: Pick<Principal, 'id' | 'role'>,
  organisationId: string,
  permission: Permission,
  { change = false } = {},
): Promise<Membership> {
  const membership = user.role === 'user' && (await findMembership(db, { organisationId, userId: user.id }))
  if (!membership) throw new Fault('ORGANISATION_NOT_FOUND')
  if (!may(membership.role, permission)) throw new Fault('FORBIDDEN')
  if (change) requireActive(membership.organisation)
  return membership
}

/** Requires that an organisation is active. @throws Fault `ORGANISATION_SUSPENDED`, or `WRONG_STATE` if it is closed */
export function requireActive({ state }: Pick<OrganisationRow, 'state'>): void {
  if (state === 'suspended') throw new Fault('ORGANISATION_SUSPENDED')
  if (state === 'closed') throw new Fault('WRONG_STATE')
}
