import type { RemoteAccess } from '@portal/contract/remote'
import type { Role } from '@portal/contract/shapes'

const labels: Record<Role, string> = {
  super_admin: 'Super Administrator',
  admin: 'Administrator',
  user: 'User',
}

/** Returns the role whose dashboard is shown: the user's own role, or `user` if it is unknown. */
export function dashboardRole(role: string | undefined): Role {
  return role === 'admin' || role === 'super_admin' ? role : 'user'
}

/** True for admins and super admins. Only for what is shown; the server checks every call. */
export function isAdmin(role: string | undefined): boolean {
  return dashboardRole(role) !== 'user'
}

/** Returns the label of a role (specification, section 2); an unknown role is shown as User. */
export function roleLabel(role: string | undefined): string {
  return labels[dashboardRole(role)]
}

/** True if a user with this role may open what requires `access`. */
export function mayOpen(access: RemoteAccess, role: string | undefined): boolean {
  return access === 'public' || access.includes(dashboardRole(role))
}
