import { queryKey } from '@portal/api/query'
import { useQueryClient } from '@tanstack/react-query'
import { events, webhooks } from '../../../parts/developer-endpoints.ts'

/** Returns a function that refetches endpoints, events and deliveries. */
export function useRefreshWebhooks() {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [webhooks.list, events.list, events.read].map(route =>
        client.invalidateQueries({ queryKey: queryKey(route) }),
      ),
    )
}
