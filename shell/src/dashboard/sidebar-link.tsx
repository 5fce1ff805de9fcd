import type { NavItem, RemoteName } from '@portal/contract/remote'
import { NavLink } from '@portal/router'
import { Tooltip } from '@portal/ui/tooltip'
import { RemoteIcon } from './remote-icon.tsx'
import classes from './sidebar.module.css'

/** The state of the sidebar, as its content needs it. */
export interface SidebarState {
  /** True if the sidebar shows only icons, with tooltips. */
  collapsed?: boolean
  onNavigate?: (() => void) | undefined
}

interface Props extends SidebarState {
  to: string
  label: string
  icon: NavItem['icon']
  /** The remote that provides the icon. */
  remote: RemoteName
  /** True if the current page belongs to this item although its address does not show that. */
  current?: boolean
}

/** Link to one screen in the sidebar. */
export function SidebarLink(props: Props) {
  const { to, label, icon, remote, current = false, collapsed = false, onNavigate } = props
  return (
    <li>
      {/* While the label is visible, the text must not also be in the page as a tooltip. */}
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
