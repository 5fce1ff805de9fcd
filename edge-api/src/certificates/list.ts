import type { adminCertificates } from '@portal/contract/admin-certificates'
import { paginate } from '@portal/contract/shapes'
import type { Reader } from '../db/database.ts'
import type { CertificateRow } from '../db/schema/certificates.ts'
import { displayEmail } from '../erased.ts'
import { findNewestActors } from '../history/store.ts'
import { type Call, type Handler, withCsv } from '../http/serve.ts'
import { countLetters } from '../letter-holders/status-store.ts'
import { iso, isoOrNull } from '../wire.ts'
import { findIdsWithLetters } from './detail-store.ts'
import {
  countValues,
  listRegister,
  listRegisterBelow,
  type RegisterKey,
  type RegisterQuery,
} from './list-store.ts'
import { purgeDayOf } from './purge-rules.ts'
import { certificateOf } from './values.ts'

type List = typeof adminCertificates.list

/** Rows that an export reads per query. For a search it reads more at once, because each query repeats the whole search. */
const EXPORT_BATCH = 500
const SEARCHED_BATCH = 20_000

/** Maximum number of values per facet, and how long they are cached, in milliseconds. */
const MAX_VALUES = 500
const FACETS_MAX_AGE_MS = 600_000

const toRegisterQuery = ({ query }: Call<List>): RegisterQuery => {
  const { page: _, per_page: __, sort = '-uploaded_at', ...filters } = query
  return { filters, sort }
}

/**
 * Loads the additional fields of deleted certificates: when and by whom they were deleted, and until when they can be restored.
 * @returns a function that returns the fields of one of the rows
 */
async function loadDeletions(db: Reader, rows: readonly CertificateRow[]) {
  const ids = rows.map(({ id }) => id)
  const actors = await findNewestActors(db, { kind: 'certificate', recordIds: ids })
  const idsWithLetters = await findIdsWithLetters(db, { certificateIds: ids })
  return ({ id, deletedAt }: CertificateRow) => ({
    deleted_at: isoOrNull(deletedAt),
    deleted_by: displayEmail(actors.get(id) ?? null),
    purge_on: deletedAt === null ? null : purgeDayOf(deletedAt, idsWithLetters.has(id)),
  })
}

async function listPage(call: Call<List>) {
  const { page, per_page: perPage, state } = call.query
  const db = call.db.read
  const { rows, total, isMinimum } = await listRegister(db, { ...toRegisterQuery(call), page, perPage })
  const letterCounts = await countLetters(db, { certificateIds: rows.map(({ id }) => id) })
  const toDeletionFields = state === 'deleted' ? await loadDeletions(db, rows) : undefined
  return {
    certificates: rows.map(row => ({
      ...certificateOf(row),
      letters: letterCounts.get(row.id) ?? 0,
      ...toDeletionFields?.(row),
    })),
    pagination: { ...paginate(page, perPage, total), ...(isMinimum && { total_is_minimum: true as const }) },
  }
}

async function* exportAll(call: Call<List>) {
  const query = toRegisterQuery(call)
  const limit = query.filters.search === '' ? EXPORT_BATCH : SEARCHED_BATCH
  for (let below: RegisterKey | undefined; ; ) {
    const { rows, next } = await listRegisterBelow(call.db.read, { ...query, below, limit })
    yield rows.map(certificateOf)
    if (!next) return
    below = next
  }
}

/** Lists certificates by page, or exports all matching ones as a file. */
export const list: Handler<List> = withCsv<List>(listPage, exportAll)

type Facets = Awaited<ReturnType<Handler<typeof adminCertificates.facets>>>

/** Cached facets, by environment, because counting the values of a million certificates three times takes a while. */
const facetsCache = new WeakMap<object, { at: number; facets: Facets }>()

/** Returns the values by which certificates can be filtered. */
export const facets: Handler<typeof adminCertificates.facets> = async ({ db: { read }, ports }) => {
  const now = ports.clock.now()
  const cachedFacets = facetsCache.get(ports.environment)
  if (cachedFacets && cachedFacets.at <= now && now - cachedFacets.at < FACETS_MAX_AGE_MS)
    return cachedFacets.facets
  const freshFacets = {
    departments: await countValues(read, { column: 'department', limit: MAX_VALUES }),
    courses: await countValues(read, { column: 'course', limit: MAX_VALUES }),
    grades: await countValues(read, { column: 'grade', limit: MAX_VALUES }),
    refreshed_at: iso(now),
  }
  facetsCache.set(ports.environment, { at: now, facets: freshFacets })
  return freshFacets
}
