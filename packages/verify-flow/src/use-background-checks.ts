import { useEffect, useEffectEvent } from 'react'

/** The server requeries each payment at most once every 5 s, so polling faster is useless. */
const EVERY = 6000

/** While there is a payment, runs a check now, at intervals, and when the tab becomes visible. */
export function useBackgroundChecks(transactionId: string | null, check: () => void): void {
  const run = useEffectEvent(check)
  useEffect(() => {
    if (!transactionId) return
    run()
    const timer = window.setInterval(run, EVERY)
    document.addEventListener('visibilitychange', run)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', run)
    }
  }, [transactionId])
}
