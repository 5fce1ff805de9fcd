import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  isInAppBrowser,
  openPaymentWindow,
  type PaymentWindow,
  watchPaymentWindow,
} from './payment-window.ts'

interface Options {
  /** True while the payment is pending; its window is then watched. */
  isPending: boolean
  transactionId: string | null
  /** Called when the return page reports the payment, or when the payer has closed the window. */
  onPossibleChange: () => void
}

export interface PaymentWindowState {
  windowRef: RefObject<PaymentWindow | null>
  /** True if this browser cannot open a second window or has blocked it; the payer can then continue in this tab. */
  isBlocked: boolean
  /** Opens the window; returns null if it is blocked. Must be called directly in a click or submit handler. */
  open: () => PaymentWindow | null
  close: () => void
}

/** Manages the payment window of a screen, and watches it until the payment has ended. */
export function usePaymentWindow({
  isPending,
  transactionId,
  onPossibleChange,
}: Options): PaymentWindowState {
  const windowRef = useRef<PaymentWindow | null>(null)
  // The number of windows opened so far, so that the effect runs again for each new one.
  const [windowCount, setWindowCount] = useState(0)
  const [isBlocked, setBlocked] = useState(() => isInAppBrowser(navigator.userAgent))

  const onChange = useEffectEvent(onPossibleChange)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each new window (`windowCount`)
  useEffect(() => {
    if (!isPending) return
    const handlers = { reported: onChange, closed: onChange }
    return watchPaymentWindow(window, windowRef.current, handlers, transactionId ?? undefined)
  }, [isPending, windowCount, transactionId])

  return {
    windowRef,
    isBlocked,
    open: () => {
      const paymentWindow = openPaymentWindow(window)
      if (!paymentWindow) {
        setBlocked(true)
        return null
      }
      windowRef.current = paymentWindow
      setWindowCount(count => count + 1)
      return paymentWindow
    },
    close: () => {
      windowRef.current?.close()
      windowRef.current = null
    },
  }
}
