import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { idParam, pageQuery, pagination, timestamp } from './shapes.ts'
import { uploadFields } from './upload-columns.ts'
import { dateOrders } from './upload-dates.ts'

/**
 * `receiving`: the file is being sent; `importing`: the file has arrived completely and is being imported; `interrupted`: the
 * file did not arrive completely; `failed`: the file could not be read. Only `done` and `cancelled` uploads have changed the
 * register.
 */
export const uploadStates = ['receiving', 'importing', 'done', 'cancelled', 'interrupted', 'failed'] as const

/** What to do with a row whose certificate number exists with different details. */
export const onConflicts = ['fail', 'update'] as const
export type OnConflict = (typeof onConflicts)[number]

/** Fields about how the header and the dates of the file were interpreted. */
const interpretationFields = {
  /** The chosen date order; null means day first, unless the header indicates another order. */
  date_order: z.enum(dateOrders).nullable(),
  /** Fields that have a column in the file, in its order; an update keeps the values of other fields. */
  recognised_columns: z.array(z.enum(uploadFields)),
  /** Header names of columns that are not imported. */
  ignored_columns: z.array(z.string()),
}

/** Maximum number of report rows in a response; the file at `/report` has all of them. */
export const REPORT_ROWS = 1000

/** Number of failed rows that are stored with their values; for others, only the line, number and reason are stored. */
export const FAILED_ROWS_KEPT = 2000

/** Error for a row whose certificate number is on an earlier line with different details. */
export const repeatedNumberError = (line: number | string) =>
  `Row ${line} has the same certificate number with different content. Please keep the correct row only.`

const REGISTER_CONFLICT_PREFIX = 'On record with different content: '

/**
 * Error for a row whose certificate is in the register with other values. Unlike other failed rows, it can be imported as an
 * update.
 */
export const registerConflictError = (changes: string) => `${REGISTER_CONFLICT_PREFIX}${changes}`

export const isRegisterConflict = (error: string | null | undefined) =>
  error?.startsWith(REGISTER_CONFLICT_PREFIX) === true

/** Error in the file of failed rows for a row whose values are not stored. */
export const valuesNotStoredError = (line: number, error: string) =>
  `${error} Only the first ${FAILED_ROWS_KEPT.toLocaleString('en')} failed rows are kept with their values: please correct row ${line} in the uploaded file.`

const counts = {
  succeeded: z.int(),
  failed: z.int(),
}

/** Results of successful rows. */
const outcomes = {
  created: z.int(),
  updated: z.int(),
  /** Already in the register with the same details; counts as a success. */
  unchanged: z.int(),
}

export const upload = z.object({
  id: z.string(),
  filename: z.string(),
  uploader_email: z.string(),
  state: z.enum(uploadStates),
  dry_run: z.boolean(),
  on_conflict: z.enum(onConflicts),
  ...interpretationFields,
  /** Number of rows in the file; null until it has arrived completely. */
  total: z.int().nullable(),
  processed: z.int(),
  ...counts,
  ...outcomes,
  /** Why a `failed` or `interrupted` upload ended. */
  error: z.string().nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  /** True if it changed the register and has not been reverted yet. */
  revertible: z.boolean(),
  reverted_by: z.string().nullable(),
  reverted_at: timestamp.nullable(),
})
export type Upload = z.infer<typeof upload>

export const reportRow = z.object({
  /** Line of the file; the header is line 1. */
  row: z.int(),
  certificate_number: z.string(),
  status: z.enum(['success', 'failed']),
  /** All errors of the row. */
  error: z.string().optional(),
  /** Set for a successful row that added no certificate, because its number already existed. */
  outcome: z.enum(['updated', 'unchanged']).optional(),
  /** The changes that an update made or, in a dry run, would make: `Grade: Pass → First Class`. */
  changes: z.string().optional(),
  /** Warning of a dry run: a similar number exists, or the grade is new. The uploader should check the row before the import. */
  warning: z.string().optional(),
})
export type ReportRow = z.infer<typeof reportRow>

