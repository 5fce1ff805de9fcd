import { cache } from '@portal/api/cache'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'

/** Wraps a page in the provider of the query cache. Only pages that use queries load the cache. */
export function withQueryCache(Page: ComponentType) {
  return function PageWithQueryCache() {
    return (
      <QueryClientProvider client={cache}>
        <Page />
      </QueryClientProvider>
    )
  }
}
