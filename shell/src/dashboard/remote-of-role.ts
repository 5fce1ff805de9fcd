import type { RemoteModule, RemoteName } from '@portal/contract/remote'
import { isAdmin, mayOpen } from '@portal/session/roles'

/** The one remote a role's dashboard needs; an unknown role gets the user view. */
export function remoteOf(role: string | undefined): RemoteName {
  return isAdmin(role) ? 'mfe-admin' : 'mfe-user'
}

/** The first tab: verify for users, overview for the others; if the remote lacks it, whatever it has first. */
export function defaultTab(module: RemoteModule, role: string | undefined): string | undefined {
  const tabs = module.navigation.filter(item => mayOpen(item.access, role)).map(item => item.tab)
  const wanted = isAdmin(role) ? 'overview' : 'verify'
  return tabs.includes(wanted) ? wanted : tabs[0]
}
