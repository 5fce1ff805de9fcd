import type { RemoteModule } from '@portal/contract/remote'
import { Navigate, useLocation, useRoutes } from '@portal/router'
import { asModule } from '@portal/router/component'
import { mayOpen, roleLabel } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { EmptyState } from '@portal/ui/empty-state'
import { lazy, Suspense } from 'react'

interface Props {
  remote: RemoteModule
  mount: string
}

const pageCache = new WeakMap<RemoteModule, ReturnType<typeof pagesOf>>()

const pagesOf = ({ routes }: RemoteModule) =>
  routes.map(route => ({ route, Page: lazy(() => asModule(route.lazy())) }))

/** The pages that the role can open, at their paths. */
export function Pages({ remote, mount }: Props) {
  const role = useSession(session => session.user?.role)
  const pages = pageCache.get(remote) ?? pagesOf(remote)
  pageCache.set(remote, pages)
  const permittedPages = pages.filter(({ route }) => mayOpen(route.access, role))
  const first = remote.navigation.find(item => mayOpen(item.access, role))?.tab
  const hasIndexPage = permittedPages.some(({ route }) => route.path === '')
  const home = hasIndexPage ? mount : first && `${mount}/${first}`
  const page = useRoutes([
    {
      path: mount,
      children: permittedPages.map(({ route: { path, title }, Page }) => ({
        path,
        element: (
          <>
            <title>{`${title} (standalone, mocked API)`}</title>
            <Page />
          </>
        ),
      })),
    },
    { path: '*', element: <PathWithoutPage home={home} mount={mount} role={role} /> },
  ])
  return <Suspense fallback={<p role="status">Loading…</p>}>{page}</Suspense>
}

interface PathWithoutPageProps {
  home: string | undefined
  mount: string
  role: string | undefined
}

/** Shown at a path without a page: redirects to the first page, or explains that the path is outside `mount`. */
function PathWithoutPage({ home, mount, role }: PathWithoutPageProps) {
  const { pathname } = useLocation()
  if (home === undefined)
    return (
      <EmptyState title={`No page for the role ${roleLabel(role)}`}>
        This micro-frontend has no page for this role. Choose another persona below.
      </EmptyState>
    )
  const isOwnPath =
    pathname === '/' || (mount === '/' ? !/^\/dashboard\b/.test(pathname) : pathname.startsWith(mount))
  if (isOwnPath) return <Navigate to={home} replace />
  return (
    <EmptyState
      title="This page belongs to another micro-frontend"
      action={<a href={home}>Back to this one</a>}
    >
      {pathname} is not a page of this micro-frontend. <code>npm run dev</code> serves the whole portal.
    </EmptyState>
  )
}
