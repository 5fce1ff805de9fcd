import type { Location } from '@portal/router'
import { isDashboardScreen } from '@portal/router/paths'
import { howSessionEnded } from '@portal/session/store'

interface HomeState {
  login: 'ended' | 'needed'
  /** The dashboard screen that was wanted; logging in leads there. */
  wanted?: string
}

/**
 * What travels to the landing page with someone who wanted the dashboard; it has the words for it. Nothing after a
 * sign-out.
 * @param at where they were, or wanted to be
 * @param stale a session was there, but its time is over
 */
export function homeState(at: Pick<Location, 'pathname' | 'search'>, stale = false): HomeState | null {
  const ended = howSessionEnded()
  if (ended === 'here') return null
  const address = at.pathname + at.search
  return {
    login: stale || ended ? 'ended' : 'needed',
    ...(isDashboardScreen(address) && { wanted: address }),
  }
}
