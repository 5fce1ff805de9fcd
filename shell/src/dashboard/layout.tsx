import type { ProfileUser } from '@portal/contract/shapes'
import { Navigate, useLocation, useMatch } from '@portal/router'
import { paths } from '@portal/router/paths'
import { mayOpen } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { Drawer } from '@portal/ui/drawer'
import { SkipLink } from '@portal/ui/skip-link'
import { ToastRegion } from '@portal/ui/toast'
import { useEffect, useRef, useState } from 'react'
import { RemotePages } from '../federation/remote-pages.tsx'
import { useRemote } from '../federation/remotes.ts'
import { AreaPages } from './area-pages.tsx'
import { areaAt, useAreas } from './areas.ts'
import { defaultTab } from './default-tab.ts'
import { Header } from './header.tsx'
import classes from './layout.module.css'
import { remoteNameOfRole } from './remote-of-role.ts'
import { Sidebar } from './sidebar.tsx'
import { persistSidebarOpen, readSidebarOpen, wideScreen } from './sidebar-state.ts'
import { useOfferedItems } from './use-offered.ts'

/** The frame of the dashboard: sidebar, header and the pages of the remote for the user's role. */
export function Layout({ user }: { user: ProfileUser }) {
  const role = useSession(session => session.user?.role)
  const name = remoteNameOfRole(role)
  const remote = useRemote(name)
  const areas = useAreas(role)
  const [open, setOpen] = useSidebarOpen()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const main = useFocusAfterNavigation()
  const isAtHome = useMatch(paths.dashboard()) !== null

  const toggle = () => {
    setOpen(!open)
    persistSidebarOpen(!open)
  }
  const module = remote.status === 'ready' ? remote.module : undefined
  const items = useOfferedItems(module?.navigation.filter(item => mayOpen(item.access, role)) ?? [])
  const firstTab = module && defaultTab(module, role)
  const path = useMatch(paths.dashboard('*'))?.params['*'] ?? ''
  const area = areaAt(areas, path)
  const currentTab = module?.routes.find(route => route.path === path)?.tab
  const sidebarProps = { remote: name, failed: remote.status === 'failed', items, areas, currentTab }

  return (
    <div className={classes.frame} data-sidebar={open ? 'open' : 'closed'}>
      <SkipLink />
      <aside className={classes.sidebar} data-print="hidden">
        <Sidebar {...sidebarProps} collapsed={!open} onToggle={toggle} />
      </aside>
      <Drawer open={isDrawerOpen} onClose={() => setDrawerOpen(false)} title="Menu">
        <Sidebar {...sidebarProps} onNavigate={() => setDrawerOpen(false)} />
      </Drawer>
      <div className={classes.body}>
        <Header user={user} onMenu={() => setDrawerOpen(true)} />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          {area ? (
            <AreaPages area={area} />
          ) : isAtHome && firstTab !== undefined ? (
            <Navigate to={paths.dashboard(firstTab)} replace />
          ) : (
            <RemotePages name={name} redirectPath={paths.dashboard()} />
          )}
        </main>
      </div>
      <ToastRegion />
    </div>
  )
}

/** Returns the state of the sidebar. Where it covers the page, it closes after a click elsewhere, Escape or navigation. */
function useSidebarOpen() {
  const [open, setOpen] = useState(readSidebarOpen)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each navigation
  useEffect(() => {
    if (!wideScreen.matches) setOpen(false)
  }, [pathname])
  useEffect(() => {
    const reset = () => setOpen(readSidebarOpen())
    const close = (event: Event) => {
      const shouldClose =
        event instanceof KeyboardEvent
          ? event.key === 'Escape'
          : !(event.target instanceof Element && event.target.closest('aside'))
      if (shouldClose && !wideScreen.matches) setOpen(false)
    }
    wideScreen.addEventListener('change', reset)
    document.addEventListener('keydown', close)
    document.addEventListener('pointerdown', close)
    return () => {
      wideScreen.removeEventListener('change', reset)
      document.removeEventListener('keydown', close)
      document.removeEventListener('pointerdown', close)
    }
  }, [])
  return [open, setOpen] as const
}

/** Moves focus and scroll position to the start of a new screen, as after loading a page. */
function useFocusAfterNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shownPath = useRef(pathname)
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [pathname])
  return main
}
