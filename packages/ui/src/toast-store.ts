import type { ReactNode } from 'react'
import type { AlertTone } from './alert.tsx'

export interface ToastMessage {
  tone: AlertTone
  /** Text, optionally with one small action. */
  message: ReactNode
  /** How long it is shown, in milliseconds. Errors stay until they are dismissed. */
  duration?: number
  /** A toast replaces the one with the same key. */
  key?: string
}

const TOAST_EVENT = 'portal:toast'

/**
 * Shows a toast by dispatching an event on the window, because every micro-frontend bundles its own copy of this module and
 * only the shell has a ToastRegion.
 */
export function showToast(message: ToastMessage): void {
  window.dispatchEvent(new CustomEvent(TOAST_EVENT, { detail: message }))
}

/** Maximum number of toasts, which only errors may exceed. */
const MAX_TOASTS = 4

/**
 * Adds a toast at the end. If there are too many, the oldest one that is not an error is dropped. An error that is already
 * shown is replaced, as is the toast with the same key.
 */
export function withToast<T extends ToastMessage>(shown: readonly T[], toast: T): readonly T[] {
  const others = shown.filter(
    item =>
      (toast.tone !== 'danger' || item.tone !== 'danger' || item.message !== toast.message) &&
      (!toast.key || item.key !== toast.key),
  )
  const dismissible = others.filter(item => item.tone !== 'danger')
  const droppedToasts = new Set(dismissible.slice(0, Math.max(0, others.length + 1 - MAX_TOASTS)))
  return [...others.filter(item => !droppedToasts.has(item)), toast]
}

/** Calls `handle` for every toast on the page. Returns the unsubscribe function. */
export function onToast(handle: (message: ToastMessage) => void): () => void {
  const listener = (event: Event) => {
    if (event instanceof CustomEvent) handle(event.detail)
  }
  window.addEventListener(TOAST_EVENT, listener)
  return () => window.removeEventListener(TOAST_EVENT, listener)
}
