import type { RemoteModule } from '@portal/contract/remote'
import { isAdmin, mayOpen } from '@portal/session/roles'

/**
 * Returns the tab to open first: verify for users and overview for others or, if the remote has no such tab, its first one.
 * Undefined if the remote has a page for `/dashboard` itself, or no tab at all.
 */
export function defaultTab(module: RemoteModule, role: string | undefined): string | undefined {
  const pages = new Set(module.routes.filter(route => mayOpen(route.access, role)).map(route => route.path))
  if (pages.has('')) return undefined
  const tabs = module.navigation.map(item => item.tab).filter(tab => pages.has(tab))
  const preferred = isAdmin(role) ? 'overview' : 'verify'
  return tabs.includes(preferred) ? preferred : tabs[0]
}
