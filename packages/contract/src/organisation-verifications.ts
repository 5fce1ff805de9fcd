import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { verificationTemplate } from './letter.ts'
import {
  deliveredFields,
  flagFilter,
  organisationParams,
  organisationVerification,
  purpose,
  reference,
  verificationResults,
  verificationSources,
  verificationStatuses,
} from './organisation-shapes.ts'
import { route } from './route.ts'
import { choice, filter, idParam, money, pageQuery, pagination } from './shapes.ts'

/* Verifications that are paid from an organisation's balance. */

const verification = organisationVerification
const verificationReply = z.object({
  verification,
  ...deliveredFields,
  verification_template: verificationTemplate.nullable(),
})
const verificationParams = organisationParams({ ver: z.string().max(64) })

export const verificationBody = z.object({
  certificate_number: field.certificateNumber(),
  reference: reference(),
  purpose: purpose(),
})

export const organisationVerifications = {
  create: route({
    method: 'POST',
    path: '/organisations/{id}/verifications',
    access: 'user',
    summary:
      'Verify a certificate and pay from the balance. A certificate that the organisation has already paid for costs nothing: ' +
      'the existing verification is returned with `already_paid: true`. Honours Idempotency-Key.',
    params: idParam,
    body: verificationBody,
    reply: z.object({
      verification,
      ...deliveredFields,
      already_paid: z.boolean(),
      balance: money.describe('Available balance after the call.'),
    }),
    status: 201,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'INSUFFICIENT_BALANCE',
      'LETTER_NOT_PRINTABLE',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
  }),
  list: route({
    method: 'GET',
    path: '/organisations/{id}/verifications',
    access: 'user',
    summary: 'The shared history, newest first. `search` is part of a certificate number or reference.',
    params: idParam,
    query: z.object({
      search: field.searchText().default(''),
      status: choice(verificationStatuses),
      result: choice(verificationResults),
      source: choice(verificationSources),
      requested_by: filter(z.string().max(64)).describe('ID of the account.'),
      date_from: filter(field.date()),
      date_to: filter(field.date()),
      livemode: flagFilter.describe('`false` for verifications by test keys; live ones by default.'),
      ...pageQuery(20),
    }),
    reply: z.object({ verifications: z.array(verification), pagination }),
    csv: {
      title: 'Organisation verifications',
      file: 'verifications',
      money: ['amount'],
      columns: [
        'id',
        'certificate_number',
        'reference',
        'purpose',
        'status',
        'result',
        'amount',
        'currency',
        'transaction_id',
        'batch_id',
        'requested_by',
        'source',
        'created_at',
        'completed_at',
      ],
    },
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  read: route({
    method: 'GET',
    path: '/organisations/{id}/verifications/{ver}',
    access: 'user',
    summary: 'One verification with the certificate and its letter.',
    params: verificationParams,
    reply: verificationReply,
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  cancel: route({
    method: 'POST',
    path: '/organisations/{id}/verifications/{ver}/cancel',
    access: 'user',
    summary: 'Cancel a verification that waits for consent.',
    params: verificationParams,
    reply: verificationReply,
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE', 'ORGANISATION_SUSPENDED'],
  }),
}
