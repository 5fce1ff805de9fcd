import { addBounded } from '../bounded-map.ts'
import type { Reader } from '../db/database.ts'
import type { CellReader } from '../db/file-client.ts'
import { fileOf } from '../db/prepared.ts'

/*
 * Caches responses that depend only on the database, as text: while a file is unchanged, the same call of the
 * same caller needs neither a query nor the schemas. A database server would have to be asked whether it has
 * changed, so nothing is cached there.
 */

interface CachedResponse {
  version: string
  text: string
  /** When the caller's token expires, in milliseconds. */
  until: number
}

/** Maximum responses cached per database, of a few kilobytes each; the oldest is dropped. */
const MOST = 500
const cached = new WeakMap<CellReader, Map<string, CachedResponse>>()

/** The cache entry of one call. */
export interface CacheEntry {
  /** The response, if nothing has changed since it was cached. */
  text: string | undefined
  store(text: string, until: number): void
}

/**
 * Returns the cache entry of a call. Get it before reading anything on which the response depends.
 * @param name who calls, and with which token and address: everything that decides what the response is
 * @param now in milliseconds
 * @returns undefined for a database server
 */
export function cacheEntry(db: Reader, name: string, now: number): CacheEntry | undefined {
  const file = fileOf(db)
  if (!file) return undefined
  const responses = cached.get(file) ?? new Map<string, CachedResponse>()
  cached.set(file, responses)
  const version = file.version()
  const known = responses.get(name)
  return {
    text: known && known.version === version && now < known.until ? known.text : undefined,
    store(text, until) {
      responses.delete(name)
      addBounded(responses, name, { version, text, until }, MOST)
    },
  }
}
