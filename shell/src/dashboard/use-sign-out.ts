import { call } from '@portal/api/call'
import { signOut } from '@portal/session/store'
import { useCallback, useRef } from 'react'
import { logout } from './endpoints.ts'

/** Ends the session on the server, then here. Here it ends in any case: whoever clicks must not stay signed in. */
export function useSignOut() {
  const leaving = useRef(false)
  return useCallback(() => {
    if (leaving.current) return
    leaving.current = true
    call(logout)
      .catch((error: unknown) => console.warn('The session could not be ended on the server.', error))
      .finally(signOut)
  }, [])
}
