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

/** Hears every toast of the page; returns the way to stop. */
export function onToast(hear: (message: ToastMessage) => void): () => void {
  const listener = (heard: Event) => {
    if (heard instanceof CustomEvent) hear(heard.detail)
  }
  window.addEventListener(event, listener)
  return () => window.removeEventListener(event, listener)
}
