import type { ProfileUser } from '@portal/contract/shapes'
import { useNavigate } from '@portal/router'
import { paths } from '@portal/router/paths'
import { isAdmin, roleLabel } from '@portal/session/roles'
import { Badge } from '@portal/ui/badge'
import { IconButton } from '@portal/ui/icon-button'
import { Avatar } from '@portal/ui/logo'
import { Menu } from '@portal/ui/menu'
import { ThemeSwitch } from '@portal/ui/theme-switch'
import { House, LogOut, Menu as MenuIcon, ShieldCheck } from 'lucide-react'
import { Clock } from './clock.tsx'
import classes from './header.module.css'
import { NotificationsBell } from './notifications-bell.tsx'
import { useSignOut } from './use-sign-out.ts'

interface Props {
  user: ProfileUser
  /** Opens the drawer; the button for it is shown on narrow screens only. */
  onMenu: () => void
}

/** The header: clock, notifications, the user's menu with the theme, and the additions of the role's area (`#header-tools`). */
export function Header({ user, onMenu }: Props) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const name = `${user.firstname} ${user.lastname}`
  return (
    <header className={classes.header} data-print="hidden">
      <IconButton icon={MenuIcon} label="Open menu" className={classes.menu} onClick={onMenu} />
      <Clock />
      <div className={classes.end}>
        <div id="header-tools" className={classes.tools} />
        <NotificationsBell />
        <Menu
          label={`Account of ${name}`}
          trigger={
            <>
              <Avatar name={name} />
              <span className={classes.name}>{name}</span>
            </>
          }
          header={
            <div className={classes.who}>
              <strong>{name}</strong>
              <span className={classes.email}>{user.email}</span>
              <Badge>{roleLabel(user.role)}</Badge>
              <ThemeSwitch />
            </div>
          }
          items={[
            {
              id: 'home',
              label: 'Home page',
              icon: House,
              href: paths.home(),
              onSelect: () => void navigate(paths.home()),
            },
            ...(isAdmin(user.role)
              ? [
                  {
                    id: 'security',
                    label: 'Account Security',
                    icon: ShieldCheck,
                    href: paths.dashboard('security'),
                    onSelect: () => void navigate(paths.dashboard('security')),
                  },
                ]
              : []),
            { id: 'sign-out', label: 'Sign Out', icon: LogOut, onSelect: signOut },
          ]}
        />
      </div>
    </header>
  )
}
