import { Navigate, Outlet, useLocation, useNavigate, useRoutes } from '@portal/router'
import { pathOfHash, paths } from '@portal/router/paths'
import { onSignOut } from '@portal/session/store'
import { useEffect, useRef } from 'react'
import { ChunkBoundary } from './federation/chunk-boundary.tsx'
import { loadingComponent } from './federation/loading-component.tsx'
import { RemotePages } from './federation/remote-pages.tsx'
import { Guarded } from './guard.tsx'
import { homeState } from './home-state.ts'

// Loaded lazily, so that the landing page loads neither the dashboard's code nor the query cache.
const Dashboard = loadingComponent(() => import('./dashboard/dashboard.tsx'))

/**
 * Leads to the landing page after signing out and after every 401 response. Signing out in another tab redirects only
 * dashboards, not the page of a visitor.
 */
function useHomeAfterSignOut() {
  const navigate = useNavigate()
  const location = useLocation()
  const latest = useRef({ navigate, location })
  useEffect(() => {
    latest.current = { navigate, location }
  })
  useEffect(
    () =>
      onSignOut(origin => {
        const { navigate, location } = latest.current
        const isInDashboard = location.pathname.startsWith(paths.dashboard())
        if (origin !== 'elsewhere' || isInDashboard) {
          void navigate(paths.home(), { replace: true, state: homeState(location) })
        }
      }),
    [],
  )
}

/** The parent of every page, which redirects old hash addresses to their screens. */
function Root() {
  useHomeAfterSignOut()
  const page = pathOfHash(useLocation().hash)
  return page ? <Navigate to={page} replace /> : <Outlet />
}

const routes = [
  {
    element: <Root />,
    children: [
      {
        path: '/dashboard/*',
        element: (
          <Guarded>
            <ChunkBoundary>
              <Dashboard />
            </ChunkBoundary>
          </Guarded>
        ),
      },
      { path: '/*', element: <RemotePages name="mfe-public" redirectPath={paths.home()} /> },
    ],
  },
]

export const Pages = () => useRoutes(routes)
