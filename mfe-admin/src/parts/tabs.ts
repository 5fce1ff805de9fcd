import type { NavItem } from '@portal/contract/remote'
import { mayOpen } from '@portal/session/roles'

let known: readonly NavItem[] = []

/** Told by `routes.tsx`, which the pages cannot import: it imports them. */
export function noteTabs(tabs: typeof known): void {
  known = tabs
}

/** The tabs that a role may open, in their order. */
export const tabsOf = (role: string | undefined): readonly NavItem[] =>
  known.filter(item => mayOpen(item.access, role))

/** True when there is such a tab and a role may open it: shortcuts lead nowhere else. */
export const hasTab = (tab: string, role: string | undefined): boolean =>
  tabsOf(role).some(item => item.tab === tab)
