import { call } from '@portal/api/call'
import { dropDraftsOf } from '@portal/drafts/store'
import { session, signOut } from '@portal/session/store'
import { clearPersistedNumber } from '@portal/verify-flow/persisted-number'
import { useCallback, useRef } from 'react'
import { logout } from './endpoints.ts'

/**
 * Ends the session on the server, then in the browser, even if the server fails: no one may stay signed in
 * after the click.
 */
export function useSignOut() {
  const leaving = useRef(false)
  return useCallback(() => {
    if (leaving.current) return
    leaving.current = true
    call(logout)
      .catch((error: unknown) => console.warn('The session could not be ended on the server.', error))
      .finally(() => {
        // Signing out removes all drafts, so that there are none for the next person at this computer. A session that
        // expires keeps them.
        const { user } = session.get()
        if (user) dropDraftsOf(user.id)
        clearPersistedNumber()
        signOut()
      })
  }, [])
}
