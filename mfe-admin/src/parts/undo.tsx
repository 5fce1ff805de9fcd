import { messageOf } from '@portal/api/error'
import { Button } from '@portal/ui/button'
import { showToast } from '@portal/ui/toast-store'
import { useState } from 'react'
import styles from './undo.module.css'

/** How long the toast offers Undo, in milliseconds; hovering over it or focusing it pauses the timer. */
const DURATION_MS = 10_000

interface Undoable {
  /** A message that describes the action. */
  message: string
  /** Reverts the action and returns a message. */
  undo: () => Promise<string>
  /** What the action changed. The next toast with this key replaces the offer, which is then out of date. */
  key: string
}

/** Shows a toast with an Undo button. */
export function showUndo({ key, ...undoable }: Undoable): void {
  showToast({ tone: 'success', duration: DURATION_MS, key, message: <UndoMessage {...undoable} /> })
}

type State = { phase: 'offered' | 'busy' } | { phase: 'undone' | 'failed'; message: string }

/** The content of the toast. The shell renders it, so it must not depend on the page that showed the toast. */
function UndoMessage({ message, undo }: Omit<Undoable, 'key'>) {
  const [state, setState] = useState<State>({ phase: 'offered' })

  async function onUndo() {
    setState({ phase: 'busy' })
    const next = await undo().then(
      text => ({ phase: 'undone', message: text }) as const,
      error => ({ phase: 'failed', message: messageOf(error) }) as const,
    )
    // The focus moves to the heading before the button disappears; this also lets the toast's timer continue.
    document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
    setState(next)
  }

  // The keys differ, so that screen readers announce the new text.
  if (state.phase === 'undone') return <span key="undone">{state.message}</span>
  if (state.phase === 'failed') {
    return (
      <span key="failed" className={styles.failed}>
        Could not undo. {state.message}
      </span>
    )
  }
  return (
    <span key="offered" className={styles.offered}>
      <span>{message}</span>{' '}
      <Button
        size="sm"
        variant="quiet"
        busy={state.phase === 'busy'}
        busyLabel="Undoing…"
        onClick={() => void onUndo()}
      >
        Undo
      </Button>
    </span>
  )
}
