import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False in static pages and while one is being hydrated. Used for decoration that would only make the pages larger. */
export const useMounted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
