import type { RemoteName } from '@portal/contract/remote'
import { isAdmin } from '@portal/session/roles'

/** Returns the one remote that a role's dashboard needs; an unknown role gets that of users. */
export function remoteNameOfRole(role: string | undefined): RemoteName {
  return isAdmin(role) ? 'mfe-admin' : 'mfe-user'
}
