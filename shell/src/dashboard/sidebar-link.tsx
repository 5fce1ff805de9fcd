import type { NavItem, RemoteName } from '@portal/contract/remote'
import { NavLink } from '@portal/router'
import { Tooltip } from '@portal/ui/tooltip'
import { RemoteIcon } from './remote-icon.tsx'
import classes from './sidebar.module.css'

/** State of the sidebar, for its content. */
export interface SidebarState {
  /** Icons alone, with tooltips. */
  collapsed?: boolean
  onNavigate?: (() => void) | undefined
}

interface Props extends SidebarState {
  to: string
  label: string
  icon: NavItem['icon']
  /** Whose icon it is. */
  remote: RemoteName
  /** The page shown belongs here, though its address does not say so. */
  current?: boolean
}

/** One screen in the sidebar. */
export function SidebarLink(props: Props) {
  const { to, label, icon, remote, current = false, collapsed = false, onNavigate } = props
  return (
    <li>
      {/* Beside a label that shows, the words must not stand in the page a second time. */}
      <Tooltip text={collapsed ? label : ''} side="end" enabled={collapsed}>
        <NavLink
          to={to}
          className={classes.item ?? ''}
          onClick={onNavigate}
          {...(current && { 'aria-current': 'true' })}
        >
          <RemoteIcon remote={remote} icon={icon} />
          <span className={classes.label}>{label}</span>
        </NavLink>
      </Tooltip>
    </li>
  )
}
