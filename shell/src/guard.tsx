import { Navigate, useLocation } from '@portal/router'
import { paths } from '@portal/router/paths'
import { isExpired } from '@portal/session/claims'
import { hasLiveSession, useSession } from '@portal/session/store'
import { type ReactNode, useEffect } from 'react'
import { remoteNameOfRole } from './dashboard/remote-of-role.ts'
import { preload } from './federation/remotes.ts'
import { homeState } from './home-state.ts'

/**
 * Guards /dashboard, at each address: without a valid session, the remains of an old session are cleared, and the visitor is
 * redirected to the landing page. This only saves a round trip, because the server checks each call.
 */
export function Guarded({ children }: { children: ReactNode }) {
  const location = useLocation()
  const { token, user } = useSession()
  const isLive = token !== undefined && user !== undefined && !isExpired(token)
  useEffect(() => {
    if (isLive) preload(remoteNameOfRole(user?.role))
    else hasLiveSession()
  }, [isLive, user?.role])
  return isLive ? (
    children
  ) : (
    <Navigate to={paths.home()} replace state={homeState(location, token !== undefined)} />
  )
}
