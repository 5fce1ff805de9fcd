import type { RemoteName } from '@portal/contract/remote'
import { Navigate, type RouteObject, useLocation, useRoutes } from '@portal/router'
import { PagePlace } from '@portal/router/page-place'
import { paths } from '@portal/router/paths'
import { mayOpen } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { showToast } from '@portal/ui/toast-store'
import { type ReactNode, useEffect } from 'react'
import { resolvePageShown } from './page-shown.ts'
import { RemoteBoundary, RemoteDown, RemoteTrouble } from './remote-boundary.tsx'
import { RemoteLoading } from './remote-loading.tsx'
import { type Page, reload, useRemote } from './remotes.ts'

interface Props {
  name: RemoteName
  /** Where to redirect from an address that the remote does not have, or that this role may not open. */
  redirectPath: string
}

/** Renders the pages of a remote, and contains its failures. */
export function RemotePages({ name, redirectPath }: Props) {
  const remote = useRemote(name)
  if (remote.status === 'loading') return <RemoteLoading />
  if (remote.status === 'failed') {
    return <RemoteDown name={name} error={remote.error} onRetry={() => reload(name)} />
  }
  return <Pages name={name} {...remote} redirectPath={redirectPath} />
}

interface PagesProps extends Props {
  pages: readonly Page[]
  problemPath?: string
}

function Pages({ name, pages, redirectPath, problemPath }: PagesProps) {
  const { pathname } = useLocation()
  return (
    <RemoteBoundary name={name} path={pathname} onRetry={() => reload(name)}>
      <PagePlace
        path={pathname}
        notice={problemPath === pathname && <RemoteTrouble onRetry={() => reload(name)} />}
        fallback={<RemoteLoading />}
      >
        <MatchedPage pages={pages} redirectPath={redirectPath} />
      </PagePlace>
    </RemoteBoundary>
  )
}

/** Renders the page at this address. It is inside the boundary, because the paths belong to the remote. */
function MatchedPage({ pages, redirectPath }: Pick<PagesProps, 'pages' | 'redirectPath'>) {
  const role = useSession(session => session.user?.role)
  const routes: RouteObject[] = pages
    .filter(page => mayOpen(page.access, role))
    .map(page => ({
      path: page.path,
      element: (
        <Titled title={page.title}>
          <page.Component />
        </Titled>
      ),
    }))
  return useRoutes([...routes, { path: '*', element: <PathWithoutPage to={redirectPath} /> }])
}

/**
 * Redirects from an address that has no page for this role, which may be a page of another role; the landing page shows its own
 * message.
 */
function PathWithoutPage({ to }: { to: string }) {
  useEffect(() => {
    if (to !== paths.home()) showToast({ tone: 'info', message: 'That page cannot be opened.' })
  }, [to])
  return <Navigate to={to} replace state={{ missing: true }} />
}

/** Sets the document title. React would add a second title next to that of index.html. */
function Titled({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Certificate Verification Portal`
    resolvePageShown()
  }, [title])
  return children
}
