import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { flagFilter, organisationParams } from './organisation-shapes.ts'
import { route } from './route.ts'
import { choice, idParam, pageQuery, pagination, timestamp } from './shapes.ts'

/* Events of an organisation and the endpoints to which they are sent (Standard Webhooks 1.0.0). */

/** Types of events. `ping` is sent only on request. */
export const webhookEventTypes = [
  'verification.completed',
  'verification.awaiting_consent',
  'verification.refused',
  'verification.expired',
  'batch.completed',
  'research.updated',
  'research.closed',
  'letter.status_changed',
  'balance.credited',
  'balance.low',
  'ping',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** Types for features of a later version: endpoints can subscribe to them, but nothing sends such events yet. */
const reserved: readonly WebhookEventType[] = ['verification.expired', 'research.updated', 'research.closed']
/** Types of which events are sent. */
export const sentEventTypes = webhookEventTypes.filter(type => !reserved.includes(type))

export const webhookModes = ['live', 'test'] as const
export const webhookStates = ['enabled', 'disabled'] as const
export const webhookDisabledReasons = ['by_member', 'gone', 'failing'] as const
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const

/** Maximum number of endpoints that an organisation can have in each mode. */
export const WEBHOOK_LIMIT = 5
/** Maximum number of deliveries that one call of `redeliver-failed` can queue. */
export const REDELIVER_MAX = 1000

export const webhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  mode: z.enum(webhookModes),
  livemode: z.boolean(),
  events: z.array(z.enum(webhookEventTypes)),
  state: z.enum(webhookStates),
  disabled_reason: z.enum(webhookDisabledReasons).nullable(),
  failing_since: timestamp.nullable().describe('First failure since the last successful delivery.'),
  last_success_at: timestamp.nullable(),
  previous_secret_expires_at: timestamp
    .nullable()
    .describe('Until then, deliveries are also signed with the previous secret.'),
  created_at: timestamp,
})
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

/** The payload that a receiver gets, byte for byte. It contains no names, courses or grades. */
export const webhookPayload = z.object({
  type: z.enum(webhookEventTypes),
  timestamp,
  livemode: z.boolean(),
  data: z.object({
    id: z.string(),
    status: z.string(),
    certificate_number: z.string().optional(),
    reference: z.string().optional(),
  }),
})
export type WebhookPayload = z.infer<typeof webhookPayload>

export const webhookEvent = webhookPayload.extend({
  id: z.string(),
  delivered: z.boolean().describe('True if there was at least one endpoint and all of them accepted it.'),
  endpoints: z
    .int()
    .describe('Endpoints that subscribed to the event when it happened, or that it was redelivered to.'),
  created_at: timestamp,
})
export type WebhookEvent = z.infer<typeof webhookEvent>

