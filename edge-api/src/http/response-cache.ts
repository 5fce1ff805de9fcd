import type { Reader } from '../db/database.ts'
import { UnchangedCache } from '../db/unchanged.ts'
import type { KeyPrincipal } from '../principal.ts'

/*
 * Caches responses that depend only on the database, as text. While the database file is unchanged, the same call by
 * the same caller then needs neither a query nor a schema.
 */

interface CachedResponse {
  text: string
  /** When the caller's token or key expires, in milliseconds. */
  until: number
  /** The caller's API key, whose calls are counted. */
  key: KeyPrincipal | undefined
}

/** Up to 500 responses of a few kilobytes each. */
const responses = new UnchangedCache<CachedResponse>(500)

/** The cache entry of one call. */
export interface ResponseEntry {
  /** The response, if nothing has changed since it was cached. */
  cached: CachedResponse | undefined
  store(response: CachedResponse): void
}

/**
 * Returns the cache entry of a call. Get the entry before reading the data on which the response depends.
 * @param name the caller, the token and the address: everything that the response depends on
 * @param now in milliseconds
 * @returns undefined for a database server
 */
export function responseEntry(db: Reader, name: string, now: number): ResponseEntry | undefined {
  const entry = responses.entry(db, name)
  if (!entry) return undefined
  const known = entry.cached?.value
  return { cached: known && now < known.until ? known : undefined, store: entry.store }
}
