import { messageOf } from '@portal/api/error'
import { Button } from '@portal/ui/button'
import { showToast } from '@portal/ui/toast-store'
import { useState } from 'react'
import styles from './undo.module.css'

/** How long it can be undone from the message, in milliseconds; pointing at it or focusing it holds the clock. */
const OFFERED = 10_000

interface Undoable {
  /** What was done. */
  message: string
  /** Takes it back, and gives what to say of that. */
  undo: () => Promise<string>
}

/** Says what was done, and offers to take it back for some seconds. */
export function showUndo(undoable: Undoable): void {
  showToast({ tone: 'success', duration: OFFERED, message: <UndoMessage {...undoable} /> })
}

type State = { is: 'offered' | 'busy' } | { is: 'undone' | 'failed'; message: string }

/** Drawn inside the toast, which belongs to the shell: it may use nothing of the page that showed it. */
function UndoMessage({ message, undo }: Undoable) {
  const [state, setState] = useState<State>({ is: 'offered' })

  async function takeBack() {
    setState({ is: 'busy' })
    const next = await undo().then(
      says => ({ is: 'undone', message: says }) as const,
      error => ({ is: 'failed', message: messageOf(error) }) as const,
    )
    // The button goes: the focus goes to the heading instead of nowhere, and no longer holds the message.
    document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
    setState(next)
  }

  // Keys of their own: what is added is read out.
  if (state.is === 'undone') return <span key="undone">{state.message}</span>
  if (state.is === 'failed') {
    return (
      <span key="failed" className={styles.failed}>
        It could not be undone. {state.message}
      </span>
    )
  }
  return (
    <span key="offered" className={styles.offered}>
      <span>{message}</span>{' '}
      <Button
        size="sm"
        variant="quiet"
        busy={state.is === 'busy'}
        busyLabel="Undoing…"
        onClick={() => void takeBack()}
      >
        Undo
      </Button>
    </span>
  )
}
