import { paginate } from '@portal/contract/shapes'
import type { verification } from '@portal/contract/verification'
import { type Call, withCsv } from '../http/serve.ts'
import { periodOf } from '../logs/rules.ts'
import { findOpenAttempts, findVerifiedNumbers } from '../payments/numbers-store.ts'
import { type HistoryFilter, listHistory, listHistoryAfter } from './history-store.ts'
import { toHistoryRecord } from './replies.ts'
import { endedWithoutResult, type ListedPaymentItem, statusOfItem } from './rules.ts'
import { readCounters } from './store.ts'

type History = typeof verification.history

/** Number of rows that an export reads per query. */
const EXPORT_BATCH = 500

const filterOf = ({ user, query }: Call<History>): HistoryFilter => ({
  userId: user.id,
  search: query.search,
  outcome: query.outcome,
  sort: query.sort ?? '-created_at',
  ...periodOf(query),
})

/**
 * Returns the verifications that their payer can try again: those that ended without a result, unless another verification of
 * the same number has a result or is open.
 */
async function findRepeatable(
  { db, user }: Call<History>,
  rows: readonly ListedPaymentItem[],
): Promise<Set<ListedPaymentItem>> {
  const ended = rows.filter(row => endedWithoutResult(statusOfItem(row)))
  if (ended.length === 0) return new Set()
  const account = { userId: user.id, numbers: ended.map(row => row.item.certificateNumber) }
  const [verified, open] = await Promise.all([
    findVerifiedNumbers(db.read, account),
    findOpenAttempts(db.read, account),
  ])
  const isVerifiedOrOpen = (number: string) => verified.has(number) || open.has(number)
  return new Set(ended.filter(row => !isVerifiedOrOpen(row.item.certificateNumber)))
}

async function listPage(call: Call<History>) {
  const { db, user, query, ports } = call
  const { page, per_page: perPage } = query
  const counters = await readCounters(db.read, { userId: user.id })
  const { rows, total, isMinimum } = await listHistory(db.read, {
    ...filterOf(call),
    page,
    perPage,
    unfilteredTotal: counters.total,
  })
  const repeatableRows = await findRepeatable(call, rows)
  return {
    history: rows.map(row => ({
      ...toHistoryRecord(row, ports.environment.PUBLIC_URL),
      can_try_again: repeatableRows.has(row),
    })),
    pagination: { ...paginate(page, perPage, total), ...(isMinimum && { total_is_minimum: true as const }) },
    // As in the statistics, a second payment for a verified certificate counts as neither verified nor failed, because it is
    // refunded.
    counters: { total: counters.total, successful: counters.found, not_found: counters.missed },
  }
}

async function* exportAll(call: Call<History>) {
  const filter = filterOf(call)
  for (let after: ListedPaymentItem['item'] | undefined; ; ) {
    const rows = await listHistoryAfter(call.db.read, { ...filter, after, limit: EXPORT_BATCH })
    yield rows.map(row => {
      const record = toHistoryRecord(row, call.ports.environment.PUBLIC_URL)
      const { certificate_details: details, letter } = record
      return {
        ...record,
        certificate_details_student_name: details?.student_name ?? null,
        certificate_details_course: details?.course ?? null,
        certificate_details_graduation_date: details?.graduation_date ?? null,
        certificate_details_grade: details?.grade ?? null,
        letter_url: letter?.url ?? null,
        letter_status: letter?.status ?? null,
      }
    })
    after = rows.at(-1)?.item
    if (!after || rows.length < EXPORT_BATCH) return
  }
}

/** Lists the caller's verifications, with search, filters and sorting; an export contains all matching ones. */
export const history = withCsv<History>(listPage, exportAll)
