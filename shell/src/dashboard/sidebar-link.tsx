import type { NavItem } from '@portal/contract/remote'
import { NavLink } from '@portal/router'
import { asComponent } from '@portal/router/component'
import { Tooltip } from '@portal/ui/tooltip'
import classes from './sidebar.module.css'

/** How the sidebar stands, for what is in it. */
export interface SidebarState {
  /** Icons alone, with tooltips. */
  collapsed?: boolean
  onNavigate?: (() => void) | undefined
}

interface Props extends SidebarState {
  to: string
  label: string
  icon: NavItem['icon']
  /** The page shown belongs here, though its address does not say so. */
  current?: boolean
}

/** One screen in the sidebar. */
export function SidebarLink({ to, label, icon, current = false, collapsed = false, onNavigate }: Props) {
  const Icon = asComponent(icon)
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
          <Icon aria-hidden={true} width="1.25rem" height="1.25rem" strokeWidth={1.75} />
          <span className={classes.label}>{label}</span>
        </NavLink>
      </Tooltip>
    </li>
  )
}
