import { isClientError } from './error.ts'

/** What a read has brought so far. */
export interface ReadState<T> {
  /** The latest answer; stays while a newer one is on its way, and when that fails. */
  readonly data: T | undefined
  /** Why the latest try failed. */
  readonly error: Error | null
  readonly isError: boolean
}

export interface KeptRead<T> {
  get(): ReadState<T>
  /** Tells of every change. The first to listen, or coming back to the page, reads anew what is no longer fresh. */
  subscribe(listener: () => void): () => void
  /** Reads now, whatever is kept. */
  refetch(): Promise<void>
}

const RETRIES = 2
const nothing = { data: undefined, error: null, isError: false } as const

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Failures are tried again as queries are: a 4xx is final, anything else gets two more tries, 1 s and 2 s apart. */
async function withRetries<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (attempt >= RETRIES || isClientError(error)) throw error
      await pause(1000 * 2 ** attempt)
    }
  }
}

/**
 * One answer of the server, kept for all who show it. For the little that pages need before anyone has signed in;
 * everything else goes through the query cache, which weighs 13 kB.
 * @param freshFor milliseconds in which nobody asks again
 */
export function keptRead<T>(read: () => Promise<T>, freshFor: number): KeptRead<T> {
  let state: ReadState<T> = nothing
  let readAt = Number.NEGATIVE_INFINITY
  let reading = false
  const listeners = new Set<() => void>()

  const put = (next: ReadState<T>) => {
    state = next
    for (const listener of listeners) listener()
  }

  async function refetch() {
    if (reading) return
    reading = true
    if (state.isError && state.data === undefined) put(nothing)
    try {
      const data = await withRetries(read)
      readAt = Date.now()
      put({ data, error: null, isError: false })
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      put({ data: state.data, error, isError: true })
    } finally {
      reading = false
    }
  }

  const refresh = () => {
    const hidden = globalThis.document?.visibilityState === 'hidden'
    if (!hidden && Date.now() - readAt > freshFor) void refetch()
  }

  return {
    get: () => state,
    refetch,
    subscribe(listener) {
      if (listeners.size === 0) {
        globalThis.document?.addEventListener('visibilitychange', refresh)
        globalThis.window?.addEventListener('online', refresh)
      }
      listeners.add(listener)
      refresh()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        globalThis.document?.removeEventListener('visibilitychange', refresh)
        globalThis.window?.removeEventListener('online', refresh)
      }
    },
  }
}
