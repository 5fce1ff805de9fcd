import { howSessionEnded } from '@portal/session/store'

/**
 * What travels to the landing page with someone who wanted the dashboard; it has the words for it. Nothing after a
 * sign-out.
 * @param stale a session was there, but its time is over
 */
export function homeState(stale = false): { login: 'ended' | 'needed' } | null {
  const ended = howSessionEnded()
  return ended === 'here' ? null : { login: stale || ended ? 'ended' : 'needed' }
}
