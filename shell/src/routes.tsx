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
  const at = useLocation()
  const latest = useRef({ navigate, at })
  useEffect(() => {
    latest.current = { navigate, at }
  })
  useEffect(
    () =>
      onSignOut(origin => {
        const { navigate, at } = latest.current
        const isInDashboard = at.pathname.startsWith(paths.dashboard())
        if (origin !== 'elsewhere' || isInDashboard) {
          void navigate(paths.home(), { replace: true, state: homeState(at) })
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
      { path: '/*', element: <RemotePages name="mfe-public" elsewhere={paths.home()} /> },
    ],
  },
]

export const Pages = () => useRoutes(routes)
