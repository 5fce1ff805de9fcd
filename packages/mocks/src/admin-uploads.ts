import { certificateFields } from '@portal/contract/admin'
import {
  REPORT_ROWS,
  type ReportRow,
  type adminUploads as routes,
  type Upload,
  type UploadResult,
} from '@portal/contract/admin-uploads'
import { type Certificate, paginate } from '@portal/contract/shapes'
import { type CsvValue, csvLine } from '@portal/format/csv'
import { HttpResponse } from 'msw'
import { Fault } from './fault.ts'
import { newId } from './ids.ts'
import type { Call, HandlersOf } from './serve.ts'
import type { MockState, MockUpload } from './state.ts'

const COLUMNS = [
  'certificate_number',
  'student_name',
  'matric_number',
  'course',
  'graduation_date',
  'grade',
  'department',
] as const

/** Cells of a comma-separated text; the real server reads much more. */
function cellsOf(line: string): string[] {
  return [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,]*),/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell.trim(),
  )
}

function rowsOf(text: string): { line: number; values: Record<string, string> }[] {
  const [header = '', ...lines] = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const names = cellsOf(header).map(name => name.toLowerCase().replace(/[\s_]+/g, '_'))
  const missing = COLUMNS.filter(name => name !== 'matric_number' && !names.includes(name))
  if (missing.length > 0) {
    const message =
      missing.length > 3
        ? 'The first line must name the columns of the template.'
        : `The header has no column ${missing.join(', ')}. Please compare it with the template.`
    throw new Fault('INVALID_CSV', undefined, message)
  }
  return lines
    .map((line, index) => ({ line: index + 2, cells: cellsOf(line) }))
    .filter(({ cells }) => cells.some(cell => cell !== ''))
    .map(({ line, cells }) => ({
      line,
      values: Object.fromEntries(COLUMNS.map(name => [name, cells[names.indexOf(name)] ?? ''])),
    }))
}

const compared = COLUMNS.filter(name => name !== 'certificate_number')
const differences = (before: Certificate, after: Pick<Certificate, (typeof COLUMNS)[number]>) =>
  compared
    .filter(name => before[name] !== after[name])
    .map(name => `${name}: ${before[name] ?? 'none'} → ${after[name] ?? 'none'}`)
    .join('; ')

type Row = ReturnType<typeof rowsOf>[number]

/** What becomes of one row; the state changes unless it is a dry run. */
function take({ values, line }: Row, { query, state, user, now }: Call<typeof routes.upload>): ReportRow {
  const parsed = certificateFields.safeParse(values)
  const number = (values.certificate_number ?? '').trim().toUpperCase()
  const failed = (error: string): ReportRow => ({
    row: line,
    certificate_number: number,
    status: 'failed',
    error,
  })
  if (!parsed.success) return failed(parsed.error.issues[0]?.message ?? '')
  const known = state.certificates.find(each => each.certificate_number === number)
  const changes = known ? differences(known, parsed.data) : ''
  const success = { row: line, certificate_number: number, status: 'success' } as const
  if (known && changes === '') return { ...success, outcome: 'unchanged' }
  if (known && query.on_conflict === 'fail') return failed(`On record with other content: ${changes}`)
  if (known) {
    if (!query.dry_run) Object.assign(known, parsed.data)
    return { ...success, outcome: 'updated', changes }
  }
  if (!query.dry_run) {
    const uploaded = { uploader_email: user.email, uploaded_at: now.toISOString() }
    state.certificates.unshift({ ...parsed.data, id: newId(), ...uploaded })
  }
  return success
}

const outcomeOf = (row: ReportRow) => row.outcome ?? (row.status === 'failed' ? 'failed' : 'created')

function uploadOrFail(state: MockState, id: string): MockUpload {
  const upload = state.uploads.find(each => each.id === id)
  if (!upload) throw new Fault('NOT_FOUND', undefined, 'There is no such upload.')
  return upload
}

const shown = ({ report: _, failures: __, ...upload }: MockUpload): Upload => upload

const failuresFirst = (report: readonly ReportRow[]) =>
  report
    .toSorted((a, b) => Number(a.status === 'success') - Number(b.status === 'success'))
    .slice(0, REPORT_ROWS)

function csvFile(
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

const resultOf = (upload: MockUpload): UploadResult => ({
  upload_id: upload.id,
  state: upload.state,
  dry_run: upload.dry_run,
  report: failuresFirst(upload.report),
  summary: {
    total: upload.total ?? 0,
    succeeded: upload.succeeded,
    failed: upload.failed,
  },
  outcomes: { created: upload.created, updated: upload.updated, unchanged: upload.unchanged },
})

function refuseFile(message: string): never {
  throw new Fault('VALIDATION_ERROR', { file: message }, message)
}

function receive(call: Call<typeof routes.upload>): MockUpload {
  const { file, query, state, user, now } = call
  if (!file) refuseFile('Please select a file first')
  if (!/\.csv$/i.test(file.name)) refuseFile('Please select a CSV file')
  const rows = rowsOf(file.text)
  const report = rows.map(row => take(row, call))
  const count = (outcome: string) => report.filter(row => outcomeOf(row) === outcome).length
  const failed = count('failed')
  const upload: MockUpload = {
    id: newId(),
    filename: file.name,
    uploader_email: user.email,
    state: 'done',
    dry_run: query.dry_run,
    on_conflict: query.on_conflict,
    total: rows.length,
    processed: rows.length,
    succeeded: rows.length - failed,
    failed,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    error: null,
    created_at: now.toISOString(),
    finished_at: now.toISOString(),
    report,
    failures: rows
      .filter((_, index) => report[index]?.status === 'failed')
      .map((row, index) => ({
        ...row.values,
        row: String(row.line),
        error: report.filter(each => each.status === 'failed')[index]?.error ?? '',
      })),
  }
  state.uploads.unshift(upload)
  return upload
}

function list({ query, state }: Pick<Call<typeof routes.list>, 'query' | 'state'>) {
  const from = (query.page - 1) * query.per_page
  return {
    uploads: state.uploads.slice(from, from + query.per_page).map(shown),
    pagination: paginate(query.page, query.per_page, state.uploads.length),
  }
}

export const adminUploads: HandlersOf<typeof routes> = {
  template: () =>
    new HttpResponse(COLUMNS.join(','), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="certificate_upload_template.csv"',
      },
    }),
  upload(call) {
    const upload = receive(call)
    const result = resultOf(upload)
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
  read: ({ params, state }) => ({ upload: shown(uploadOrFail(state, params.id)) }),
  cancel: ({ params, state }) => ({
    message: 'This upload has ended already.',
    upload: shown(uploadOrFail(state, params.id)),
  }),
  rows: ({ params, state }) => ({ report: failuresFirst(uploadOrFail(state, params.id).report) }),
  report({ params, query, state }) {
    const { report, failures } = uploadOrFail(state, params.id)
    if (query.rows === 'failed')
      return csvFile('certificate_upload_failed_rows.csv', [...COLUMNS, 'row', 'error'], failures)
    const columns = ['row', 'certificate_number', 'status', 'error', 'outcome', 'changes']
    return csvFile(
      'certificate_upload_report.csv',
      columns,
      report.map(row => ({ ...row, outcome: outcomeOf(row) })),
    )
  },
}
