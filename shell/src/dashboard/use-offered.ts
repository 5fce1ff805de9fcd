import { endpoint } from '@portal/api/endpoint'
import { q } from '@portal/api/query'
import type { NavItem, NavOffer } from '@portal/contract/remote'
import type { Route } from '@portal/contract/route'
import { useQueries } from '@tanstack/react-query'

// This is the same query key as in the remote's own pages, so that a change there updates the menu.
const optionsOf = ({ path, isOffered }: NavOffer) => ({
  ...q(endpoint<Route>('GET', path)),
  select: isOffered,
})

/**
 * Returns the items that the API offers to this account. An item that depends on offers appears once one of them is confirmed.
 */
export function useOfferedItems(items: readonly NavItem[]): readonly NavItem[] {
  const offers = items.flatMap(item => (item.offers ?? []).map(offer => ({ item, offer })))
  const replies = useQueries({ queries: offers.map(({ offer }) => optionsOf(offer)) })
  const confirmed = new Set(
    offers.filter((_, index) => replies[index]?.data === true).map(({ item }) => item),
  )
  return items.filter(item => item.offers === undefined || confirmed.has(item))
}
