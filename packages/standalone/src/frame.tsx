import type { RemoteModule } from '@portal/contract/remote'
import { NavLink } from '@portal/router'
import { mayOpen } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Fragment, type ReactNode } from 'react'
import classes from './frame.module.css'

interface Props {
  remote: RemoteModule
  mount: string
  children: ReactNode
}

/** A minimal replacement for the shell's sidebar and header. */
export function Frame({ remote, mount, children }: Props) {
  const user = useSession(session => session.user)
  const items = remote.navigation.filter(item => mayOpen(item.access, user?.role))
  return (
    <>
      <header className={classes.header} data-print="hidden">
        <nav aria-label="Pages" className={classes.nav}>
          {items.map(({ tab, label }) => (
            <NavLink key={tab} to={`${mount}/${tab}`} className={classes.item ?? ''}>
              {label}
            </NavLink>
          ))}
        </nav>
        <div id="header-tools" />
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        {/* A change of the persona changes the key, which remounts the pages. */}
        {user ? <Fragment key={user.id}>{children}</Fragment> : <SignedOut />}
      </main>
    </>
  )
}

const SignedOut = () => (
  <EmptyState
    title="No one is signed in"
    action={<Button onClick={() => location.reload()}>Sign in again</Button>}
  >
    In the portal, you would now see the landing page.
  </EmptyState>
)
