import type { Role } from '@portal/contract/shapes'

/* Permissions for actions on accounts (specification, section 6; contract, section 6). Each rule returns the reason
   for a refusal, or undefined if the action is allowed. */

/** The acting account or the target account. */
export interface Account {
  id: string
  role: Role
}

/** Admins create users; super admins create accounts with any role. */
export const whyNotCreate = (actor: Account, role: Role): string | undefined =>
  actor.role !== 'super_admin' && role !== 'user'
    ? 'Only a super admin can create accounts with this role.'
    : undefined

/** Admins edit accounts with the role `user`; super admins edit any. */
export const whyNotEdit = (actor: Account, target: Account): string | undefined =>
  actor.role !== 'super_admin' && target.role !== 'user'
    ? 'Only a super admin can edit this account.'
    : undefined

/** Staff enable and disable everyone except themselves and super admins. */
export function whyNotToggle(actor: Account, target: Account): string | undefined {
  if (actor.id === target.id) return 'You cannot disable your own account.'
  return target.role === 'super_admin' ? 'A super admin cannot be disabled.' : undefined
}

/**
 * Super admins change the roles of others, except that of the last super admin. Setting the current role again is
 * always allowed.
 * @param otherSuperAdmins number of super admins other than the target who can log in
 */
export function whyNotChangeRole(
  actor: Account,
  target: Account,
  to: Role,
  otherSuperAdmins: number,
): string | undefined {
  if (target.role === to) return undefined
  if (actor.role !== 'super_admin') return 'Only a super admin can change roles.'
  if (actor.id === target.id) return 'You cannot change your own role.'
  return target.role === 'super_admin' && otherSuperAdmins < 1
    ? 'At least one super admin who can log in must remain.'
    : undefined
}
