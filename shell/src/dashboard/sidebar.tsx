import { useSettings } from '@portal/api/settings'
import type { NavItem, RemoteName } from '@portal/contract/remote'
import { paths } from '@portal/router/paths'
import { IconButton } from '@portal/ui/icon-button'
import { Logo } from '@portal/ui/logo'
import { Tooltip } from '@portal/ui/tooltip'
import { LogOut, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { AreaLinks } from './area-links.tsx'
import type { Area } from './areas.ts'
import { logoFallbacks } from './logo-fallbacks.ts'
import classes from './sidebar.module.css'
import { SidebarLink, type SidebarState } from './sidebar-link.tsx'
import { useSignOut } from './use-sign-out.ts'

interface Props extends SidebarState {
  /** The micro-frontend of the role, to which `items` belong. */
  remote: RemoteName
  /** True if the micro-frontend could not be loaded, so that there are no items. */
  failed: boolean
  items: readonly NavItem[]
  /** The areas that other micro-frontends add below the items. */
  areas: readonly Area[]
  /** The item to highlight if the page has no item of its own. */
  currentTab?: string | undefined
  /** Collapses or expands the sidebar. Omitted in the drawer, which has its own close button. */
  onToggle?: () => void
}

/** Lists the screens of the role, and Sign Out. */
export function Sidebar(props: Props) {
  const { remote, failed, items, areas, currentTab, collapsed = false, onToggle, onNavigate } = props
  const { data } = useSettings()
  const signOut = useSignOut()
  const name = data?.institution?.name ?? 'Certificate Verification'
  const label = (text: string) => <span className={classes.label}>{text}</span>
  return (
    <div className={classes.sidebar} data-collapsed={collapsed || undefined}>
      <div className={classes.head}>
        <span className={classes.brand}>
          <Logo name={name} sources={logoFallbacks(data?.institution?.logo)} size="sm" decorative />
          {label(name)}
        </span>
        {onToggle && (
          <IconButton
            icon={collapsed ? PanelLeftOpen : PanelLeftClose}
            label={collapsed ? 'Expand sidebar' : 'Collapse sidebar'}
            aria-expanded={!collapsed}
            onClick={onToggle}
          />
        )}
      </div>
      <nav aria-label="Dashboard">
        {failed && (
          <p className={`${classes.failed} ${classes.label}`}>This menu is unavailable right now.</p>
        )}
        <ul className={classes.items}>
          {items.map(({ tab, label: text, icon }) => (
            <SidebarLink
              key={tab}
              to={paths.dashboard(tab)}
              label={text}
              icon={icon}
              remote={remote}
              current={tab === currentTab}
              collapsed={collapsed}
              onNavigate={onNavigate}
            />
          ))}
          {areas.map(area => (
            <AreaLinks key={area.name} area={area} collapsed={collapsed} onNavigate={onNavigate} />
          ))}
        </ul>
      </nav>
      <Tooltip text={collapsed ? 'Sign Out' : ''} side="end" enabled={collapsed}>
        <button type="button" className={classes.item} onClick={signOut}>
          <LogOut aria-hidden="true" width="1.25rem" height="1.25rem" strokeWidth={1.75} />
          {label('Sign Out')}
        </button>
      </Tooltip>
    </div>
  )
}