export const uploadResult = z.object({
  upload_id: z.string(),
  state: z.enum(uploadStates),
  dry_run: z.boolean(),
  ...interpretationFields,
  /** Failed rows come first, then rows with a warning; at most 1,000 rows. */
  report: z.array(reportRow),
  summary: z.object({ total: z.int(), ...counts }),
  outcomes: z.object(outcomes),
  letters_affected: z.int().describe('Dry run: valid letters that the updates would make out of date.'),
})
export type UploadResult = z.infer<typeof uploadResult>

const listReply = z.object({ uploads: z.array(upload), pagination })

/** The `?dry_run=true` parameter; values other than true, 1, false, 0 and the empty string are rejected. */
const dryRunFlag = z
  .enum(['true', 'false', '1', '0', ''], { error: 'Please use true or false.' })
  .default('false')
  .transform(value => value === 'true' || value === '1')

export const adminUploads = {
  template: route({
    method: 'GET',
    path: '/admin/certificates/template',
    access: 'admin',
    summary: 'The CSV template, saved as certificate_upload_template.csv.',
    reply: z.string(),
    media: ['text/csv'],
  }),
  upload: route({
    method: 'POST',
    path: '/admin/certificates/upload',
    access: 'admin',
    summary:
      'Upload certificates as CSV. Nothing is changed until the whole file has been checked; the import continues if the ' +
      'caller disconnects. Unrecognised columns are ignored and listed in `ignored_columns`; with ' +
      '`on_conflict=update`, a field without a column keeps its value. With `Accept: application/x-ndjson`: progress lines, then the result.',
    multipart: 'file',
    query: z.object({
      dry_run: dryRunFlag,
      on_conflict: z.enum(onConflicts, { error: 'Please use fail or update.' }).default('fail'),
      date_order: z
        .enum(dateOrders, { error: 'Please use dmy or mdy.' })
        .optional()
        .describe(
          'How dates such as 03/04/2019 are read: dmy is 3 April, mdy is 4 March. By default the day comes first, and a ' +
            'file whose dates contradict that is rejected as a whole.',
        ),
    }),
    reply: uploadResult,
    media: ['application/x-ndjson'],
    status: 201,
  }),
  list: route({
    method: 'GET',
    path: '/admin/certificates/uploads',
    access: 'admin',
    summary: 'Every upload, newest first.',
    query: z.object(pageQuery(20)),
    reply: listReply,
  }),
  history: route({
    method: 'GET',
    path: '/admin/reports/upload-history',
    access: 'admin',
    summary: 'The same list as `/admin/certificates/uploads`.',
    query: z.object(pageQuery(20)),
    reply: listReply,
  }),
  read: route({
    method: 'GET',
    path: '/admin/certificates/uploads/{id}',
    access: 'admin',
    summary: 'Status and progress of an upload.',
    params: idParam,
    reply: z.object({ upload }),
  }),
  cancel: route({
    method: 'DELETE',
    path: '/admin/certificates/uploads/{id}',
    access: 'admin',
    summary: 'Cancel an upload in progress. Rows already imported are kept.',
    params: idParam,
    reply: z.object({ message: z.string(), upload }),
  }),
  rows: route({
    method: 'GET',
    path: '/admin/certificates/uploads/{id}/rows',
    access: 'admin',
    summary: 'The first 1,000 report rows of an upload, failures first.',
    params: idParam,
    reply: z.object({ report: z.array(reportRow) }),
  }),
  report: route({
    method: 'GET',
    path: '/admin/certificates/uploads/{id}/report',
    access: 'admin',
    summary:
      'The whole report as certificate_upload_report.csv. `rows=failed`: the failed rows as they were in the file, ' +
      'with their errors, to be corrected and uploaded again; `rows=conflicts`: only those that an update would accept. Values are stored for the first 2,000 rows only, ' +
      'and the error says so for others.',
    params: idParam,
    query: z.object({
      rows: z
        .enum(['all', 'failed', 'conflicts'], { error: 'Please use all, failed or conflicts.' })
        .default('all'),
    }),
    reply: z.string(),
    media: ['text/csv'],
  }),
}
