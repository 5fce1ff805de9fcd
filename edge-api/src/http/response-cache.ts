import type { Reader } from '../db/database.ts'
import { UnchangedCache } from '../db/unchanged-cache.ts'
import type { KeyPrincipal } from '../principal.ts'

/*
 * Caches responses that depend only on the database, as text. While the database file is unchanged, repeating a call as the
 * same caller then needs no query and no schema.
 */

interface CachedResponse {
  text: string
  /** When the caller's token or key expires, in milliseconds since 1970. */
  until: number
  /** The caller's API key, if any. Needed to count the call towards its rate limit. */
  key: KeyPrincipal | undefined
}

/** At most 500 responses of a few kilobytes each. */
const responses = new UnchangedCache<CachedResponse>(500)

/** The cache entry of one call. */
export interface ResponseEntry {
  /** The cached response, if the database has not changed since and it has not expired. */
  cached: CachedResponse | undefined
  store(response: CachedResponse): void
}

/**
 * Returns the cache entry of a call. Call this before reading the data on which the response depends.
 * @param name the caller's token or key and the address, which together determine the response
 * @param now milliseconds since 1970
 * @returns undefined for a database server
 */
export function cacheEntryOf(db: Reader, name: string, now: number): ResponseEntry | undefined {
  const entry = responses.entry(db, name)
  if (!entry) return undefined
  const cached = entry.cached?.value
  return { cached: cached && now < cached.until ? cached : undefined, store: entry.store }
}
