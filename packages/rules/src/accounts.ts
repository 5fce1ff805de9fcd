import type { Role } from '@portal/contract/shapes'

/*
 * Who may do what to whose account (specification, section 6; contract, section 6). Each rule returns why not, in a sentence, or
 * undefined where it may be done.
 */

/** An account that acts, or that something is done to. */
export interface Account {
  id: string
  role: Role
}

/** Admins create users; super admins create any role. */
export const whyNotCreate = (actor: Account, role: Role): string | undefined =>
  actor.role !== 'super_admin' && role !== 'user'
    ? 'Only a super administrator can create accounts with this role.'
    : undefined

/** Admins edit accounts whose role is user; super admins edit any. */
export const whyNotEdit = (actor: Account, target: Account): string | undefined =>
  actor.role !== 'super_admin' && target.role !== 'user'
    ? 'Only a super administrator can edit this account.'
    : undefined

/** Staff enable and disable everyone but themselves and super admins. */
export function whyNotToggle(actor: Account, target: Account): string | undefined {
  if (actor.id === target.id) return 'You cannot disable your own account.'
  return target.role === 'super_admin' ? 'A super administrator cannot be disabled.' : undefined
}

/**
 * Super admins change the role of others; the last super admin stays one. The role an account already has is no change.
 * @param otherSuperAdmins how many others than the target can log in as super admin
 */
export function whyNotChangeRole(
  actor: Account,
  target: Account,
  to: Role,
  otherSuperAdmins: number,
): string | undefined {
  if (target.role === to) return undefined
  if (actor.role !== 'super_admin') return 'Only a super administrator can change roles.'
  if (actor.id === target.id) return 'You cannot change your own role.'
  return target.role === 'super_admin' && otherSuperAdmins < 1
    ? 'At least one super administrator who can log in must remain.'
    : undefined
}
