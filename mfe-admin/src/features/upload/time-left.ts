import { formatDuration } from '@portal/format/dates'

/** Returns an estimate of the remaining time, such as `12s left`; undefined during the first second and at the end. */
export function timeLeft(done: number, total: number, elapsedMs: number): string | undefined {
  if (done <= 0 || done >= total || elapsedMs < 1000) return undefined
  return `${formatDuration((elapsedMs / done) * (total - done))} left`
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const

/** Formats bytes as `118.4 MB`, in powers of 1000 as file managers do. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}
