/** Number of retries after the first attempt (specification, section 9). */
export const MAX_RETRIES = 3
const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 10_000

/**
 * Returns the delay before the next attempt in milliseconds: 1 s, 2 s, 4 s and so on, at most 10 s. `attempt` counts from 0.
 */
export const backoffDelayMs = (attempt: number) => Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS)

/** Resolves after `ms` milliseconds; rejects with the signal's reason if it aborts before. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/**
 * Makes a call and retries it up to 3 times, with increasing delays.
 * @param mayRetry returns false for an error that a retry cannot fix (a 4xx)
 * @throws the last error, or the signal's reason if it aborts
 */
export async function callWithRetries<T>(
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  mayRetry: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      return await call(signal)
    } catch (error) {
      signal.throwIfAborted()
      if (attempt >= MAX_RETRIES || !mayRetry(error)) throw error
      await pause(backoffDelayMs(attempt), signal)
    }
  }
}
