import { queryKey } from '@portal/api/query'
import { useQueryClient } from '@tanstack/react-query'
import { notifications } from './endpoints.ts'
import { areas, members, organisations } from './organisation-endpoints.ts'

/**
 * Returns a function that refetches every query about organisations, including those of the menu and the notifications.
 * After the user has left an organisation, only the queries about all organisations are refetched: the others would fail.
 */
export function useRefreshOrganisations() {
  const client = useQueryClient()
  const routes = [areas, organisations, members].flatMap(group => Object.values(group))
  return ({ hasLeft = false } = {}) =>
    Promise.all(
      [...routes, notifications]
        .filter(({ path }) => !hasLeft || !path.includes('{id}'))
        .map(route => client.invalidateQueries({ queryKey: queryKey(route) })),
    )
}
