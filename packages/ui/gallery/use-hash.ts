import { useSyncExternalStore } from 'react'

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** Returns the hash of the page's URL, including `#`; empty if there is none. */
export const useHash = (): string => useSyncExternalStore(onHashChange, () => window.location.hash)
