import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { roleLabel } from '@portal/session/roles'

/** The user who is logged in. */
export interface Viewer {
  id: string | undefined
  role: Role
}

export interface AllowedActions {
  edit: boolean
  /** Enable or disable the account. */
  toggle: boolean
  role: boolean
  /** Verify the email address, or resend the verification email. */
  verify: boolean
  /** Reset the authenticator app of a person who lost it. */
  resetAuthenticator: boolean
}

/** Returns the actions that are offered for an account (specification, section 6). The server enforces the same rules. */
export function getAllowedActions(viewer: Viewer, account: AdminUser): AllowedActions {
  const isSelf = viewer.id === account.id
  const isSuperAdmin = viewer.role === 'super_admin'
  return {
    edit: isSuperAdmin || account.role === 'user',
    toggle: !isSelf && account.role !== 'super_admin',
    role: isSuperAdmin && !isSelf,
    verify: !account.is_verified,
    resetAuthenticator: isSuperAdmin && !isSelf && account.role !== 'user',
  }
}

export const allRoles = ['user', 'admin', 'super_admin'] as const satisfies Role[]

/** Returns the options of the role select. */
export const roleOptions = (roles: readonly Role[]) =>
  roles.map(role => ({ value: role, label: roleLabel(role) }))
