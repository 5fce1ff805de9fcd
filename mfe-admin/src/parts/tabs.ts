import type { NavItem } from '@portal/contract/remote'
import { mayOpen } from '@portal/session/roles'

let known: readonly Pick<NavItem, 'tab' | 'access'>[] = []

/** Told by `routes.tsx`, which the pages cannot import: it imports them. */
export function noteTabs(tabs: typeof known): void {
  known = tabs
}

/** True when there is such a tab and a role may open it: shortcuts lead nowhere else. */
export const hasTab = (tab: string, role: string | undefined): boolean =>
  known.some(item => item.tab === tab && mayOpen(item.access, role))
