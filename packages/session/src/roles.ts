import type { RemoteAccess } from '@portal/contract/remote'
import type { Role } from '@portal/contract/shapes'

const labels: Record<Role, string> = {
  super_admin: 'Super Administrator',
  admin: 'Administrator',
  user: 'User',
}

/** The role whose view a person gets: their own, or the user view when the stored role is unknown. */
export function viewRole(role: string | undefined): Role {
  return role === 'admin' || role === 'super_admin' ? role : 'user'
}

/** True for both kinds of staff. Convenience only: the server checks each call. */
export function isAdmin(role: string | undefined): boolean {
  return viewRole(role) !== 'user'
}

/** A role in words (specification, section 2); an unknown one is a user's, whose view it gets. */
export function roleLabel(role: string | undefined): string {
  return labels[viewRole(role)]
}

/** True when someone of `role` may open what `access` names. */
export function mayOpen(access: RemoteAccess, role: string | undefined): boolean {
  return access === 'public' || access.includes(viewRole(role))
}
