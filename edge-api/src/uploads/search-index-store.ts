import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'

/*
 * Each transaction adds a segment to the search index, and FTS5 merges them in several levels. A large import merges less often
 * and more at once, and leaves the rest until it has ended. A search reads each segment, so there must not be many.
 */

/** Uploads with fewer rows write so few segments that it makes no difference. */
export const LARGE_UPLOAD_ROWS = 20_000

/**
 * Settings of FTS5 during an import. `hashsize`: bytes of new terms that are kept in memory before they become a segment; a
 * batch has fewer, so that each transaction adds one segment. `automerge`: number of segments on a level from which later
 * transactions merge them step by step. `crisismerge`: number of segments on a level that are merged in one step.
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

export const mergeSegmentsLater = (db: Tx) => configure(db, IMPORT_OPTIONS)
export const mergeSegmentsAsUsual = (db: Tx) => configure(db, DEFAULT_OPTIONS)

/** Pages that one step of a merge writes: some milliseconds, because other calls wait for it. */
const PAGES_PER_STEP = 500

/** The list of segments, as FTS5 stores it. */
async function segments(db: Tx): Promise<string | undefined> {
  const [found] = await db.all<{ list: string }>(
    sql`select hex(block) as list from certificate_search_data where id = 10`,
  )
  return found?.list
}

/** Merges segments of the search index for a short time. @returns false if there was nothing to merge */
export async function mergeSegments(db: Tx): Promise<boolean> {
  const before = await segments(db)
  await db.run(
    sql`insert into certificate_search (certificate_search, rank) values ('merge', cast(${PAGES_PER_STEP} as integer))`,
  )
  return (await segments(db)) !== before
}
