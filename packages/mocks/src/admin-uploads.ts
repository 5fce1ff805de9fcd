import { certificateFields } from '@portal/contract/admin-certificates'
import {
  FAILED_ROWS_KEPT,
  isRegisterConflict,
  REPORT_ROWS,
  type ReportRow,
  registerConflictError,
  repeatedNumberError,
  type adminUploads as routes,
  type Upload,
  type UploadResult,
  valuesNotStoredError,
} from '@portal/contract/admin-uploads'
import type { Certificate } from '@portal/contract/shapes'
import {
  failedRowsColumns,
  fieldLabels,
  joinProblems,
  labelProblem,
  type UploadField,
  uploadFields,
} from '@portal/contract/upload-columns'
import {
  type DateOrder,
  DateOrderEvidence,
  DEFAULT_ORDER,
  dateProblem,
  readDate,
} from '@portal/contract/upload-dates'
import { byKey } from '@portal/format/by-key'
import { type CsvValue, csvLine } from '@portal/format/csv'
import { registerJobMessages, uploadMessages } from '@portal/rules/messages'
import { HttpResponse } from 'msw'
import { Fault, invalidField } from './fault.ts'
import { fieldChanges, recordChange } from './history.ts'
import { newId } from './ids.ts'
import { paginateRows } from './paginate-rows.ts'
import type { MockUpload } from './register-types.ts'
import type { Call, HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'
import { countAffectedLetters } from './upload-letters.ts'
import { parseSheet, type SheetRow } from './upload-reading.ts'
import { uploadWarning } from './upload-warning.ts'

type CertificateFields = Pick<Certificate, UploadField>

const describeDifferences = (
  before: CertificateFields,
  after: CertificateFields,
  columns: readonly UploadField[] = uploadFields,
) =>
  columns
    .filter(name => before[name] !== after[name])
    .map(name => `${fieldLabels[name]}: ${before[name] ?? 'none'} → ${after[name] ?? 'none'}`)
    .join('; ')

function parseRow({ values, error }: SheetRow, order: DateOrder) {
  const { graduation_date: date } = values
  const iso = readDate(date, order)
  const parsed = certificateFields.safeParse({ ...values, graduation_date: iso ?? date })
  if (error !== undefined || parsed.success) return { error, fields: parsed.data }
  const isUnreadableDate = date !== '' && iso === undefined
  const problems = parsed.error.issues.map(({ path: [name], message }) => {
    const field = uploadFields.find(item => item === name) ?? 'certificate_number'
    return isUnreadableDate && field === 'graduation_date'
      ? dateProblem(date, order)
      : labelProblem(field, message)
  })
  return { error: joinProblems(problems) ?? '' }
}

const NO_VALUES = byKey(uploadFields, () => '')

/** The valid rows processed so far, by certificate number, with their line numbers. */
type EarlierRows = Map<string, { line: number; fields: CertificateFields }>

/** An upload as the source of a change in the history. */
type Source = { kind: 'upload'; id: string; label: string }

/** Processes one row. Changes the state, unless the upload is a dry run. */
function importRow(
  row: SheetRow,
  earlierRows: EarlierRows,
  { columns, order, source }: { columns: readonly UploadField[]; order: DateOrder; source: Source },
  call: Call<typeof routes.upload>,
): ReportRow {
  const { query, state, user, now } = call
  const { error, fields } = parseRow(row, order)
  const number = fields?.certificate_number ?? row.values.certificate_number
  const failedRow = (message: string): ReportRow => ({
    row: row.line,
    certificate_number: number,
    status: 'failed',
    error: message,
  })
  if (error !== undefined || !fields) return failedRow(error ?? '')
  const earlier = earlierRows.get(number)
  if (earlier && describeDifferences(earlier.fields, fields) !== '')
    return failedRow(repeatedNumberError(earlier.line))
  const existing = state.certificates.find(item => item.certificate_number === number)
  const changes = existing ? describeDifferences(existing, fields, columns) : ''
  const success = { row: row.line, certificate_number: number, status: 'success' } as const
  if (earlier || (existing && changes === '')) return { ...success, outcome: 'unchanged' }
  earlierRows.set(number, { line: row.line, fields })
  if (existing && query.on_conflict === 'fail') return failedRow(registerConflictError(changes))
  if (existing) {
    if (query.dry_run) return { ...success, outcome: 'updated', changes }
    const values = Object.fromEntries(columns.map(name => [name, fields[name]]))
    const changedFields = fieldChanges({ ...existing }, values)
    Object.assign(existing, values, { version: existing.version + 1, updated_at: now.toISOString() })
    recordChange(call, {
      kind: 'certificate',
      id: existing.id,
      label: number,
      version: existing.version,
      action: 'updated',
      changes: changedFields,
      source,
    })
    return { ...success, outcome: 'updated', changes }
  }
  if (query.dry_run) {
    const warning = uploadWarning(state, fields)
    return { ...success, ...(warning !== undefined && { warning }) }
  }
  const at = now.toISOString()
  const uploaded = { uploader_email: user.email, uploaded_at: at, updated_at: at, version: 1 }
  const certificate = { ...fields, id: newId(), ...uploaded }
  state.certificates.unshift(certificate)
  recordChange(call, {
    kind: 'certificate',
    id: certificate.id,
    label: number,
    version: 1,
    action: 'created',
    source,
  })
  return success
}

const outcomeOf = (row: ReportRow) => row.outcome ?? (row.status === 'failed' ? 'failed' : 'created')

function uploadOrFail(state: MockState, id: string): MockUpload {
  const upload = state.uploads.find(item => item.id === id)
  if (!upload) throw new Fault('NOT_FOUND', undefined, registerJobMessages.noUpload)
  return upload
}

const uploadReply = ({ report: _, failures: __, ...upload }: MockUpload): Upload => upload

const urgency = ({ status, warning }: ReportRow) => (status === 'failed' ? 0 : warning === undefined ? 2 : 1)

const sortFailuresFirst = (report: readonly ReportRow[]) =>
  report.toSorted((a, b) => urgency(a) - urgency(b)).slice(0, REPORT_ROWS)

function csvResponse(
  name: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, CsvValue | undefined>>[],
) {
  const lines = rows.map(row => csvLine(columns.map(column => row[column] ?? null)))
  return new HttpResponse([csvLine(columns), ...lines].join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
  })
}