export const webhookDelivery = z.object({
  id: z.string(),
  event_id: z.string(),
  endpoint_id: z.string(),
  url: z.string(),
  attempt: z.int().describe('Attempts made so far.'),
  status: z.enum(deliveryStatuses),
  http_status: z.int().nullable().describe('HTTP status of the last attempt; null without a response.'),
  duration_ms: z.int().nullable(),
  error: z.string().nullable(),
  response: z.string().nullable().describe('First 1 kB of the last response.'),
  last_attempt_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable(),
  created_at: timestamp,
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

const endpointFields = {
  url: field.requiredText('URL is required', 500),
  description: field.optionalText(200),
  events: z
    .array(z.enum(webhookEventTypes, { error: 'Please choose event types from the list.' }), {
      error: 'Please choose the events to send.',
    })
    .min(1, 'Please choose at least one event.')
    .transform(types => webhookEventTypes.filter(type => types.includes(type)))
    .describe('`verification.expired` and `research.*` are reserved: accepted, but not sent yet.'),
}
const mode = z.enum(webhookModes, { error: 'Please choose live or test.' })

const endpointParams = organisationParams({ whe: z.string().max(64) })
const eventParams = organisationParams({ evt: z.string().max(64) })
const endpointReply = z.object({ message: z.string(), endpoint: webhookEndpoint })
const endpointWithSecret = z.object({
  message: z.string(),
  endpoint: webhookEndpoint,
  secret: z.string().describe('Shown once: `whsec_` and 32 random bytes in base64.'),
})
const deliveryReply = z.object({ message: z.string(), event: webhookEvent, delivery: webhookDelivery })

const changeRefusals = ['ORGANISATION_NOT_FOUND', 'ORGANISATION_SUSPENDED', 'WRONG_STATE'] as const

export const organisationWebhooks = {
  list: route({
    method: 'GET',
    path: '/organisations/{id}/webhooks',
    access: 'user',
    summary: 'Webhook endpoints, newest first. For owners and managers.',
    params: idParam,
    query: z.object({ mode: choice(webhookModes), ...pageQuery(20) }),
    reply: z.object({
      endpoints: z.array(webhookEndpoint),
      pagination,
      allows_private: z
        .boolean()
        .describe('True if `http` and private addresses are accepted, for tests on one machine.'),
    }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  create: route({
    method: 'POST',
    path: '/organisations/{id}/webhooks',
    access: 'user',
    summary: 'Add a webhook endpoint, at most 5 per mode. The secret is shown once. Honours Idempotency-Key.',
    params: idParam,
    body: z.object({ ...endpointFields, mode }),
    reply: endpointWithSecret,
    status: 201,
    refusals: [...changeRefusals, 'LIMIT_REACHED', 'IDEMPOTENCY_MISMATCH', 'IDEMPOTENCY_IN_PROGRESS'],
  }),
  update: route({
    method: 'PUT',
    path: '/organisations/{id}/webhooks/{whe}',
    access: 'user',
    summary: 'Change the address, description or events of an endpoint. Its mode cannot be changed.',
    params: endpointParams,
    body: z.object({ ...endpointFields, mode: mode.optional() }),
    reply: endpointReply,
    refusals: changeRefusals,
  }),
  remove: route({
    method: 'DELETE',
    path: '/organisations/{id}/webhooks/{whe}',
    access: 'user',
    summary: 'Delete an endpoint. Waiting deliveries are skipped.',
    params: endpointParams,
    reply: z.object({ message: z.string() }),
    refusals: changeRefusals,
  }),
  rotateSecret: route({
    method: 'POST',
    path: '/organisations/{id}/webhooks/{whe}/rotate-secret',
    access: 'user',
    summary:
      'Create a new secret, shown once. For 24 hours, deliveries are also signed with the previous one.',
    params: endpointParams,
    reply: endpointWithSecret,
    refusals: changeRefusals,
  }),
  enable: route({
    method: 'POST',
    path: '/organisations/{id}/webhooks/{whe}/enable',
    access: 'user',
    summary: 'Enable a disabled endpoint. Events from before are not sent automatically.',
    params: endpointParams,
    reply: endpointReply,
    refusals: changeRefusals,
  }),
  disable: route({
    method: 'POST',
    path: '/organisations/{id}/webhooks/{whe}/disable',
    access: 'user',
    summary: 'Disable an endpoint. Waiting deliveries are skipped.',
    params: endpointParams,
    reply: endpointReply,
    refusals: changeRefusals,
  }),
  ping: route({
    method: 'POST',
    path: '/organisations/{id}/webhooks/{whe}/ping',
    access: 'user',
    summary: 'Send a `ping` to an enabled endpoint, even if it is not subscribed to pings.',
    params: endpointParams,
    reply: deliveryReply,
    refusals: changeRefusals,
  }),
  redeliverFailed: route({
    method: 'POST',
    path: '/organisations/{id}/webhooks/{whe}/redeliver-failed',
    access: 'user',
    summary: 'Resend events that an endpoint has not accepted since a given time, at most 1,000.',
    params: endpointParams,
    body: z.object({
      since: z.iso
        .datetime({ offset: true, error: 'Please enter a time such as 2026-05-01T00:00:00Z.' })
        .describe('Only events from this time on.'),
    }),
    reply: z.object({ message: z.string(), queued_count: z.int() }),
    refusals: changeRefusals,
  }),
}

export const organisationEvents = {
  list: route({
    method: 'GET',
    path: '/organisations/{id}/events',
    access: 'user',
    summary: 'Events of the last 30 days, newest first. For owners and managers.',
    params: idParam,
    query: z.object({
      type: choice(webhookEventTypes),
      delivered: flagFilter.describe(
        'true: events accepted by all their endpoints; false: all other events.',
      ),
      livemode: flagFilter,
      ...pageQuery(20),
    }),
    reply: z.object({ events: z.array(webhookEvent), pagination }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  read: route({
    method: 'GET',
    path: '/organisations/{id}/events/{evt}',
    access: 'user',
    summary: 'An event with its deliveries, newest first.',
    params: eventParams,
    reply: z.object({ event: webhookEvent, deliveries: z.array(webhookDelivery) }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  redeliver: route({
    method: 'POST',
    path: '/organisations/{id}/events/{evt}/redeliver',
    access: 'user',
    summary: 'Resend an event to an enabled endpoint, under the same webhook-id.',
    params: eventParams,
    body: z.object({ endpoint_id: z.string().max(64) }),
    reply: deliveryReply,
    refusals: changeRefusals,
  }),
}
