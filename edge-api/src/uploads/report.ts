import {
  isRegisterConflict,
  REPORT_ROWS,
  type ReportRow,
  valuesNotStoredError,
} from '@portal/contract/admin-uploads'
import { failedRowsColumns, type UploadField, uploadFields } from '@portal/contract/upload-columns'
import * as z from 'zod'
import type { Reader } from '../db/database.ts'
import { rowId } from './row-keys.ts'
import { listFailures, listNextReported, type UploadRow } from './store.ts'

const PAGE_SIZE = 2000

const reportedRows = z.array(
  z.tuple([
    z.number(),
    z.string(),
    z.enum(['unchanged', 'updated', 'failed']).nullable(),
    z.string().nullable(),
  ]),
)

type Failure = Awaited<ReturnType<typeof listFailures>>[number]

const toFailureRow = (row: Failure): ReportRow => ({
  row: row.line,
  certificate_number: row.certificateNumber,
  status: 'failed',
  error: row.error ?? '',
})

async function* readFailures(db: Reader, seq: number): AsyncGenerator<Failure[]> {
  let afterId: number | undefined
  for (;;) {
    const page: Failure[] = await listFailures(db, { seq, afterId, limit: PAGE_SIZE })
    if (page.length === 0) return
    yield page
    afterId = page.at(-1)?.id
  }
}

/** Yields the rows that succeeded, and failed rows whose values were not kept. */
async function* readReportedRows(
  db: Reader,
  seq: number,
  { warned = false } = {},
): AsyncGenerator<ReportRow[]> {
  let afterId = rowId(seq, 0)
  for (;;) {
    const part = await listNextReported(db, { seq, afterId, warned })
    if (!part) return
    afterId = part.lastId
    let error = ''
    yield reportedRows.parse(JSON.parse(part.rows)).map(([row, certificate_number, outcome, note]) => {
      if (outcome !== 'failed') {
        return {
          row,
          certificate_number,
          status: 'success' as const,
          ...(outcome !== null && { outcome }),
          ...(note !== null && { [outcome === null ? 'warning' : 'changes']: note }),
        }
      }
      error = note ?? error
      return { row, certificate_number, status: 'failed' as const, error }
    })
  }
}

/** Returns the first rows of a report, at most `REPORT_ROWS`: failures first, then rows with a warning, then others. */
export async function readFirstRows(db: Reader, { seq, dryRun }: UploadRow): Promise<ReportRow[]> {
  const rows = (await listFailures(db, { seq, limit: REPORT_ROWS })).map(toFailureRow)
  async function addRows(withWarnings: boolean) {
    for await (const part of readReportedRows(db, seq, { warned: withWarnings })) {
      if (rows.length >= REPORT_ROWS) return
      rows.push(...part.filter(row => !dryRun || (row.warning !== undefined) === withWarnings))
    }
  }
  // Only dry runs have warnings.
  if (dryRun) await addRows(true)
  await addRows(false)
  return rows.slice(0, REPORT_ROWS)
}

export const reportColumns = [
  'row',
  'certificate_number',
  'status',
  'error',
  'outcome',
  'changes',
  'warning',
] as const

/** Yields all rows of a report, in the order of the file, in batches. */
export async function* readAllRows(db: Reader, seq: number) {
  const failurePages = readFailures(db, seq)
  const readNextFailures = async (): Promise<ReportRow[]> => {
    const page = await failurePages.next()
    return page.done ? [] : page.value.map(toFailureRow)
  }
  /** Failed rows that have been read, but not yet yielded. */
  let pendingFailures = await readNextFailures()
  const toCells = (row: ReportRow) => ({
    ...row,
    error: row.error ?? null,
    outcome: row.outcome ?? (row.status === 'failed' ? 'failed' : 'created'),
    changes: row.changes ?? null,
    warning: row.warning ?? null,
  })

  async function* readFailuresBefore(line: number): AsyncGenerator<ReportRow[]> {
    while (pendingFailures.length > 0) {
      const end = pendingFailures.findIndex(row => row.row >= line)
      if (end === 0) return
      yield end < 0 ? pendingFailures : pendingFailures.slice(0, end)
      pendingFailures = end < 0 ? await readNextFailures() : pendingFailures.slice(end)
      if (end > 0) return
    }
  }

  for await (const part of readReportedRows(db, seq)) {
    const rows: ReportRow[] = []
    // Adds the failed rows up to the end of this chunk, and then sorts the failed and the successful ones together.
    for await (const failures of readFailuresBefore((part.at(-1)?.row ?? 0) + 1)) rows.push(...failures)
    yield [...rows, ...part].sort((a, b) => a.row - b.row).map(toCells)
  }
  for await (const failures of readFailuresBefore(Number.POSITIVE_INFINITY)) yield failures.map(toCells)
}

/**
 * Returns the columns for a file of failed rows. A column that the uploaded file lacked is left out; otherwise uploading the
 * corrected rows would erase that field.
 */
export const failedColumns = (recognised: readonly UploadField[] | null) => [
  ...uploadFields.filter(field => recognised?.includes(field) ?? true),
  ...failedRowsColumns,
]

/**
 * Yields the failed rows as they were in the file, with their errors, in batches, so that they can be corrected. If a row's
 * values were not kept (`FAILED_ROWS_KEPT`), the error says so.
 * @param conflicts true for only the rows that an upload with updates would accept
 */
export async function* readFailedRows(db: Reader, seq: number, { conflicts = false } = {}) {
  for await (const page of readFailures(db, seq)) {
    const selected = conflicts ? page.filter(({ error }) => isRegisterConflict(error)) : page
    yield selected.map(row => ({
      certificate_number: row.certificateNumber,
      student_name: row.studentName,
      matric_number: row.matricNumber,
      course: row.course,
      graduation_date: row.graduationDate,
      grade: row.grade,
      department: row.department,
      row: row.line,
      error: row.error,
    }))
  }
  // Rows whose values were not kept cannot be uploaded again.
  if (conflicts) return
  for await (const part of readReportedRows(db, seq)) {
    const failed = part.filter(row => row.status === 'failed')
    if (failed.length > 0) yield failed.map(toRowWithoutValues)
  }
}

const toRowWithoutValues = ({ row, certificate_number, error = '' }: ReportRow) => ({
  certificate_number,
  student_name: '',
  matric_number: null,
  course: '',
  graduation_date: '',
  grade: '',
  department: '',
  row,
  error: valuesNotStoredError(row, error),
})
