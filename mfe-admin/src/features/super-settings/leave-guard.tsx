import { useNavigate } from '@portal/router'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'

interface LeaveGuard {
  /** Does something that would lose the changes: at once when there are none, else after asking. */
  guarded: (leave: () => void) => void
  /** The question; to be rendered. */
  question: ReactNode
}

/** The router numbers the entries of the history. */
const entryOf = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : 0

/** The address a click leads to inside the portal, unless it opens elsewhere. */
function destinationOf(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined
  if (link.pathname === location.pathname && link.hash !== '') return undefined
  return link.pathname + link.search + link.hash
}

/**
 * Asks before changes are lost: on links, Back and Forward, and when the page is closed or loaded anew. The router has
 * no such guard without its data routes, which the portal does not use.
 */
export function useLeaveGuard(dirty: boolean): LeaveGuard {
  const navigate = useNavigate()
  const [leave, setLeave] = useState<(() => void) | undefined>()
  const passing = useRef(false)

  useEffect(() => {
    if (!dirty) return
    const here = entryOf(history.state)
    let returning = false

    function onClick(event: MouseEvent) {
      const to = destinationOf(event)
      if (to === undefined) return
      event.preventDefault()
      event.stopPropagation()
      setLeave(() => () => void navigate(to))
    }
    function onPop(event: PopStateEvent) {
      if (passing.current) return
      // The router must not hear of it: it would show the other page.
      event.stopImmediatePropagation()
      if (returning) {
        returning = false
        return
      }
      const away = entryOf(event.state) - here
      if (away === 0) return
      returning = true
      history.go(-away)
      setLeave(() => () => {
        passing.current = true
        history.go(away)
      })
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()

    document.addEventListener('click', onClick, true)
    window.addEventListener('popstate', onPop, true)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      document.removeEventListener('click', onClick, true)
      window.removeEventListener('popstate', onPop, true)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [dirty, navigate])

  return {
    guarded: action => (dirty ? setLeave(() => action) : action()),
    question: (
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
        What you changed here has not been saved.
      </ConfirmDialog>
    ),
  }
}
