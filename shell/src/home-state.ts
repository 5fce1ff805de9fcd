import type { Location } from '@portal/router'
import { isDashboardScreen } from '@portal/router/paths'
import { getSessionEnd } from '@portal/session/store'

interface HomeState {
  login: 'ended' | 'needed'
  /** The dashboard screen that was requested, which a login opens. */
  wanted?: string
}

/**
 * Returns the state passed to the landing page, which shows a message to someone who requested the dashboard. Empty after
 * signing out.
 * @param at the current or requested screen
 * @param stale there was a session, but it has expired
 */
export function homeState(at: Pick<Location, 'pathname' | 'search'>, stale = false): HomeState | null {
  const ended = getSessionEnd()
  if (ended === 'here') return null
  const address = at.pathname + at.search
  return {
    login: stale || ended ? 'ended' : 'needed',
    ...(isDashboardScreen(address) && { wanted: address }),
  }
}
