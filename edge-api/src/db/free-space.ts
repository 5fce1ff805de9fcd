import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { isBusy } from './errors.ts'

/** Number of pages freed in one slice. A slice takes a few milliseconds, after which other writes get a turn. */
const PAGES_PER_SLICE = 256
/** Maximum number of slices per run of the scheduled job. */
const MAX_SLICES = 200

/**
 * Scheduled job that gives the pages that uploads have freed back to the file system, a slice at a time. Does nothing for a
 * database server, for a file created without `auto_vacuum`, or while an upload is in progress, because the upload would reuse
 * the pages.
 * @returns number of slices freed
 */
export async function releaseFreePages(database: Database, stopping?: AbortSignal): Promise<number> {
  if (database.client.protocol !== 'file') return 0
  const mode = await database.read.all<{ auto_vacuum: number }>(sql`pragma auto_vacuum`)
  if (mode[0]?.auto_vacuum !== 2) return 0
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const freelist = await database.read.all<{ freelist_count: number }>(sql`pragma freelist_count`)
    const unfinishedUploads = await database.read.all(sql`select 1 from uploads where untidy limit 1`)
    if (
      stopping?.aborted ||
      unfinishedUploads.length > 0 ||
      (freelist[0]?.freelist_count ?? 0) < PAGES_PER_SLICE
    )
      return slices
    try {
      // Not `execute`: the driver would step the statement only once, which frees only one page.
      await database.client.executeMultiple(`pragma incremental_vacuum(${PAGES_PER_SLICE})`)
    } catch (error) {
      if (isBusy(error)) return slices
      throw error
    }
    await new Promise(resolve => setTimeout(resolve, 0))
  }
  return MAX_SLICES
}
