import { cache } from '@portal/api/cache'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'

/** Returns the page wrapped in the query cache. Only pages that use queries load the cache. */
export function cached(Page: ComponentType) {
  return function Cached() {
    return (
      <QueryClientProvider client={cache}>
        <Page />
      </QueryClientProvider>
    )
  }
}
