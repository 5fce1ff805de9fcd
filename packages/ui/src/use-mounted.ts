import { useSyncExternalStore } from 'react'

const noSubscription = () => () => undefined

/** False in static pages and during their hydration. Used for decoration that would only make static pages larger. */
export const useMounted = (): boolean =>
  useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )
