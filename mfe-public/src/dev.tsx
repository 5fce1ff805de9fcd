// `npm run dev -w mfe-public`: this micro-frontend alone, the API answered by the mocks inside the page.
import '@portal/ui/styles.css'
import { createQueryClient } from '@portal/api/query'
import { startMocks } from '@portal/mocks/browser'
import { Alone } from '@portal/router/alone'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import * as remote from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
await startMocks()
createRoot(root).render(
  <QueryClientProvider client={createQueryClient()}>
    <Alone remote={remote} mount="/" />
  </QueryClientProvider>,
)
