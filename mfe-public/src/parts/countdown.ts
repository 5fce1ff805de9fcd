import { useEffect, useEffectEvent, useState } from 'react'

/** Returns the whole seconds left until `deadline`, never below 0; both times are in milliseconds of the same clock. */
export function computeSecondsLeft(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000))
}

/**
 * Counts down `seconds` while `isRunning`, then calls `onDone` once. Returns the whole seconds left. It uses a deadline, so
 * that a throttled background tab is late by at most one interval.
 */
export function useCountdown(seconds: number, isRunning: boolean, onDone: () => void): number {
  const [left, setLeft] = useState(seconds)
  const done = useEffectEvent(onDone)
  useEffect(() => {
    if (!isRunning) return
    const deadline = Date.now() + seconds * 1000
    setLeft(seconds)
    const timer = setInterval(() => {
      const secondsLeft = computeSecondsLeft(deadline, Date.now())
      setLeft(secondsLeft)
      if (secondsLeft > 0) return
      clearInterval(timer)
      done()
    }, 200)
    return () => clearInterval(timer)
  }, [seconds, isRunning])
  return left
}
