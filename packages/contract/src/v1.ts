import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { verificationTemplate } from './letter.ts'
import { batch, batchBody, batchItem, batchItemStatuses, batchStatuses } from './organisation-batches.ts'
import {
  balanceFields,
  deliveredFields,
  flagFilter,
  organisationVerification,
  verificationResults,
  verificationSources,
  verificationStatuses,
} from './organisation-shapes.ts'
import { verificationBody } from './organisation-verifications.ts'
import { webhookDelivery, webhookEvent, webhookEventTypes } from './organisation-webhooks.ts'
import { type Route, route } from './route.ts'
import { choice, filter, money, pageQuery, pagination } from './shapes.ts'

/*
 * Routes for API keys. The key determines the organisation and the mode, so paths contain neither. The shapes are those of the
 * routes for members, without people's names. Because third parties call these routes, they may be extended but never changed
 * incompatibly.
 */

/** False for test data, depending on the mode of the key. It is in every response, including errors. */
const livemode = z.boolean().describe('False in test mode.')

const id = z.string().max(64)

/** Who requested the verification, without a name. */
const requestedBy = z
  .object({ user_id: z.string().nullable() })
  .nullable()
  .describe('Null for API keys; the ID is null for members who have left.')

const verification = organisationVerification.extend({ requested_by: requestedBy })
const verificationReply = z.object({
  verification,
  ...deliveredFields,
  verification_template: verificationTemplate.nullable(),
  livemode,
})
const keyBatch = batch.extend({ requested_by: requestedBy })
const batchReply = z.object({ batch: keyBatch, livemode })

/** Error codes that every write can return. */
const writeRefusals = ['ORGANISATION_NOT_VETTED', 'ORGANISATION_SUSPENDED'] as const
const createRefusals = [...writeRefusals, 'IDEMPOTENCY_MISMATCH', 'IDEMPOTENCY_IN_PROGRESS'] as const

export const v1Verifications = {
  create: route({
    method: 'POST',
    path: '/v1/verifications',
    access: 'key',
    summary:
      'Verify a certificate and pay from the balance. A certificate that the organisation has already paid for costs nothing: ' +
      'the existing verification is returned with `already_paid: true`.',
    body: verificationBody,
    reply: z.object({
      verification,
      ...deliveredFields,
      already_paid: z.boolean(),
      balance: money.describe('Available after the call.'),
      hint: z
        .string()
        .optional()
        .describe('Test mode: why the number was not found, if it is not one of the test numbers.'),
      livemode,
    }),
    status: 201,
    refusals: ['INSUFFICIENT_BALANCE', 'LETTER_NOT_PRINTABLE', ...createRefusals],
  }),
  list: route({
    method: 'GET',
    path: '/v1/verifications',
    access: 'key',
    summary:
      'Verifications of the organisation, newest first. `search` is part of a certificate number or reference.',
    query: z.object({
      search: field.searchText().default(''),
      status: choice(verificationStatuses),
      result: choice(verificationResults),
      source: choice(verificationSources),
      date_from: filter(field.date()),
      date_to: filter(field.date()),
      ...pageQuery(20),
    }),
    reply: z.object({ verifications: z.array(verification), pagination, livemode }),
  }),
  read: route({
    method: 'GET',
    path: '/v1/verifications/{ver}',
    access: 'key',
    summary: 'One verification with the certificate and its letter.',
    params: z.object({ ver: id }),
    reply: verificationReply,
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/verifications/{ver}/cancel',
    access: 'key',
    summary: 'Cancel a verification that waits for consent.',
    params: z.object({ ver: id }),
    reply: verificationReply,
    refusals: ['WRONG_STATE', ...writeRefusals],
  }),
}

export const v1Batches = {
  create: route({
    method: 'POST',
    path: '/v1/batches',
    access: 'key',
    summary:
      'Verify up to 5,000 numbers in the background. The fee is held for each distinct valid number that has not been paid for yet.',
    bodyLimit: 512 * 1024,
    body: batchBody,
    reply: batchReply,
    status: 201,
    refusals: ['INSUFFICIENT_BALANCE', 'LIMIT_REACHED', ...createRefusals],
  }),
  list: route({
    method: 'GET',
    path: '/v1/batches',
    access: 'key',
    summary: 'Batches, newest first.',
    query: z.object({ status: choice(batchStatuses), ...pageQuery(20) }),
    reply: z.object({ batches: z.array(keyBatch), pagination, livemode }),
  }),
  read: route({
    method: 'GET',
    path: '/v1/batches/{bat}',
    access: 'key',
    summary: 'Progress of a batch.',
    params: z.object({ bat: id }),
    reply: batchReply,
  }),
  items: route({
    method: 'GET',
    path: '/v1/batches/{bat}/items',
    access: 'key',
    summary: 'The numbers of a batch with their results, in the order in which they were given.',
    params: z.object({ bat: id }),
    query: z.object({ status: choice(batchItemStatuses), ...pageQuery(50) }),
    reply: z.object({ items: z.array(batchItem), pagination, livemode }),
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/batches/{bat}/cancel',
    access: 'key',
    summary: 'Cancel a running batch: pending items are cancelled and their holds released.',
    params: z.object({ bat: id }),
    reply: batchReply,
    refusals: ['WRONG_STATE', ...writeRefusals],
  }),
}

export const v1Balance = {
  read: route({
    method: 'GET',
    path: '/v1/balance',
    access: 'key',
    summary: 'The balance of the organisation. In test mode it is fictitious and never changes.',
    reply: z.object({ ...balanceFields, livemode }),
  }),
}

export const v1Events = {
  list: route({
    method: 'GET',
    path: '/v1/events',
    access: 'key',
    summary: 'Events of the last 30 days in the mode of the key, newest first: what webhooks send.',
    query: z.object({
      type: choice(webhookEventTypes),
      delivered: flagFilter.describe('true: every endpoint accepted it; false: all other events.'),
      ...pageQuery(20),
    }),
    reply: z.object({ events: z.array(webhookEvent), pagination, livemode }),
  }),
  read: route({
    method: 'GET',
    path: '/v1/events/{evt}',
    access: 'key',
    summary: 'An event with its deliveries, newest first.',
    params: z.object({ evt: id }),
    reply: z.object({ event: webhookEvent, deliveries: z.array(webhookDelivery), livemode }),
  }),
}

/**
 * All routes for API keys. They are separate from `routes`, because front ends do not call them and the mocks do not have them;
 * test mode takes the place of mocks.
 */
export const keyRoutes = { v1Verifications, v1Batches, v1Balance, v1Events } satisfies Record<
  string,
  Record<string, Route>
>

export type KeyRoutes = typeof keyRoutes
