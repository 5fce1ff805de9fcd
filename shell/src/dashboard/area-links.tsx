import { useMatch } from '@portal/router'
import { paths } from '@portal/router/paths'
import { mayOpen } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { Blocks } from 'lucide-react'
import { useRemote } from '../federation/remotes.ts'
import type { Area } from './areas.ts'
import { SidebarLink, type SidebarState } from './sidebar-link.tsx'

/**
 * Links to the screens of an area. Until the area's remote has loaded, or if it fails, shows a link to the page that explains
 * why.
 */
export function AreaLinks({ area, ...state }: SidebarState & { area: Area }) {
  const role = useSession(session => session.user?.role)
  const remote = useRemote(area.name)
  const path = useMatch(paths.dashboard(`${area.path}/*`))?.params['*']
  if (remote.status !== 'ready')
    return (
      <SidebarLink
        to={paths.dashboard(area.path)}
        label={area.title}
        icon={Blocks}
        remote={area.name}
        {...state}
      />
    )
  const { navigation, routes } = remote.module
  const currentTab = routes.find(route => route.path === path)?.tab
  return navigation
    .filter(item => mayOpen(item.access, role))
    .map(({ tab, label, icon }) => (
      <SidebarLink
        key={tab}
        to={paths.dashboard(`${area.path}/${tab}`)}
        label={label}
        icon={icon}
        remote={area.name}
        current={tab === currentTab}
        {...state}
      />
    ))
}
