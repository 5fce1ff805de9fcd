import type { Role } from '@portal/contract/shapes'

/* Permissions for actions on accounts (specification, section 6; contract, section 6). Each rule returns the reason
   for a refusal, or undefined if the action is allowed. */

/** The account that acts, or the account that is acted on. */
export interface Account {
  id: string
  role: Role
}

/** Admins create accounts with the role `user`; super admins create accounts with any role. */
export const whyNotCreate = (actor: Account, role: Role): string | undefined =>
  actor.role !== 'super_admin' && role !== 'user'
    ? 'Only a super admin can create accounts with this role.'
    : undefined

/** Admins edit accounts with the role `user`; super admins edit any. */
export const whyNotEdit = (actor: Account, target: Account): string | undefined =>
  actor.role !== 'super_admin' && target.role !== 'user'
    ? 'Only a super admin can edit this account.'
    : undefined

/** Staff enable and disable all accounts except their own and those of super admins. */
export function whyNotToggle(actor: Account, target: Account): string | undefined {
  if (actor.id === target.id) return 'You cannot disable your own account.'
  return target.role === 'super_admin' ? 'A super admin cannot be disabled.' : undefined
}

/**
 * Super admins change the roles of others, except that of the last super admin. Setting a role again to its current value is
 * always allowed.
 * @param otherSuperAdmins number of super admins who can log in, other than the target
 */
export function whyNotChangeRole(
  actor: Account,
  target: Account,
  newRole: Role,
  otherSuperAdmins: number,
): string | undefined {
  if (target.role === newRole) return undefined
  if (actor.role !== 'super_admin') return 'Only a super admin can change roles.'
  if (actor.id === target.id) return 'You cannot change your own role.'
  return target.role === 'super_admin' && otherSuperAdmins < 1
    ? 'At least one super admin who can log in must remain.'
    : undefined
}
