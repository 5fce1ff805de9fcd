import { type MouseEvent, type RefObject, type SyntheticEvent, useLayoutEffect, useRef } from 'react'

interface Modal {
  ref: RefObject<HTMLDialogElement | null>
  onCancel: (event: SyntheticEvent) => void
  onClose: (event: SyntheticEvent) => void
  onPointerDown: (event: MouseEvent<HTMLDialogElement>) => void
  onClick: (event: MouseEvent<HTMLDialogElement>) => void
}

/**
 * Controls a native `<dialog>` from state; the platform provides the focus trap, focus return and inert page. Focuses
 * `[data-autofocus]`, else the first field, else the heading, rather than the close button.
 */
export function useModal(open: boolean, close: () => void, closable: boolean): Modal {
  const ref = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    const { documentElement: root } = document
    // If another dialog is open, the scrollbar is already hidden.
    if (!document.querySelector('dialog:modal'))
      root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`)
    dialog.showModal()
    const first =
      dialog.querySelector<HTMLElement>('[data-autofocus]') ??
      dialog.querySelector<HTMLElement>('input:not([type=hidden], :disabled), select, textarea') ??
      dialog.querySelector<HTMLElement>('[data-heading]')
    first?.focus({ preventScroll: true })
    return () => dialog.close()
  }, [open])

  return {
    ref,
    onCancel: event => {
      if (event.target !== ref.current) return
      event.preventDefault()
      if (closable) close()
    },
    // A second Escape closes a dialog even if `cancel` is prevented, so sync the state, or reopen the dialog.
    onClose: event => {
      if (event.target !== ref.current || !open || ref.current?.open) return
      if (closable) close()
      else ref.current?.showModal()
    },
    onPointerDown: event => {
      pressedOutside.current = event.target === ref.current
    },
    // Closes only if the press began and ended outside, so that selecting text past the edge does not.
    onClick: event => {
      if (closable && pressedOutside.current && event.target === ref.current) close()
      pressedOutside.current = false
    },
  }
}
