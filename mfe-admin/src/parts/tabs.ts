import type { NavItem } from '@portal/contract/remote'
import { mayOpen } from '@portal/session/roles'

let navItems: readonly NavItem[] = []

/** Sets the known tabs. Called by `routes.tsx`, which pages cannot import, because it imports them. */
export function setKnownTabs(tabs: typeof navItems): void {
  navItems = tabs
}

/** Returns the tabs that a role can open, in order. */
export const tabsOf = (role: string | undefined): readonly NavItem[] =>
  navItems.filter(item => mayOpen(item.access, role))

/** Returns true if the tab exists and the role can open it, so that no shortcut is a dead link. */
export const hasTab = (tab: string, role: string | undefined): boolean =>
  tabsOf(role).some(item => item.tab === tab)
