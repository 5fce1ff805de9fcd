import { useEffect, useEffectEvent } from 'react'

/** The server requeries a payment at most once every 5 s, so checking more often would not help. */
const INTERVAL_MS = 6000

/** While there is a payment, runs a check immediately, at regular intervals, and when the tab's visibility changes. */
export function useBackgroundChecks(transactionId: string | null, check: () => void): void {
  const run = useEffectEvent(check)
  useEffect(() => {
    if (!transactionId) return
    run()
    const timer = window.setInterval(run, INTERVAL_MS)
    document.addEventListener('visibilitychange', run)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', run)
    }
  }, [transactionId])
}
