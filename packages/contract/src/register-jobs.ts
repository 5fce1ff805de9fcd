import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { fieldChange } from './history.ts'
import { registerFilters } from './register-filters.ts'
import { route } from './route.ts'
import { choice, idParam, pageQuery, pagination, timestamp } from './shapes.ts'

/* Background jobs that change many certificates. */

export const registerJobKinds = [
  'bulk_edit',
  'bulk_delete',
  'bulk_restore',
  'upload_revert',
  'job_revert',
] as const
export type RegisterJobKind = (typeof registerJobKinds)[number]

export const registerJobStates = ['queued', 'running', 'done', 'cancelled', 'failed'] as const
export type RegisterJobState = (typeof registerJobStates)[number]

/** Maximum number of certificates that a job of each kind can select. */
export const JOB_LIMITS = { bulk_edit: 100_000, bulk_delete: 10_000, bulk_restore: 10_000 } as const

/** Maximum number of IDs in a selection by ID. */
const MAX_IDS = 1000

/** Maximum number of certificates in a preview's sample. */
export const SAMPLE_ROWS = 10

/** Fields that a bulk edit can set; number, name and matric number are edited one by one. */
export const bulkFields = ['course', 'department', 'grade', 'graduation_date'] as const

const bulkSet = z
  .strictObject({
    course: field.printedText('Course').optional(),
    department: field.printedText('Department').optional(),
    grade: field.printedText('Grade', 100).optional(),
    graduation_date: field.graduationDate().optional(),
  })
  .refine(set => Object.values(set).some(value => value !== undefined), {
    error: 'Please set at least one field.',
  })

const selection = z.union(
  [
    z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(MAX_IDS) }),
    // Accepts all query parameters of the list of certificates. Unknown filters are refused, because ignoring one would select
    // every certificate.
    z.strictObject({
      filter: z.strictObject({
        ...registerFilters,
        sort: z.unknown().optional(),
        page: z.unknown().optional(),
        per_page: z.unknown().optional(),
      }),
    }),
  ],
  { error: `Please give {ids}, 1 to ${MAX_IDS.toLocaleString('en')} of them, or {filter}.` },
)

const jobFields = {
  kind: z.enum(registerJobKinds, { error: `Please choose one of ${registerJobKinds.join(', ')}.` }),
  /** The certificates to change, delete or restore. */
  selection: selection.optional(),
  /** New values of a bulk edit. */
  set: bulkSet.optional(),
  /** The upload or job to revert. */
  upload_id: z.string().max(64).optional(),
  job_id: z.string().max(64).optional(),
}

interface JobInput {
  kind: RegisterJobKind
  selection?: unknown
  set?: unknown
  upload_id?: string | undefined
  job_id?: string | undefined
}

type KindField = 'selection' | 'set' | 'upload_id' | 'job_id'

/** The fields that each kind requires in addition to the reason. */
const fieldsOfKind: Record<RegisterJobKind, readonly KindField[]> = {
  bulk_edit: ['selection', 'set'],
  bulk_delete: ['selection'],
  bulk_restore: ['selection'],
  upload_revert: ['upload_id'],
  job_revert: ['job_id'],
}

function requireFieldsOfKind(input: JobInput, ctx: z.RefinementCtx): void {
  const expected = fieldsOfKind[input.kind]
  for (const name of ['selection', 'set', 'upload_id', 'job_id'] as const) {
    const isPresent = input[name] !== undefined
    if (isPresent === expected.includes(name)) continue
    const message = isPresent ? `A ${input.kind} has no ${name}.` : 'This field is required.'
    ctx.addIssue({ code: 'custom', path: [name], message })
  }
}

const previewBody = z
  .object({ ...jobFields, reason: field.optionalText(200) })
  .superRefine(requireFieldsOfKind)

const jobBody = z
  .object({
    ...jobFields,
    reason: field.requiredText('Reason is required', 200),
    expected_count: z
      .int()
      .min(0)
      .optional()
      .describe('The `count` of the preview; required with a selection.'),
    current_password: z.string().max(1000).optional().describe('Required for deletions and reverts.'),
  })
  .superRefine((input, ctx) => {
    requireFieldsOfKind(input, ctx)
    const requireField = (name: 'expected_count' | 'current_password') => {
      if (input[name] === undefined || input[name] === '')
        ctx.addIssue({ code: 'custom', path: [name], message: 'This field is required.' })
    }
    if (input.selection !== undefined) requireField('expected_count')
    if (input.kind !== 'bulk_edit' && input.kind !== 'bulk_restore') requireField('current_password')
  })

