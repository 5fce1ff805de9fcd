import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { deliveredFields, flagFilter, organisationParams, purpose } from './organisation-shapes.ts'
import { route } from './route.ts'
import { choice, idParam, money, pageQuery, pagination, timestamp } from './shapes.ts'

/*
 * Batches: lists of certificate numbers that are verified in the background. The fee is held for each number until it is
 * verified.
 */

export const batchStatuses = ['processing', 'completed', 'cancelled'] as const
export const batchItemStatuses = [
  'pending',
  'verified',
  'already_paid',
  'not_found',
  'invalid',
  'awaiting_consent',
  'refused',
  'expired',
  'cancelled',
] as const
export type BatchItemStatus = (typeof batchItemStatuses)[number]

/** Maximum number of certificates in a batch. */
const BATCH_MAX = 5000

export const batch = z.object({
  id: z.string(),
  name: z.string().nullable(),
  purpose: z.string().nullable(),
  status: z.enum(batchStatuses),
  fee: money.describe('Fee per certificate, fixed when the batch was started.'),
  currency: z.string(),
  total: z.int().describe('Number of distinct certificate numbers.'),
  counts: z.record(z.enum(batchItemStatuses), z.int()),
  held: money.describe('Amount of the balance that is still held for the batch.'),
  waiting_until: timestamp.nullable(),
  requested_by: z.object({ user_id: z.string().nullable(), name: z.string() }).nullable(),
  livemode: z.boolean(),
  created_at: timestamp,
  completed_at: timestamp.nullable(),
})
export type Batch = z.infer<typeof batch>

export const batchItem = z.object({
  certificate_number: z.string(),
  status: z.enum(batchItemStatuses),
  message: z.string().optional(),
  verification_id: z.string().nullable(),
  ...deliveredFields,
})

const batchParams = organisationParams({ bat: z.string().max(64) })
const reply = z.object({ batch })

/** The numbers as entered. An invalid number does not fail the request; its item reports the error. */
const numbers = z
  .array(z.string().max(255), { error: 'Please give a list of certificate numbers.' })
  .min(1, 'Please give at least one certificate number.')
  .max(BATCH_MAX, `Please enter at most ${BATCH_MAX.toLocaleString('en')} certificate numbers.`)

export const batchBody = z.object({
  certificate_numbers: numbers,
  name: field.optionalText(120),
  purpose: purpose(),
})

export const organisationBatches = {
  create: route({
    method: 'POST',
    path: '/organisations/{id}/batches',
    access: 'user',
    summary:
      'Verify up to 5,000 numbers in the background. The fee is held for each distinct valid number that has not been paid for yet. Honours Idempotency-Key.',
    params: idParam,
    bodyLimit: 512 * 1024,
    body: batchBody,
    reply,
    status: 201,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'INSUFFICIENT_BALANCE',
      'LIMIT_REACHED',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
  }),
  list: route({
    method: 'GET',
    path: '/organisations/{id}/batches',
    access: 'user',
    summary: 'Batches, newest first.',
    params: idParam,
    query: z.object({
      status: choice(batchStatuses),
      livemode: flagFilter.describe('`false` for batches of test keys; live ones by default.'),
      ...pageQuery(20),
    }),
    reply: z.object({ batches: z.array(batch), pagination }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  read: route({
    method: 'GET',
    path: '/organisations/{id}/batches/{bat}',
    access: 'user',
    summary: 'Progress of a batch.',
    params: batchParams,
    reply,
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  cancel: route({
    method: 'POST',
    path: '/organisations/{id}/batches/{bat}/cancel',
    access: 'user',
    summary: 'Cancel a running batch: pending items are cancelled and their holds released.',
    params: batchParams,
    reply,
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE', 'ORGANISATION_SUSPENDED'],
  }),
  items: route({
    method: 'GET',
    path: '/organisations/{id}/batches/{bat}/items',
    access: 'user',
    summary: 'The numbers of a batch with their results, in the order in which they were given.',
    params: batchParams,
    query: z.object({ status: choice(batchItemStatuses), ...pageQuery(50) }),
    reply: z.object({ items: z.array(batchItem), pagination }),
    csv: {
      title: 'Batch items',
      file: 'batch',
      columns: [
        'certificate_number',
        'status',
        'message',
        'verification_id',
        'student_name',
        'course',
        'graduation_date',
        'grade',
        'letter_code',
      ],
    },
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  letters: route({
    method: 'GET',
    path: '/organisations/{id}/batches/{bat}/letters.zip',
    access: 'user',
    summary: 'All letters of a batch as PDFs in a ZIP file.',
    params: batchParams,
    reply: z.string(),
    media: ['application/zip'],
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
}
