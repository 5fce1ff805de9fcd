import { addBounded } from '../bounded-map.ts'
import type { CellReader } from './cell-reader.ts'
import type { Reader } from './database.ts'
import { fileOf } from './prepared-queries.ts'

/** One entry of a cache, which may be empty. */
export interface CacheEntry<Value> {
  /** The cached value, if the database has not changed since it was stored. */
  cached: { readonly value: Value } | undefined
  store(value: Value): void
}

/** Caches values that depend only on the database, until its file changes. */
export class UnchangedCache<Value> {
  readonly #files = new WeakMap<CellReader, Map<string, { version: string; value: Value }>>()
  readonly #maxValues: number

  /** Creates an empty cache. @param maxValues maximum number of values per database; the oldest are dropped */
  constructor(maxValues: number) {
    this.#maxValues = maxValues
  }

  /**
   * Returns the cache entry of a value. Call this before reading the data on which the value depends: if the data changes after
   * the call, the stored value counts as outdated, even if it already includes the change.
   * @returns undefined for a database server, for which detecting changes would need a query
   */
  entry(db: Reader, key: string): CacheEntry<Value> | undefined {
    const file = fileOf(db)
    if (!file) return undefined
    const values = this.#files.get(file) ?? new Map<string, { version: string; value: Value }>()
    this.#files.set(file, values)
    const version = file.version()
    const cached = values.get(key)
    return {
      cached: cached?.version === version ? cached : undefined,
      store: value => {
        values.delete(key)
        addBounded(values, key, { version, value }, this.#maxValues)
      },
    }
  }
}

const resultCache = new UnchangedCache<unknown>(100)

/**
 * Caches a result that is slow to compute, until the database file changes. For a database server, it is computed each time.
 * @param key identifies the query and everything that its result depends on
 */
export async function cacheUntilChanged<T>(db: Reader, key: string, work: () => Promise<T>): Promise<T> {
  const entry = resultCache.entry(db, key)
  if (entry?.cached) return entry.cached.value as T
  const value = await work()
  entry?.store(value)
  return value
}