export const registerJob = z.object({
  id: z.string(),
  kind: z.enum(registerJobKinds),
  state: z.enum(registerJobStates),
  /** The author's email address; `Erased account` if the account has been erased. */
  author_email: z.string().nullable(),
  reason: z.string(),
  /** New values of a bulk edit; null for other kinds. */
  set: z.partialRecord(z.enum(bulkFields), z.string()).nullable(),
  /** The reverted upload with its file name; null for other kinds. */
  upload: z.object({ id: z.string(), filename: z.string() }).nullable(),
  /** The reverted job; null for other kinds. */
  job_id: z.string().nullable(),
  total: z.int(),
  processed: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  /** The reason why a `failed` job ended. */
  error: z.string().nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  revertible: z.boolean(),
  reverted_by: z.string().nullable(),
  reverted_at: timestamp.nullable(),
})
export type RegisterJob = z.infer<typeof registerJob>

/** Result of each row of a job. */
export const jobRowStatuses = ['changed', 'unchanged', 'skipped'] as const

export const jobPreview = z.object({
  /** Number of matching certificates; pass it as `expected_count`. */
  count: z.int(),
  to_change: z.int(),
  unchanged: z.int(),
  /** How many certificates the job would skip. */
  skipped: z.int(),
  letters_affected: z.int().describe('Valid letters that the job makes out of date, withdraws or restores.'),
  letters_withdrawn: z.int().describe('How many of these it withdraws.'),
  /** For reverts only: how many certificates would be deleted, and how many restored. */
  to_delete: z.int(),
  to_restore: z.int(),
  sample: z.array(
    z.object({
      id: z.string(),
      certificate_number: z.string(),
      student_name: z.string(),
      changes: z.array(fieldChange),
    }),
  ),
})
export type JobPreview = z.infer<typeof jobPreview>

export const registerJobs = {
  preview: route({
    method: 'POST',
    path: '/admin/register-jobs/preview',
    access: 'admin',
    summary: 'What a job would change, with a sample of 10 rows. Changes nothing.',
    body: previewBody,
    reply: jobPreview,
    refusals: ['ALREADY_REVERTED', 'NOT_REVERTIBLE'],
  }),
  create: route({
    method: 'POST',
    path: '/admin/register-jobs',
    access: 'admin',
    summary:
      'Change, delete or restore many certificates in the background, or revert an upload or a job. One job runs at a time; ' +
      'others wait. Deletions are for super admins. Honours Idempotency-Key.',
    body: jobBody,
    reply: z.object({ message: z.string(), job: registerJob }),
    status: 201,
    refusals: [
      'COUNT_CHANGED',
      'ALREADY_REVERTED',
      'NOT_REVERTIBLE',
      'INVALID_CURRENT_PASSWORD',
      'IDEMPOTENCY_MISMATCH',
    ],
  }),
  list: route({
    method: 'GET',
    path: '/admin/register-jobs',
    access: 'admin',
    summary: 'Jobs, newest first.',
    query: z.object({ kind: choice(registerJobKinds), state: choice(registerJobStates), ...pageQuery(20) }),
    reply: z.object({ jobs: z.array(registerJob), pagination }),
  }),
  read: route({
    method: 'GET',
    path: '/admin/register-jobs/{id}',
    access: 'admin',
    summary: 'Status and progress of a job.',
    params: idParam,
    reply: z.object({ job: registerJob }),
  }),
  cancel: route({
    method: 'DELETE',
    path: '/admin/register-jobs/{id}',
    access: 'admin',
    summary: 'Cancel a job. Certificates changed so far stay changed.',
    params: idParam,
    reply: z.object({ message: z.string(), job: registerJob }),
  }),
  report: route({
    method: 'GET',
    path: '/admin/register-jobs/{id}/report',
    access: 'admin',
    summary: 'The result for each certificate of a job, as CSV; kept for one year.',
    params: idParam,
    reply: z.string(),
    media: ['text/csv'],
  }),
}
