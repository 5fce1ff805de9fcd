import { useNavigate } from '@portal/router'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'

interface LeaveGuard {
  /** Runs an action that leaves the form: at once, or after confirmation if there are unsaved changes. */
  runGuarded: (leave: () => void) => void
  /** The confirmation dialog, to be rendered. */
  confirmation: ReactNode
}

/** Returns the in-app path to which a click navigates, or `undefined` if the click opens something else. */
function getDestination(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined
  if (link.pathname === location.pathname && link.hash !== '') return undefined
  return link.pathname + link.search + link.hash
}

/**
 * Asks for confirmation before changes are lost: on links, on Back and Forward (where the browser allows it), and when the page
 * is closed or reloaded. React Router's own blocker needs a data router, which the portal does not use.
 */
export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const navigate = useNavigate()
  const [leave, setLeave] = useState<(() => void) | undefined>()
  const isLeaving = useRef(false)

  useEffect(() => {
    if (!isDirty) return
    isLeaving.current = false

    function onClick(event: MouseEvent) {
      const to = getDestination(event)
      if (to === undefined) return
      event.preventDefault()
      event.stopPropagation()
      setLeave(() => () => void navigate(to))
    }
    function onTraverse(event: NavigateEvent) {
      const { key } = event.destination
      if (event.navigationType !== 'traverse' || !event.cancelable || isLeaving.current) return
      event.preventDefault()
      setLeave(() => () => {
        isLeaving.current = true
        window.navigation.traverseTo(key)
      })
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()

    document.addEventListener('click', onClick, true)
    window.addEventListener('beforeunload', onUnload)
    // The oldest supported browsers do not have the Navigation API.
    if ('navigation' in window) window.navigation.addEventListener('navigate', onTraverse)
    return () => {
      document.removeEventListener('click', onClick, true)
      window.removeEventListener('beforeunload', onUnload)
      if ('navigation' in window) window.navigation.removeEventListener('navigate', onTraverse)
    }
  }, [isDirty, navigate])

  return {
    runGuarded: action => (isDirty ? setLeave(() => action) : action()),
    confirmation: (
      <ConfirmDialog
        open={leave !== undefined}
        title="Leave without saving?"
        confirmLabel="Leave"
        cancelLabel="Keep editing"
        onConfirm={() => {
          setLeave(undefined)
          leave?.()
        }}
        onCancel={() => setLeave(undefined)}
      >
        You have unsaved changes.
      </ConfirmDialog>
    ),
  }
}
