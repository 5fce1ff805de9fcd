import type { RemoteName } from '@portal/contract/remote'
import { Navigate, type RouteObject, useLocation, useRoutes } from '@portal/router'
import { mayOpen } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { Suspense } from 'react'
import { RemoteBoundary, RemoteDown, RemoteLoading } from './remote-boundary.tsx'
import { type Page, reload, useRemote } from './remotes.ts'

interface Props {
  name: RemoteName
  /** Where an address leads that the remote does not have, or that this role may not open. */
  elsewhere: string
}

/** The pages of a remote, mounted where this stands; trouble of the remote stays inside. */
export function RemotePages({ name, elsewhere }: Props) {
  const remote = useRemote(name)
  if (remote.status === 'loading') return <RemoteLoading />
  if (remote.status === 'failed') {
    return <RemoteDown name={name} error={remote.error} onRetry={() => reload(name)} />
  }
  return <Pages name={name} pages={remote.pages} elsewhere={elsewhere} />
}

function Pages({ name, pages, elsewhere }: Props & { pages: readonly Page[] }) {
  const { pathname } = useLocation()
  const role = useSession(session => session.user?.role)
  const routes: RouteObject[] = pages
    .filter(page => mayOpen(page.access, role))
    .map(page => ({
      path: page.path,
      element: (
        <>
          <title>{`${page.title} – Certificate Verification Portal`}</title>
          <page.Component />
        </>
      ),
    }))
  const page = useRoutes([...routes, { path: '*', element: <Navigate to={elsewhere} replace /> }])
  return (
    <RemoteBoundary name={name} place={pathname} onRetry={() => reload(name)}>
      <Suspense key={pathname} fallback={<RemoteLoading />}>
        {page}
      </Suspense>
    </RemoteBoundary>
  )
}
