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

/** Shows a toast with an Undo button. If undoing fails, an error takes the place of the toast. */
export function showUndo({ key, message, undo }: Undoable): void {
  const undoOrShowError = () =>
    undo().catch((error: unknown) => {
      showToast({ tone: 'danger', key, message: `Could not undo. ${messageOf(error)}` })
      return undefined
    })
  const content = <UndoMessage message={message} undo={undoOrShowError} />
  showToast({ tone: 'success', duration: DURATION_MS, key, message: content })
}

interface Props {
  message: string
  /** Returns `undefined` if it failed, after another toast has taken the place of this one. */
  undo: () => Promise<string | undefined>
}

type State = { phase: 'offered' | 'busy' } | { phase: 'undone'; message: string }

/** The content of the toast. The shell renders it, so it must not depend on the page that showed the toast. */
function UndoMessage({ message, undo }: Props) {
  const [state, setState] = useState<State>({ phase: 'offered' })

  async function onUndo() {
    setState({ phase: 'busy' })
    const result = await undo()
    // The focus moves to the heading before the button disappears; this also lets the toast's timer continue.
    document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
    if (result !== undefined) setState({ phase: 'undone', message: result })
  }

  // The keys differ, so that screen readers announce the new text.
  if (state.phase === 'undone') return <span key="undone">{state.message}</span>
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
