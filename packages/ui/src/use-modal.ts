import { type MouseEvent, type RefObject, type SyntheticEvent, useLayoutEffect, useRef } from 'react'

interface Modal {
  ref: RefObject<HTMLDialogElement | null>
  onCancel: (event: SyntheticEvent) => void
  onClose: (event: SyntheticEvent) => void
  onPointerDown: (event: MouseEvent<HTMLDialogElement>) => void
  onClick: (event: MouseEvent<HTMLDialogElement>) => void
}

/**
 * Opens and closes a native `<dialog>`; the browser traps the focus, returns it and makes the rest of the page inert. The focus
 * goes to `[data-autofocus]`, else to the first field, else to the heading, but not to the close button.
 */
export function useModal(open: boolean, close: () => void, closable: boolean): Modal {
  const ref = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    const { documentElement: root } = document
    // While another dialog is open, the scrollbar is hidden and cannot be measured.
    if (!document.querySelector('dialog:modal'))
      root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`)
    dialog.showModal()
    const focusTarget =
      dialog.querySelector<HTMLElement>('[data-autofocus]') ??
      dialog.querySelector<HTMLElement>('input:not([type=hidden], :disabled), select, textarea') ??
      dialog.querySelector<HTMLElement>('[data-heading]')
    focusTarget?.focus({ preventScroll: true })
    return () => dialog.close()
  }, [open])

  return {
    ref,
    onCancel: event => {
      if (event.target !== ref.current) return
      event.preventDefault()
      if (closable) close()
    },
    // Browsers close a dialog on a second Escape even if `cancel` was prevented. Update the state then, or open the dialog
    // again.
    onClose: event => {
      if (event.target !== ref.current || !open || ref.current?.open) return
      if (closable) close()
      else ref.current?.showModal()
    },
    onPointerDown: event => {
      pressedOutside.current = event.target === ref.current
    },
    // Close only if the press both began and ended outside, so that selecting text beyond the edge does not close the dialog.
    onClick: event => {
      if (closable && pressedOutside.current && event.target === ref.current) close()
      pressedOutside.current = false
    },
  }
}
