import { isClientError } from './error.ts'

/** State of a cached read. */
export interface ReadState<T> {
  /** The latest response; it is kept while a newer one is loading, and if that fails. */
  readonly data: T | undefined
  /** The error of the latest attempt. */
  readonly error: Error | null
  readonly isError: boolean
}

/** A read whose latest response is cached for all subscribers. */
export interface CachedRead<T> {
  get(): ReadState<T>
  /**
   * Subscribes to changes. A stale response is refetched when the first subscriber arrives and when the user returns to the
   * page.
   */
  subscribe(listener: () => void): () => void
  /** Fetches now, bypassing the cache. */
  refetch(): Promise<void>
}

const RETRIES = 2
const noData = { data: undefined, error: null, isError: false } as const

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Retries like the query cache: a 4xx is final; other failures are retried after 1 s, and once more after another 2 s. */
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
 * Caches one response for all components that show it. Use it only for the few reads that are needed before login; everything
 * else uses the query cache, which adds 13 kB.
 * @param freshForMs milliseconds until the response is stale
 * @param initial an earlier response, shown until the first read completes
 */
export function cachedRead<T>(read: () => Promise<T>, freshForMs: number, initial?: T): CachedRead<T> {
  let state: ReadState<T> = initial === undefined ? noData : { ...noData, data: initial }
  let readAt = Number.NEGATIVE_INFINITY
  let isReading = false
  const listeners = new Set<() => void>()

  const put = (next: ReadState<T>) => {
    state = next
    for (const listener of listeners) listener()
  }

  async function refetch() {
    if (isReading) return
    isReading = true
    if (state.isError && state.data === undefined) put(noData)
    try {
      const data = await withRetries(read)
      readAt = Date.now()
      put({ data, error: null, isError: false })
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      put({ data: state.data, error, isError: true })
    } finally {
      isReading = false
    }
  }

  const refresh = () => {
    const isHidden = globalThis.document?.visibilityState === 'hidden'
    if (!isHidden && Date.now() - readAt > freshForMs) void refetch()
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
