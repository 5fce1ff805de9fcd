import { Navigate, Outlet, useLocation } from '@portal/router'
import { createBrowserRouter, redirect } from '@portal/router/browser'
import { pathOfHash, paths } from '@portal/router/paths'
import { hasLiveSession, session } from '@portal/session/store'
import { lazy, Suspense } from 'react'
import { remoteOf } from './dashboard/remote-of-role.ts'
import { RemoteLoading } from './federation/remote-boundary.tsx'
import { RemotePages } from './federation/remote-pages.tsx'
import { preload } from './federation/remotes.ts'

// The landing page must not carry the dashboard's code.
const Dashboard = lazy(() => import('./dashboard/dashboard.tsx'))

/** Every page passes here: old hash addresses are led to their screens. */
function Root() {
  const { hash } = useLocation()
  const page = pathOfHash(hash)
  return page ? <Navigate to={page} replace /> : <Outlet />
}

/** The guard of /dashboard: without a live session, to the landing page. The server checks each call besides. */
function guard() {
  if (!hasLiveSession()) return redirect(paths.home())
  preload(remoteOf(session.get().user?.role))
  return null
}

export const createRouter = () =>
  createBrowserRouter([
    {
      element: <Root />,
      hydrateFallbackElement: <RemoteLoading />,
      children: [
        {
          path: '/dashboard/*',
          loader: guard,
          shouldRevalidate: () => true,
          element: (
            <Suspense fallback={<RemoteLoading />}>
              <Dashboard />
            </Suspense>
          ),
        },
        { path: '/*', element: <RemotePages name="mfe-public" elsewhere={paths.home()} /> },
      ],
    },
  ])
