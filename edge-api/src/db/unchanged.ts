import { addBounded } from '../bounded-map.ts'
import type { Reader } from './database.ts'
import type { CellReader } from './file-client.ts'
import { fileOf } from './prepared.ts'

/** Maximum responses cached per database; the oldest is dropped. */
const KEPT = 100
const kept = new WeakMap<CellReader, Map<string, { version: string; value: unknown }>>()

/**
 * Caches a result that is slow to compute until data changes: for a file at most this long. For a database server it is
 * computed each time.
 * @param name the query, with everything that the result depends on
 */
export async function whileUnchanged<T>(db: Reader, name: string, work: () => Promise<T>): Promise<T> {
  const file = fileOf(db)
  if (!file) return await work()
  // Read before the work: a change during it makes the result out of date, whether included or not.
  const version = file.version()
  const answers = kept.get(file) ?? new Map<string, { version: string; value: unknown }>()
  kept.set(file, answers)
  const known = answers.get(name)
  if (known?.version === version) return known.value as T
  const value = await work()
  answers.delete(name)
  addBounded(answers, name, { version, value }, KEPT)
  return value
}
