import { GatewayRefusal } from '../payment-gateway.ts'

/* Calls to gateways, which are limited in size, follow no redirects, and end with the caller's time limit. */

/** Maximum size of a response or callback, in bytes. */
export const MAX_BYTES = 64 * 1024

export interface GatewayResponse {
  status: number
  text: string
}

/** Longest pause that a gateway can impose by its rate limit, in milliseconds. */
const MAX_PAUSE_MS = 60_000
/** When each gateway accepts calls again, by its origin, on the monotonic clock. */
const pausedUntil = new Map<string, number>()

/** Thrown for a call that was not made, because the gateway's rate limit requires a pause. */
export class GatewayPaused extends Error {
  override readonly name = 'GatewayPaused'
}

/** Values of `x-ratelimit-reset` up to this are seconds from now; larger ones are seconds since 1970. */
const MAX_RELATIVE_SECONDS = 1_000_000_000

/**
 * Returns how long to wait, in milliseconds, according to a header. `Retry-After` is in seconds or a date (RFC 9110, 10.2.3);
 * `x-ratelimit-reset` has no standard, so both seconds from now and seconds since 1970 are accepted.
 */
function parsePause(text: string, now: number): number {
  const seconds = Number(text)
  if (Number.isNaN(seconds)) return Date.parse(text) - now
  return seconds > MAX_RELATIVE_SECONDS ? seconds * 1000 - now : seconds * 1000
}

/** Stores when the gateway accepts the next call, after a 429 or after a response whose headers say that no calls are left. */
function storePause(origin: string, { status, headers }: Response): void {
  const isUsedUp = headers.get('x-ratelimit-remaining')?.trim() === '0'
  if (status !== 429 && !isUsedUp) return
  const text = headers.get('retry-after') ?? headers.get('x-ratelimit-reset') ?? ''
  const pause = parsePause(text, Date.parse(headers.get('date') ?? '') || Date.now())
  if (pause > 0) pausedUntil.set(origin, performance.now() + Math.min(pause, MAX_PAUSE_MS))
}

/**
 * Makes one call. Redirects are not followed, because the order, or a key, would be sent to another address.
 * @param maxBytes maximum size of the response
 * @throws if the connection fails, `init.signal` aborts, or the response is too large; `GatewayPaused` for a call that was not
 * made
 */
export async function callGateway(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  maxBytes = MAX_BYTES,
): Promise<GatewayResponse> {
  const { origin } = new URL(url)
  if ((pausedUntil.get(origin) ?? 0) > performance.now())
    throw new GatewayPaused('the gateway asked for a pause')
  const response = await fetch(url, { ...init, redirect: 'manual' })
  storePause(origin, response)
  return { status: response.status, text: new TextDecoder().decode(await readBounded(response, maxBytes)) }
}

/**
 * True for a 4xx status from which it follows that the gateway did nothing. 408 and 429 are excluded, because they do not say
 * what happened to earlier attempts.
 */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

/**
 * For `.catch`: rethrows the error as a refusal if no connection was made, because then the gateway cannot have created
 * anything; otherwise rethrows it unchanged.
 */
export function rethrowAsUnreachable(error: unknown): never {
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
 * Checks that a gateway responds, for gateways without a documented health check. It tests the connection, not the account.
 * @throws if `url` does not respond, or responds with a 5xx
 */
export async function checkReachable(
  fetch: typeof globalThis.fetch,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, { signal, redirect: 'manual' })
  await response.body?.cancel()
  if (response.status >= 500) throw new Error(`the gateway returned ${response.status}`)
}

/** Parses the bytes of a callback as JSON. @returns undefined if they are not JSON */
export function parseJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return undefined
  }
}

/** Splits a comma-separated list of secrets. There can be several, so that one can be rotated. */
export function splitSecrets(text: string): string[] {
  return text
    .split(',')
    .map(secret => secret.trim())
    .filter(Boolean)
}

/**
 * Returns the return URL with our reference added, for gateways that send the payer back with the reference under another name
 * or without it.
 */
export function withReference(returnUrl: string, reference: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('request_id', reference)
  return url.href
}

/** Reads the body of a response. @throws Error if it is larger than `maxBytes` */
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
      throw new Error('the response is too large')
    }
    parts.push(value)
  }
}
