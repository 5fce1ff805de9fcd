const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Delays after each failed attempt, in milliseconds. After the last one, the delivery has failed. */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
/** Fraction by which a delay randomly varies, up or down, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
/** Longest delay that an endpoint may request, in milliseconds. */
const MAX_RETRY_AFTER_MS = 24 * HOUR
/** Longest possible delay of an attempt, in milliseconds. */
export const LONGEST_WAIT_MS = 24 * HOUR * (1 + JITTER)

/** How long a delivery is leased, in milliseconds: longer than an attempt may take. */
export const DELIVERY_LEASE_MS = 60_000
/** Maximum number of parallel deliveries to one endpoint, across all processes. */
export const MAX_PARALLEL = 4

/**
 * Time without a success after which members are notified that an endpoint is failing, and after which it is disabled, in
 * milliseconds.
 */
export const FAILING_AFTER_MS = 24 * HOUR
export const DISABLED_AFTER_MS = 5 * 24 * HOUR
/** For how long after a rotation deliveries are also signed with the previous secret, in milliseconds. */
export const ROTATION_PERIOD_MS = 24 * HOUR

/**
 * Returns the milliseconds until the next attempt; undefined after the last one. `Retry-After` can only lengthen a delay.
 * @param attempts number of attempts made so far, at least 1
 * @param random a number in [0, 1) for the jitter
 * @param retryAfter milliseconds that the endpoint requested
 */
export function delayAfter(attempts: number, random: number, retryAfter = 0): number | undefined {
  const delay = RETRY_DELAYS_MS[attempts - 1]
  if (delay === undefined) return undefined
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * random))
  return Math.max(jittered, Math.min(retryAfter, MAX_RETRY_AFTER_MS))
}

/**
 * Parses a `Retry-After` header, which is in seconds or a date (RFC 9110, 10.2.3).
 * @returns the milliseconds to wait; 0 if the header is missing, invalid or in the past
 */
export function parseRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0
  const wait = /^\s*\d+\s*$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : 0
}
