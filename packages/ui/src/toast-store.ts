import type { ReactNode } from 'react'
import type { AlertTone } from './alert.tsx'

export interface ToastMessage {
  tone: AlertTone
  /** Text, optionally with one small action. */
  message: ReactNode
  /** Milliseconds; errors stay until dismissed. */
  duration?: number
}

const event = 'portal:toast'

/**
 * Shows a toast. Uses a window event, because every micro-frontend bundles its own copy of this module while the
 * shell has the only ToastRegion.
 */
export function showToast(message: ToastMessage): void {
  window.dispatchEvent(new CustomEvent(event, { detail: message }))
}

/** Maximum number of toasts; only errors may exceed it. */
const MAX_TOASTS = 4

/**
 * Adds a toast, newest last. If there are too many, the oldest non-error is dropped; a repeated error replaces the
 * earlier one.
 */
export function withToast<T extends ToastMessage>(shown: readonly T[], toast: T): readonly T[] {
  const others = shown.filter(
    each => toast.tone !== 'danger' || each.tone !== 'danger' || each.message !== toast.message,
  )
  const dismissible = others.filter(each => each.tone !== 'danger')
  const dropped = new Set(dismissible.slice(0, Math.max(0, others.length + 1 - MAX_TOASTS)))
  return [...others.filter(each => !dropped.has(each)), toast]
}

/** Subscribes to all toasts of the page. Returns the unsubscribe function. */
export function onToast(handle: (message: ToastMessage) => void): () => void {
  const listener = (notification: Event) => {
    if (notification instanceof CustomEvent) handle(notification.detail)
  }
  window.addEventListener(event, listener)
  return () => window.removeEventListener(event, listener)
}
