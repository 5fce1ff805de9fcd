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

/** Longest pause that is respected for a gateway's own limit, in milliseconds. */
const MAX_PAUSE = 60_000
/** The time until which each gateway refuses calls, by origin, on the monotonic clock. */
const paused = new Map<string, number>()

/** A call that was not made, because the gateway requested a pause. */
export class GatewayPaused extends Error {
  override readonly name = 'GatewayPaused'
}

/** Larger numbers are seconds since 1970, not from now. */
const MAX_SECONDS = 1_000_000_000

/**
 * Milliseconds from now. `Retry-After` is seconds or a date (RFC 9110, 10.2.3); `x-ratelimit-reset` has no standard, so
 * seconds from now and since 1970 are both taken.
 */
function pauseOf(text: string, now: number): number {
  const seconds = Number(text)
  if (Number.isNaN(seconds)) return Date.parse(text) - now
  return seconds > MAX_SECONDS ? seconds * 1000 - now : seconds * 1000
}

/** Stores when the gateway accepts the next call: after a 429, or after a response that reports that no calls are left. */
function storePause(origin: string, { status, headers }: Response): void {
  const isUsedUp = headers.get('x-ratelimit-remaining')?.trim() === '0'
  if (status !== 429 && !isUsedUp) return
  const text = headers.get('retry-after') ?? headers.get('x-ratelimit-reset') ?? ''
  const pause = pauseOf(text, Date.parse(headers.get('date') ?? '') || Date.now())
  if (pause > 0) paused.set(origin, performance.now() + Math.min(pause, MAX_PAUSE))
}

/**
 * Makes one call. Redirects are not followed, because that would send the order, or a key, elsewhere.
 * @param maxBytes largest response that is read
 * @throws if the connection fails, `init.signal` aborts, or the response is too large; `GatewayPaused` for a call that was
 * not made
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

/** True for a 4xx that means that nothing was done. 408 and 429 say nothing about earlier attempts. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

/** For `.catch`: a connection that was never made is a refusal, because nothing can have been created there. */
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
 * Throws if `url` does not respond, or responds with a 5xx. For gateways without a published health call:
 * it proves the connection, not the account.
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
 * Returns the return address with our reference added, for gateways that send the reference under another name or not at
 * all.
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
