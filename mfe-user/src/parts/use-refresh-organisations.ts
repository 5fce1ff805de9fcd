import { queryKey } from '@portal/api/query'
import { useQueryClient } from '@tanstack/react-query'
import { notifications } from './endpoints.ts'
import { areas, members, organisations } from './organisation-endpoints.ts'

/** Returns a function that refetches every query about organisations, including those of the menu and the notifications. */
export function useRefreshOrganisations() {
  const client = useQueryClient()
  const routes = [areas, organisations, members].flatMap(group => Object.values(group))
  return () =>
    Promise.all(
      [...routes, notifications].map(route => client.invalidateQueries({ queryKey: queryKey(route) })),
    )
}
