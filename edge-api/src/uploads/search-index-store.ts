import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import type { UploadRow } from './store.ts'

/*
 * Controls how the search index is merged. Each transaction adds a segment to it, and FTS5 merges segments in several levels.
 * During a large import, segments are merged less often and more of them at once; the remaining ones are merged after it. Only
 * a few may remain, because a search reads each of them.
 */

/** Uploads with at least this many rows count as large. Smaller ones add too few segments to matter. */
export const LARGE_UPLOAD_ROWS = 20_000

export const isLarge = ({ dryRun, total }: UploadRow) => !dryRun && (total ?? 0) >= LARGE_UPLOAD_ROWS

/**
 * Settings of FTS5 during a large import. `hashsize`: how many bytes of new terms are held in memory before they become a
 * segment; a batch has fewer, so that each transaction adds one segment. `automerge`: once a level has this many segments,
 * later transactions merge them incrementally. `crisismerge`: once a level has this many, they are merged in a single step.
 */
const IMPORT_OPTIONS = { hashsize: 16_777_216, automerge: 16, crisismerge: 128 }
/** The default settings of FTS5. */
const DEFAULT_OPTIONS = { hashsize: 1_048_576, automerge: 4, crisismerge: 16 }

async function configure(db: Tx, settings: typeof IMPORT_OPTIONS): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await db.run(
      sql`insert into certificate_search (certificate_search, rank) values (${name}, cast(${value} as integer))`,
    )
}

/** Makes the transactions of a large import merge segments less often. */
export const mergeSegmentsLater = (db: Tx) => configure(db, IMPORT_OPTIONS)
/** Restores the default settings after a large import. */
export const restoreMergeSettings = (db: Tx) => configure(db, DEFAULT_OPTIONS)

/** Number of pages that one merge step writes. A step takes a few milliseconds, during which other calls wait. */
const PAGES_PER_STEP = 500

/** Returns the list of segments as FTS5 stores it. */
async function readSegments(db: Tx): Promise<string | undefined> {
  const [found] = await db.all<{ list: string }>(
    sql`select hex(block) as list from certificate_search_data where id = 10`,
  )
  return found?.list
}

/** Runs one step of merging the segments of the search index. @returns false if there was nothing to merge */
export async function mergeSegments(db: Tx): Promise<boolean> {
  const before = await readSegments(db)
  await db.run(
    sql`insert into certificate_search (certificate_search, rank) values ('merge', cast(${PAGES_PER_STEP} as integer))`,
  )
  return (await readSegments(db)) !== before
}
