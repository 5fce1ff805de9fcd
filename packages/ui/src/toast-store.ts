import type { ReactNode } from 'react'
import type { AlertTone } from './alert.tsx'

export interface ToastMessage {
  tone: AlertTone
  /** Text, optionally with one small action. */
  message: ReactNode
  /** How long it is shown, in milliseconds. Errors stay until they are dismissed. */
  duration?: number
  /** A toast replaces the one with the same key. Errors need none to replace the same error. */
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

/** Returns a toast's key; an error without one is identified by its message. */
const keyOf = ({ key, tone, message }: ToastMessage) => key ?? (tone === 'danger' ? message : undefined)

/**
 * Adds a toast at the end, in place of the one with the same key. If there are too many, the oldest one that is not an error is
 * dropped.
 */
export function withToast<T extends ToastMessage>(shown: readonly T[], toast: T): readonly T[] {
  const key = keyOf(toast)
  const others = shown.filter(item => key === undefined || keyOf(item) !== key)
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
