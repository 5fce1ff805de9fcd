import { GatewayRefusal } from '../payment-gateway.ts'

/*
 * Calls to gateways: limited in size, without following redirects, within the caller's time limit.
 */

/** Largest response or callback that is read, in bytes. */
export const MAX_BYTES = 64 * 1024

export interface GatewayResponse {
  status: number
  text: string
}

/** Longest pause that a gateway can impose with its rate limit, in milliseconds. */
const MAX_PAUSE = 60_000
/** When each gateway accepts calls again, by origin, on the monotonic clock. */
const paused = new Map<string, number>()

/** Thrown for a call that was not made, because the gateway asked for a pause. */
export class GatewayPaused extends Error {
  override readonly name = 'GatewayPaused'
}

/** Values up to this are seconds from now; larger ones are seconds since 1970. */
const MAX_SECONDS = 1_000_000_000

/**
 * Returns how long to wait, in milliseconds. `Retry-After` is in seconds or a date (RFC 9110, 10.2.3);
 * `x-ratelimit-reset` has no standard, so both seconds from now and seconds since 1970 are accepted.
 */
function pauseOf(text: string, now: number): number {
  const seconds = Number(text)
  if (Number.isNaN(seconds)) return Date.parse(text) - now
  return seconds > MAX_SECONDS ? seconds * 1000 - now : seconds * 1000
}

/** After a 429, or a response that says that no calls are left, stores when the gateway accepts the next call. */
function storePause(origin: string, { status, headers }: Response): void {
  const isUsedUp = headers.get('x-ratelimit-remaining')?.trim() === '0'
  if (status !== 429 && !isUsedUp) return
  const text = headers.get('retry-after') ?? headers.get('x-ratelimit-reset') ?? ''
  const pause = pauseOf(text, Date.parse(headers.get('date') ?? '') || Date.now())
  if (pause > 0) paused.set(origin, performance.now() + Math.min(pause, MAX_PAUSE))
}

/**
 * Makes one call. Redirects are not followed, because the order, or a key, would be sent to another address.
 * @param maxBytes largest response that is read
 * @throws if the connection fails, `init.signal` aborts, or the response is too large; `GatewayPaused` for a call that
 * was not made
 */
export async function callGateway(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  maxBytes = MAX_BYTES,
): Promise<GatewayResponse> {
  const { origin } = new URL(url)
  if ((paused.get(origin) ?? 0) > performance.now()) throw new GatewayPaused('the gateway asked for a pause')
  const response = await fetch(url, { ...init, redirect: 'manual' })
  storePause(origin, response)
  return { status: response.status, text: new TextDecoder().decode(await readBounded(response, maxBytes)) }
}

/**
 * True for a 4xx status that means that the gateway did nothing. 408 and 429 do not say what happened to earlier
 * attempts.
 */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

/**
 * For `.catch`: treats a connection that was never made as a refusal, because the gateway cannot have created anything.
 */
export function neverReached(error: unknown): never {
  if (error instanceof GatewayPaused) throw new GatewayRefusal(error.message, { cause: error })
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (/^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH)$/.test(code) || /connection refused/i.test(cause.message)) {
      throw new GatewayRefusal('the gateway could not be reached', { cause: error })
    }
    cause = cause.cause
  }
  throw error
}

/**
 * Throws if `url` does not respond, or responds with a 5xx. For gateways without a documented health check: it tests
 * the connection, not the account.
 */
export async function reach(fetch: typeof globalThis.fetch, url: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { signal, redirect: 'manual' })
  await response.body?.cancel()
  if (response.status >= 500) throw new Error(`the gateway returned ${response.status}`)
}

/** The bytes of a callback as JSON, or undefined if they are not JSON. */
export function parseJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return undefined
  }
}

/** Splits secrets that are separated by commas. There can be several, so that one can be rotated. */
export function splitSecrets(text: string): string[] {
  return text
    .split(',')
    .map(secret => secret.trim())
    .filter(Boolean)
}

/**
 * Returns the return address with our reference added, for gateways that return the reference under another name or not
 * at all.
 */
export function withReference(returnUrl: string, reference: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('request_id', reference)
  return url.href
}

/** The body of a response. @throws Error if it is larger than `maxBytes` */
export async function readBounded(response: Response, maxBytes: number): Promise<ArrayBuffer> {
  const reader = response.body?.getReader()
  if (!reader) return new ArrayBuffer()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return await new Blob(parts).arrayBuffer()
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw new Error('the answer is too large')
    }
    parts.push(value)
  }
}
