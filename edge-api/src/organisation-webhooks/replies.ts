import {
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
  webhookPayload,
} from '@portal/contract/organisation-webhooks'
import type { DeliveryView } from '../organisation-events/delivery-store.ts'
import type { EventView } from '../organisation-events/endpoint-store.ts'
import type { EndpointRow } from '../organisation-events/event-store.ts'
import { iso, isoOrNull } from '../wire.ts'

export const toEndpoint = (row: EndpointRow, now: number): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  description: row.description,
  mode: row.livemode ? 'live' : 'test',
  livemode: row.livemode,
  events: row.events,
  state: row.state,
  disabled_reason: row.disabledReason,
  failing_since: isoOrNull(row.failingSince),
  last_success_at: isoOrNull(row.lastSuccessAt),
  previous_secret_expires_at: isoOrNull((row.previousUntil ?? 0) > now ? row.previousUntil : null),
  created_at: iso(row.createdAt),
})

export const toEvent = ({ event, delivered, endpoints }: EventView): WebhookEvent => ({
  id: event.id,
  ...webhookPayload.parse(JSON.parse(event.body)),
  delivered,
  endpoints,
  created_at: iso(event.createdAt),
})

export const toDelivery = ({ delivery, eventId, url }: DeliveryView): WebhookDelivery => ({
  id: delivery.id,
  event_id: eventId,
  endpoint_id: delivery.endpointId,
  url,
  attempt: delivery.attempts,
  status: delivery.status,
  http_status: delivery.httpStatus,
  duration_ms: delivery.durationMs,
  error: delivery.error,
  response: delivery.response,
  last_attempt_at: isoOrNull(delivery.lastAttemptAt),
  next_attempt_at: isoOrNull(delivery.nextAttemptAt),
  created_at: iso(delivery.createdAt),
})
