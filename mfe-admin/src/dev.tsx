// `npm run dev -w mfe-admin`: this micro-frontend alone, the API answered by the mocks inside the page.
import '@portal/ui/styles.css'
import { cache } from '@portal/api/cache'
import { startMocks } from '@portal/mocks/browser'
import { Alone } from '@portal/router/alone'
import { ToastRegion } from '@portal/ui/toast'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import * as remote from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
await startMocks({ persona: 'admin', panel: true })
createRoot(root).render(
  <QueryClientProvider client={cache}>
    <Alone remote={remote} mount="/dashboard" />
    <ToastRegion />
  </QueryClientProvider>,
)
