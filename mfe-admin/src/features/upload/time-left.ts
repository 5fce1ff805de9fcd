import { formatDuration } from '@portal/format/dates'

/** Returns an estimate of the remaining time, such as `12s left`; undefined during the first second and at the end. */
export function timeLeft(done: number, total: number, elapsedMs: number): string | undefined {
  if (done <= 0 || done >= total || elapsedMs < 1000) return undefined
  return `${formatDuration((elapsedMs / done) * (total - done))} left`
}
