import { CLOCK_SKEW } from '../clock-skew.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Age of a payment at each requery: soon and often at first, then daily to day 7. */
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

/** Between two requeries of a payment that was started while the clock was ahead. */
export const STARTED_AHEAD = 10 * MINUTE

/** How far a wait may be shortened or lengthened, so that payments started together are not asked for together. */
const JITTER = 0.2

/**
 * When to ask the gateway next, in milliseconds, or undefined once the schedule has come to its end.
 * @param random in [0, 1)
 */
export function nextRequery(createdAt: number, now: number, random: number): number | undefined {
  // One started while the clock was ahead has no age that counts; it is asked for now and then until it has.
  if (createdAt > now + CLOCK_SKEW) return now + STARTED_AHEAD
  const age = now - createdAt
  // A wait that jitter shortened must not find the step that it was for again.
  const step = requeryAges.find((at, position) => at - 0.3 * (at - (requeryAges[position - 1] ?? 0)) > age)
  if (step === undefined) return undefined
  return Math.round(now + (step - age) * (1 - JITTER + 2 * JITTER * random))
}

/** How long an attempt may stay open; the tracking page names the same 30 minutes. */
export const OPEN_FOR = 30 * MINUTE
/** A start that was not completed counts as unanswered after this time. */
export const STALE_START = 2 * MINUTE

/** True for a start that no one is making any more: it began too long ago, or while the clock was ahead. */
export const isStaleStart = (createdAt: number, now: number): boolean =>
  now - createdAt > STALE_START || createdAt > now + CLOCK_SKEW

/** Least time between two requeries that status checks cause for one payment. */
export const STATUS_CHECK_GAP = 5 * SECOND
/** Longest wait for a gateway's answer. */
export const GATEWAY_TIMEOUT = 10 * SECOND
/** How long one tick keeps a payment for itself. */
export const LEASE = MINUTE
/** After the schedule, a payment under review is asked for daily until it is this old. */
export const REVIEW_UNTIL = 30 * DAY
export const REVIEW_EVERY = DAY

/** How long a callback is left to the request that received it, in milliseconds. */
export const HINT_REST = 30_000
