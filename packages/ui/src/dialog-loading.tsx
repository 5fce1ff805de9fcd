import { useLayoutEffect, useRef } from 'react'
import { Dialog, type DialogProps } from './dialog.tsx'
import styles from './dialog-loading.module.css'
import { FormLayout } from './form-layout.tsx'
import { Skeleton } from './skeleton.tsx'
import { Spinner } from './spinner.tsx'

/** Inserts text into the focused field of an open dialog, as if it had been typed. */
function insertText(text: string): void {
  const field = document.activeElement
  const dialog = field?.closest<HTMLDialogElement>('dialog:modal')
  if (!dialog) return
  // The dialog replaces the placeholder, so it must not play its opening animation.
  dialog.style.animationName = 'none'
  if (text === '' || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {}
  set?.call(field, field.value + text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
}

/**
 * Placeholder for a dialog whose code is loading; the fallback of a `Suspense`. It takes the focus, so that text typed
 * meanwhile can be inserted into the first field of the form.
 */
export function DialogLoading({ title, size, onClose }: Pick<DialogProps, 'title' | 'size' | 'onClose'>) {
  const typed = useRef('')
  useLayoutEffect(
    () => () =>
      // In this microtask, the loaded dialog has the focus and its form is ready.
      queueMicrotask(() => insertText(typed.current)),
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
        <Skeleton lines={3} size="field" />
      </FormLayout>
    </Dialog>
  )
}
