import type { Reader } from './database.ts'
import type { CellReader } from './file-client.ts'
import { fileOf } from './prepared.ts'

/** Answers kept of a database at once; the oldest goes. */
const KEPT = 100
const kept = new WeakMap<CellReader, Map<string, { version: string; value: unknown }>>()

/**
 * An answer that takes long to add up, and is the same until somebody changes something: on a file it is kept for so
 * long, and never longer. Where the database is a server it is added up each time.
 * @param name what is asked, with everything that the answer depends on
 */
export async function whileUnchanged<T>(db: Reader, name: string, work: () => Promise<T>): Promise<T> {
  const file = fileOf(db)
  if (!file) return await work()
  // Asked for before the work: what changes meanwhile makes the answer out of date, whether it shows it or not.
  const version = file.version()
  const answers = kept.get(file) ?? new Map<string, { version: string; value: unknown }>()
  kept.set(file, answers)
  const known = answers.get(name)
  if (known?.version === version) return known.value as T
  const value = await work()
  answers.delete(name)
  if (answers.size >= KEPT) answers.delete(answers.keys().next().value ?? '')
  answers.set(name, { version, value })
  return value
}
