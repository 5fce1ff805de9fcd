import { call } from '@portal/api/call'
import { dropDraftsOf } from '@portal/drafts/store'
import { session, signOut } from '@portal/session/store'
import { clearPersistedNumber } from '@portal/verify-flow/persisted-number'
import { useCallback, useRef } from 'react'
import { logout } from './endpoints.ts'

/**
 * Returns a function that ends the session on the server, then in the browser, even if the server fails: no one may stay logged
 * in after the click.
 */
export function useSignOut() {
  const isSigningOut = useRef(false)
  return useCallback(() => {
    if (isSigningOut.current) return
    isSigningOut.current = true
    call(logout)
      .catch((error: unknown) => console.warn('The session could not be ended on the server.', error))
      .finally(() => {
        // Signing out removes all drafts, so that the next person at this computer finds none. When a session expires, they are
        // kept.
        const { user } = session.get()
        if (user) dropDraftsOf(user.id)
        clearPersistedNumber()
        signOut()
      })
  }, [])
}
