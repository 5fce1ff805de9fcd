import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { isBusy } from './errors.ts'

/** Number of pages freed in one step. A step takes a few milliseconds, after which other writes get a turn. */
const PAGES_PER_STEP = 256
/** Maximum number of slices per run of the scheduled job. */
const MAX_SLICES = 200

/**
 * Scheduled job that gives the pages that uploads have freed back to the file system, a slice at a time. Does nothing for a
 * database server, for a file created without `auto_vacuum`, or while an upload is in progress, because it would reuse the pages.
 * @returns number of slices freed
 */
export async function releaseFreePages(database: Database, stopping?: AbortSignal): Promise<number> {
  if (database.client.protocol !== 'file') return 0
  const mode = await database.read.all<{ auto_vacuum: number }>(sql`pragma auto_vacuum`)
  if (mode[0]?.auto_vacuum !== 2) return 0
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const freelist = await database.read.all<{ freelist_count: number }>(sql`pragma freelist_count`)
    const open = await database.read.all(sql`select 1 from uploads where untidy limit 1`)
    if (stopping?.aborted || open.length > 0 || (freelist[0]?.freelist_count ?? 0) < PAGES_PER_STEP)
      return slices
    try {
      // Not `execute`: the driver would run only one step of the statement, which frees only one page.
      await database.client.executeMultiple(`pragma incremental_vacuum(${PAGES_PER_STEP})`)
    } catch (error) {
      if (isBusy(error)) return slices
      throw error
    }
    await new Promise(resolve => setTimeout(resolve, 0))
  }
  return MAX_SLICES
}
