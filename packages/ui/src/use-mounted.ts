import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False in static pages and while one is hydrated, for decoration that would only make pages larger. */
export const useMounted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
