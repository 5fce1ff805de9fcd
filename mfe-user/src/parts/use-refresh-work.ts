import { queryKey } from '@portal/api/query'
import { useQueryClient } from '@tanstack/react-query'
import { notifications } from './endpoints.ts'
import { organisations } from './organisation-endpoints.ts'
import { batches, billing, verifications } from './organisation-work-endpoints.ts'

/** Returns a function that refetches every query that an organisation's verification, batch or payment affects. */
export function useRefreshWork() {
  const client = useQueryClient()
  const routes = [verifications, batches, billing].flatMap(group => Object.values(group))
  return () =>
    Promise.all(
      [...routes, organisations.list, organisations.read, notifications].map(route =>
        client.invalidateQueries({ queryKey: queryKey(route) }),
      ),
    )
}
