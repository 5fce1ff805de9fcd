import type { ReactNode } from 'react'
import type { AlertTone } from './alert.tsx'

export interface ToastMessage {
  tone: AlertTone
  /** Text, or text with one small action. */
  message: ReactNode
  /** Milliseconds; errors stay until dismissed. */
  duration?: number
}

const event = 'portal:toast'

/**
 * Says something about an action that has no form to say it in. Goes through the window, because every
 * micro-frontend bundles its own copy of this module and there is one ToastRegion, in the shell.
 */
export function showToast(message: ToastMessage): void {
  window.dispatchEvent(new CustomEvent(event, { detail: message }))
}

/** As many toasts as stand over the page; only errors may make it more. */
const ROOM = 4

/**
 * The toasts that stand once another one comes, the newest last. Where room is short the oldest goes that would have
 * gone by itself: an error stays until it is dismissed. The same error again takes the place of the former.
 */
export function keptWith<T extends ToastMessage>(shown: readonly T[], toast: T): readonly T[] {
  const others = shown.filter(
    each => toast.tone !== 'danger' || each.tone !== 'danger' || each.message !== toast.message,
  )
  const passing = others.filter(each => each.tone !== 'danger')
  const dropped = new Set(passing.slice(0, Math.max(0, others.length + 1 - ROOM)))
  return [...others.filter(each => !dropped.has(each)), toast]
}

/** Hears every toast of the page; returns the way to stop. */
export function onToast(hear: (message: ToastMessage) => void): () => void {
  const listener = (heard: Event) => {
    if (heard instanceof CustomEvent) hear(heard.detail)
  }
  window.addEventListener(event, listener)
  return () => window.removeEventListener(event, listener)
}
