import '@portal/ui/styles.css'
import { cache } from '@portal/api/cache'
import type { RemoteModule } from '@portal/contract/remote'
import type { PersonaName } from '@portal/fixtures/personas'
import { startMocksWithPanel } from '@portal/mocks/browser'
import { BrowserRouter } from '@portal/router/browser'
import { ToastRegion } from '@portal/ui/toast'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Frame } from './frame.tsx'
import { Pages } from './pages.tsx'

export interface Standing {
  remote: RemoteModule
  /** Where the shell mounts it: `/`, `/dashboard`, or its area below that. */
  mount: '/' | `/dashboard${string}`
  /** Who is signed in, unless another persona was chosen. */
  persona?: PersonaName
}

/**
 * Development only: a micro-frontend without shell and API. The mocks answer inside the page; its pages stand at the
 * addresses they have in the portal, and around those of the dashboard is a frame with its navigation.
 */
export async function standAlone({ remote, mount, persona }: Standing): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  await startMocksWithPanel({ ...(persona && { persona }) })
  const pages = <Pages remote={remote} mount={mount} />
  createRoot(root).render(
    <BrowserRouter>
      {mount === '/' ? (
        pages
      ) : (
        // What is around the dashboard's pages in the shell.
        <QueryClientProvider client={cache}>
          <Frame remote={remote} mount={mount}>
            {pages}
          </Frame>
          <ToastRegion />
        </QueryClientProvider>
      )}
    </BrowserRouter>,
  )
}
