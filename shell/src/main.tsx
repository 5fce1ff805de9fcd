import './federation/trusted-types.ts'
import '@portal/ui/styles.css'
import { createQueryClient } from '@portal/api/query'
import { RouterProvider } from '@portal/router/browser'
import { paths } from '@portal/router/paths'
import { onSignOut } from '@portal/session/store'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createRouter } from './routes.tsx'

const queries = createQueryClient()
const router = createRouter()

// Sign-out and every 401 lead home. Another tab's sign-out takes only dashboards along, not a visitor's page.
onSignOut(origin => {
  const inDashboard = router.state.location.pathname.startsWith(paths.dashboard())
  if (origin === 'here' || inDashboard) void router.navigate(paths.home(), { replace: true })
  queries.clear()
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