const resultOf = (upload: MockUpload, state: MockState): UploadResult => ({
  upload_id: upload.id,
  state: upload.state,
  dry_run: upload.dry_run,
  date_order: upload.date_order,
  recognised_columns: upload.recognised_columns,
  ignored_columns: upload.ignored_columns,
  report: sortFailuresFirst(upload.report),
  summary: {
    total: upload.total ?? 0,
    succeeded: upload.succeeded,
    failed: upload.failed,
  },
  outcomes: { created: upload.created, updated: upload.updated, unchanged: upload.unchanged },
  letters_affected: upload.dry_run ? countAffectedLetters(state, upload.report) : 0,
})

function refuseFile(message: string): never {
  throw invalidField('file', message)
}

function importUpload(call: Call<typeof routes.upload>): MockUpload {
  const { file, query, state, user, now } = call
  if (!file) refuseFile(uploadMessages.noFile)
  if (!/\.csv$/i.test(file.name)) refuseFile(uploadMessages.notCsv)
  const { header, rows } = parseSheet(file.bytes)
  const order = query.date_order ?? header.dateOrder ?? DEFAULT_ORDER
  const evidence = new DateOrderEvidence()
  for (const { line, values } of rows) evidence.add(values.graduation_date, line)
  const orderProblem = query.date_order ? undefined : evidence.describeConflict(order)
  if (orderProblem !== undefined) throw new Fault('INVALID_CSV', undefined, orderProblem)
  const columns = header.recognised.map(({ field }) => field)
  const earlierRows: EarlierRows = new Map()
  const id = newId()
  const source = { kind: 'upload', id, label: file.name } as const
  const report = rows.map(row => importRow(row, earlierRows, { columns, order, source }, call))
  const count = (outcome: string) => report.filter(row => outcomeOf(row) === outcome).length
  const failedCount = count('failed')
  const errors = report.filter(row => row.status === 'failed').map(row => row.error)
  const upload: MockUpload = {
    id,
    filename: file.name,
    uploader_email: user.email,
    state: 'done',
    dry_run: query.dry_run,
    on_conflict: query.on_conflict,
    date_order: query.date_order ?? null,
    recognised_columns: columns,
    ignored_columns: [...header.ignored],
    total: rows.length,
    processed: rows.length,
    succeeded: rows.length - failedCount,
    failed: failedCount,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    error: null,
    created_at: now.toISOString(),
    finished_at: now.toISOString(),
    revertible: !query.dry_run && count('created') + count('updated') > 0,
    reverted_by: null,
    reverted_at: null,
    report,
    failures: rows
      .filter((_, index) => report[index]?.status === 'failed')
      .map((row, index) => {
        const error = errors[index] ?? ''
        const isKept = index < FAILED_ROWS_KEPT
        return {
          ...(isKept ? row.values : { ...NO_VALUES, certificate_number: row.values.certificate_number }),
          row: String(row.line),
          error: isKept ? error : valuesNotStoredError(row.line, error),
        }
      }),
  }
  state.uploads.unshift(upload)
  return upload
}

function list({ query, state }: Pick<Call<typeof routes.list>, 'query' | 'state'>) {
  const { rows, pagination } = paginateRows(state.uploads, query)
  return { uploads: rows.map(uploadReply), pagination }
}

export const adminUploads: HandlersOf<typeof routes> = {
  template: () =>
    new HttpResponse(uploadFields.join(','), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="certificate_upload_template.csv"',
      },
    }),
  upload(call) {
    const upload = importUpload(call)
    const result = resultOf(upload, call.state)
    if (!call.accept.includes('application/x-ndjson')) return result
    const lines = [
      { type: 'progress', processed: upload.processed, total: upload.total, upload_id: upload.id },
      { type: 'result', ...result },
    ]
    return new HttpResponse(lines.map(line => `${JSON.stringify(line)}\n`).join(''), {
      status: 201,
      headers: { 'content-type': 'application/x-ndjson' },
    })
  },
  list,
  history: list,
  read: ({ params, state }) => ({ upload: uploadReply(uploadOrFail(state, params.id)) }),
  cancel: ({ params, state }) => ({
    message: uploadMessages.ended,
    upload: uploadReply(uploadOrFail(state, params.id)),
  }),
  rows: ({ params, state }) => ({ report: sortFailuresFirst(uploadOrFail(state, params.id).report) }),
  report({ params, query, state }) {
    const { report, failures, recognised_columns } = uploadOrFail(state, params.id)
    if (query.rows !== 'all')
      return csvResponse(
        'certificate_upload_failed_rows.csv',
        [...uploadFields.filter(name => recognised_columns.includes(name)), ...failedRowsColumns],
        query.rows === 'failed'
          ? failures
          : failures.slice(0, FAILED_ROWS_KEPT).filter(row => isRegisterConflict(row.error)),
      )
    const columns = ['row', 'certificate_number', 'status', 'error', 'outcome', 'changes', 'warning']
    return csvResponse(
      'certificate_upload_report.csv',
      columns,
      report.map(row => ({ ...row, outcome: outcomeOf(row) })),
    )
  },
}
