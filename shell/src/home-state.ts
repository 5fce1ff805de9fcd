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
 * @param screen the current or requested screen
 * @param isExpired true if there was a session, but it has expired
 */
export function homeState(
  screen: Pick<Location, 'pathname' | 'search'>,
  isExpired = false,
): HomeState | null {
  const ended = getSessionEnd()
  if (ended === 'here') return null
  const address = screen.pathname + screen.search
  return {
    login: isExpired || ended ? 'ended' : 'needed',
    ...(isDashboardScreen(address) && { wanted: address }),
  }
}
