import { Navigate, useMatch, useRoutes } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { RemotePages } from '../federation/remote-pages.tsx'
import { useRemote } from '../federation/remotes.ts'
import type { Area } from './areas.ts'
import { defaultTab } from './default-tab.ts'

/** The pages of an area, below the area's own address. Their errors do not affect anything else. */
export function AreaPages({ area }: { area: Area }) {
  return useRoutes([{ path: `${area.path}/*`, element: <Screens area={area} /> }])
}

function Screens({ area }: { area: Area }) {
  const role = useSession(session => session.user?.role)
  const remote = useRemote(area.name)
  const isAtStart = useMatch(paths.dashboard(area.path)) !== null
  const firstTab = remote.status === 'ready' ? defaultTab(remote.module, role) : undefined
  return isAtStart && firstTab !== undefined ? (
    <Navigate to={paths.dashboard(`${area.path}/${firstTab}`)} replace />
  ) : (
    <RemotePages name={area.name} redirectPath={paths.dashboard()} />
  )
}
