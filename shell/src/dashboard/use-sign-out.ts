import { call } from '@portal/api/call'
import { dropDraftsOf } from '@portal/drafts/store'
import { session, signOut } from '@portal/session/store'
import { clearPersistedNumber } from '@portal/verify-flow/persisted-number'
import { useCallback } from 'react'
import { create } from 'zustand'
import { logout } from './endpoints.ts'

/**
 * React hook: true while the session is being ended on the server. Pages are hidden during that time, because the server would
 * answer their requests with 401, as if the session had expired.
 */
export const useIsSigningOut = create(() => false)

/**
 * Returns a function that ends the session on the server, then in the browser, even if the server fails: no one may stay logged
 * in after the click.
 */
export function useSignOut() {
  return useCallback(() => {
    if (useIsSigningOut.getState()) return
    useIsSigningOut.setState(true)
    const { user } = session.get()
    call(logout)
      .catch((error: unknown) => console.warn('The session could not be ended on the server.', error))
      .finally(() => {
        // Signing out removes all drafts, so that the next person at this computer finds none. When a session expires, they are
        // kept.
        if (user) dropDraftsOf(user.id)
        clearPersistedNumber()
        signOut()
        useIsSigningOut.setState(false)
      })
  }, [])
}
