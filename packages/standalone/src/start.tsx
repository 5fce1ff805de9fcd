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

export interface StandaloneOptions {
  remote: RemoteModule
  /** Path at which the shell mounts the micro-frontend: `/`, `/dashboard`, or a path below `/dashboard`. */
  mount: '/' | `/dashboard${string}`
  /** The persona to sign in as if the mocks' conditions name none. */
  persona?: PersonaName
}

/**
 * Runs a micro-frontend without the shell and the API; for development only. Mocks in the browser answer its API requests. Its
 * pages have the same paths as in the portal, and dashboard pages get a frame with the navigation.
 */
export async function startStandalone({ remote, mount, persona }: StandaloneOptions): Promise<void> {
  // Retry quickly, so that simulated failures soon appear. Retries stay on, because `once:` conditions need them.
  const { queries } = cache.getDefaultOptions()
  cache.setDefaultOptions({ queries: { ...queries, retryDelay: 100 } })
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  // Refetch the data on the screen without reloading the page, so that typed input is kept.
  const onChange = () => void cache.resetQueries()
  await startMocksWithPanel({ onChange, ...(persona && { persona }) })
  const pages = <Pages remote={remote} mount={mount} />
  createRoot(root).render(
    <BrowserRouter>
      {mount === '/' ? (
        pages
      ) : (
        // Provides what the shell's dashboard frame provides.
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
