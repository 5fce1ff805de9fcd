import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Age of a payment at each requery: frequent at first, then daily until day 7. */
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

/** Interval between requeries of a payment that was started while the clock was ahead. */
export const STARTED_AHEAD_INTERVAL = 10 * MINUTE

/** Maximum jitter of a delay, so that payments started together are not requeried together. */
const JITTER = 0.2

/**
 * Returns when to requery the gateway next, in milliseconds; undefined once the schedule has ended.
 * @param random in [0, 1)
 */
export function nextRequery(createdAt: number, now: number, random: number): number | undefined {
  // A payment started while the clock was ahead has no usable age until then, so it is requeried at a fixed interval.
  if (createdAt > now + MAX_CLOCK_SKEW_MS) return now + STARTED_AHEAD_INTERVAL
  const age = now - createdAt
  // A step whose delay was shortened by jitter must not be repeated.
  const step = requeryAges.find((end, index) => end - 0.3 * (end - (requeryAges[index - 1] ?? 0)) > age)
  if (step === undefined) return undefined
  return Math.round(now + (step - age) * (1 - JITTER + 2 * JITTER * random))
}

/** How long an attempt may stay open; the tracking page states the same 30 minutes. */
export const OPEN_FOR_MS = 30 * MINUTE
/** A start that was not completed counts as unanswered after this time. */
export const STALE_START = 2 * MINUTE

/** True for a start that is no longer in progress: it began too long ago, or while the clock was ahead. */
export const isStaleStart = (createdAt: number, now: number): boolean =>
  now - createdAt > STALE_START || createdAt > now + MAX_CLOCK_SKEW_MS

/** Minimum time between two requeries of one payment by status checks. */
export const STATUS_CHECK_GAP = 5 * SECOND
/** Time limit of a gateway's answer. */
export const GATEWAY_TIMEOUT_MS = 10 * SECOND
/** How long one run leases a payment. */
export const LEASE_MS = MINUTE
/** After the schedule, a payment under review is requeried daily until this age. */
export const REVIEW_UNTIL = 30 * DAY
export const REVIEW_INTERVAL = DAY

/** How long only the request that received a callback may process it, in milliseconds. */
export const HINT_DELAY_MS = 30_000
