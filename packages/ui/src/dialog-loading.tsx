import { useLayoutEffect, useRef } from 'react'
import { Dialog, type DialogProps } from './dialog.tsx'
import styles from './dialog-loading.module.css'
import { FormLayout } from './form-layout.tsx'
import { Skeleton } from './skeleton.tsx'
import { Spinner } from './spinner.tsx'

/** Types text into the field with the focus, as keys would, if a dialog has taken the focus. */
function typeOn(text: string): void {
  const field = document.activeElement
  const dialog = field?.closest<HTMLDialogElement>('dialog:modal')
  if (!dialog) return
  // It takes the place of one that is there already, and does not come in again.
  dialog.style.animation = 'none'
  if (text === '' || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {}
  set?.call(field, field.value + text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
}

/**
 * Holds the place of a dialog with a form while its code is on its way, the fallback of a `Suspense`. It takes the focus,
 * so that no key reaches the page below, and what is typed or scanned is then in the form's first field.
 */
export function DialogLoading({ title, size, onClose }: Pick<DialogProps, 'title' | 'size' | 'onClose'>) {
  const typed = useRef('')
  useLayoutEffect(
    () => () =>
      // After this commit: the dialog that came with it has the focus by then, and its form listens.
      queueMicrotask(() => typeOn(typed.current)),
    [],
  )
  return (
    <Dialog open title={title} size={size} onClose={onClose}>
      <input
        data-autofocus
        className={styles.field}
        aria-label={`Loading ${title}`}
        autoComplete="off"
        onChange={event => {
          typed.current = event.target.value
        }}
      />
      <FormLayout>
        <Spinner label="Loading…" />
        <Skeleton lines={2} size="figure" />
        <Skeleton lines={2} size="figure" />
      </FormLayout>
    </Dialog>
  )
}
