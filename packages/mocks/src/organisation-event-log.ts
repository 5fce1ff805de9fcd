import type { WebhookDelivery, WebhookEvent, WebhookPayload } from '@portal/contract/organisation-webhooks'
import { newPrefixedId } from './ids.ts'
import type { MockEndpoint, MockEvent, MockOrganisation, MockWebhooks } from './organisation-types.ts'

export function webhooksOf(organisation: MockOrganisation): MockWebhooks {
  organisation.webhooks ??= { endpoints: [], events: [], deliveries: [] }
  return organisation.webhooks
}

/**
 * Creates the deliveries of an event to endpoints. Those to disabled endpoints are skipped; all others count as delivered,
 * because the mocks do not send anything.
 */
export function deliverTo(
  organisation: MockOrganisation,
  event: Pick<WebhookEvent, 'id'>,
  endpoints: readonly MockEndpoint[],
  now: Date,
): WebhookDelivery[] {
  const at = now.toISOString()
  const { deliveries } = webhooksOf(organisation)
  return endpoints.map(({ id, url, state }) => {
    const isEnabled = state === 'enabled'
    const queued: WebhookDelivery = {
      id: newPrefixedId('dlv'),
      event_id: event.id,
      endpoint_id: id,
      url,
      attempt: 0,
      status: isEnabled ? 'pending' : 'skipped',
      http_status: null,
      duration_ms: null,
      error: null,
      response: null,
      last_attempt_at: null,
      next_attempt_at: isEnabled ? at : null,
      created_at: at,
    }
    const outcome = { attempt: 1, status: 'delivered', http_status: 204, duration_ms: 120 } as const
    const delivered = { ...outcome, response: '', last_attempt_at: at, next_attempt_at: null }
    deliveries.unshift(isEnabled ? { ...queued, ...delivered } : queued)
    return queued
  })
}

/** Records an event, and delivers it to the endpoints that subscribe to its type. */
export function recordEvent(
  organisation: MockOrganisation,
  { type, data, now }: Pick<WebhookPayload, 'type' | 'data'> & { now: Date },
): void {
  const event = addEvent(organisation, { type, data, livemode: true, now })
  const subscribedEndpoints = webhooksOf(organisation).endpoints.filter(
    item => item.livemode && item.events.includes(type),
  )
  deliverTo(organisation, event, subscribedEndpoints, now)
}

export function addEvent(
  organisation: MockOrganisation,
  { now, ...payload }: Omit<WebhookPayload, 'timestamp'> & { now: Date },
): MockEvent {
  const at = now.toISOString()
  const event = { id: newPrefixedId('evt'), ...payload, timestamp: at, created_at: at }
  webhooksOf(organisation).events.unshift(event)
  return event
}

export function eventOf(organisation: MockOrganisation, event: MockEvent): WebhookEvent {
  const deliveries = webhooksOf(organisation).deliveries.filter(delivery => delivery.event_id === event.id)
  const deliveredTo = new Set(
    deliveries.filter(item => item.status === 'delivered').map(item => item.endpoint_id),
  )
  return {
    ...event,
    delivered: deliveries.length > 0 && deliveries.every(item => deliveredTo.has(item.endpoint_id)),
    endpoints: new Set(deliveries.map(item => item.endpoint_id)).size,
  }
}
