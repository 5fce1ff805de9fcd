import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => undefined

/**
 * Returns false in static pages and during their hydration, afterwards true. Used to leave out decoration that would only make
 * static pages larger.
 */
export const useMounted = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
