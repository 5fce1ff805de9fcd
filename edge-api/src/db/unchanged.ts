import { addBounded } from '../bounded-map.ts'
import type { Reader } from './database.ts'
import type { CellReader } from './file-client.ts'
import { fileOf } from './prepared.ts'

/** Maximum results cached per database; the oldest is dropped. */
const MAX_CACHED = 100
const cached = new WeakMap<CellReader, Map<string, { version: string; value: unknown }>>()

/**
 * Caches a result that is slow to compute until the data of a database file changes. For a database server it
 * is computed each time.
 * @param name the query, with everything that the result depends on
 */
export async function whileUnchanged<T>(db: Reader, name: string, work: () => Promise<T>): Promise<T> {
  const file = fileOf(db)
  if (!file) return await work()
  // Read before the work: a change in the meantime makes the result out of date, whether or not the result includes it.
  const version = file.version()
  const results = cached.get(file) ?? new Map<string, { version: string; value: unknown }>()
  cached.set(file, results)
  const known = results.get(name)
  if (known?.version === version) return known.value as T
  const value = await work()
  results.delete(name)
  addBounded(results, name, { version, value }, MAX_CACHED)
  return value
}
