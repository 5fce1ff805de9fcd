import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Ages at which a payment is requeried, in milliseconds: often at first, then daily until day 7. */
export const requeryAges: readonly number[] = [
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  20 * MINUTE,
  30 * MINUTE,
  HOUR,
  6 * HOUR,
  ...[1, 2, 3, 4, 5, 6, 7].map(days => days * DAY),
]

/** Interval between requeries of a payment that was started while the clock was ahead, in milliseconds. */
export const STARTED_AHEAD_INTERVAL_MS = 10 * MINUTE

/** Fraction by which a delay randomly varies, up or down, so that payments started together are not requeried together. */
const JITTER = 0.2

/**
 * Returns the time of the next requery, in milliseconds since 1970; undefined after the end of the schedule.
 * @param random a number in [0, 1) for the jitter
 */
export function nextRequery(createdAt: number, now: number, random: number): number | undefined {
  // A payment that was started while the clock was ahead has no meaningful age yet, so it is requeried at a fixed interval.
  if (createdAt > now + MAX_CLOCK_SKEW_MS) return now + STARTED_AHEAD_INTERVAL_MS
  const age = now - createdAt
  // A step that came early because of jitter must not be repeated.
  const step = requeryAges.find((end, index) => end - 0.3 * (end - (requeryAges[index - 1] ?? 0)) > age)
  if (step === undefined) return undefined
  return Math.round(now + (step - age) * (1 - JITTER + 2 * JITTER * random))
}

/** How long an attempt may stay open, in milliseconds. The tracking page states the same 30 minutes. */
export const OPEN_FOR_MS = 30 * MINUTE
/** If starting a payment has not been completed after this time, in milliseconds, the gateway counts as not having answered. */
export const START_STALE_AFTER_MS = 2 * MINUTE

/** True if a payment is no longer being started: the start began too long ago, or while the clock was ahead. */
export const isStaleStart = (createdAt: number, now: number): boolean =>
  now - createdAt > START_STALE_AFTER_MS || createdAt > now + MAX_CLOCK_SKEW_MS

/** Minimum time between two requeries of one payment by status checks, in milliseconds. */
export const STATUS_CHECK_GAP_MS = 5 * SECOND
/** How long to wait for a gateway's answer, in milliseconds. */
export const GATEWAY_TIMEOUT_MS = 10 * SECOND
/** How long a payment is leased to one run, in milliseconds. */
export const LEASE_MS = MINUTE
/** Age until which a payment under review is requeried daily after the end of the schedule, in milliseconds. */
export const REVIEW_UNTIL_MS = 30 * DAY
export const REVIEW_INTERVAL_MS = DAY

/** How long a callback is left to the request that received it, before others may process it, in milliseconds. */
export const CALLBACK_DELAY_MS = 30_000
