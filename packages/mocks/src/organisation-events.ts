import type { organisationEvents as routes } from '@portal/contract/organisation-webhooks'
import { webhookMessages } from '@portal/rules/webhooks'
import { Fault, invalidField } from './fault.ts'
import { memberOrFail } from './organisation-access.ts'
import { deliverTo, eventOf, webhooksOf } from './organisation-event-log.ts'
import type { MockEndpoint, MockEvent, MockOrganisation } from './organisation-types.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'

function eventOrFail(organisation: MockOrganisation, id: string) {
  const found = webhooksOf(organisation).events.find(event => event.id === id)
  if (!found) throw new Fault('NOT_FOUND', undefined, webhookMessages.noEvent)
  return found
}

export function endpointOrFail(organisation: MockOrganisation, id: string): MockEndpoint {
  const found = webhooksOf(organisation).endpoints.find(endpoint => endpoint.id === id)
  if (!found) throw new Fault('NOT_FOUND', undefined, webhookMessages.noEndpoint)
  return found
}

/** Queues an event for delivery to an endpoint, and returns the reply with both. */
export function deliverAndReply(
  organisation: MockOrganisation,
  message: string,
  event: MockEvent,
  endpoint: MockEndpoint,
  now: Date,
) {
  const [delivery] = deliverTo(organisation, event, [endpoint], now)
  if (!delivery) throw new Error('an endpoint without a delivery')
  return { message, event: { ...eventOf(organisation, event), delivered: false }, delivery }
}

export const organisationEvents: HandlersOf<typeof routes> = {
  list(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'manage')
    const { type, delivered, livemode } = call.query
    const found = webhooksOf(organisation)
      .events.map(item => eventOf(organisation, item))
      .filter(item => type === undefined || item.type === type)
      .filter(item => livemode === undefined || item.livemode === livemode)
      .filter(item => delivered === undefined || item.delivered === delivered)
    const { rows, pagination } = paginateRows(found, call.query)
    return { events: rows, pagination }
  },
  read(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'manage')
    const event = eventOrFail(organisation, call.params.evt)
    const deliveries = webhooksOf(organisation).deliveries.filter(delivery => delivery.event_id === event.id)
    return { event: eventOf(organisation, event), deliveries }
  },
  redeliver(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'manage', { change: true })
    const event = eventOrFail(organisation, call.params.evt)
    const endpoint = endpointOrFail(organisation, call.body.endpoint_id)
    if (endpoint.livemode !== event.livemode) throw invalidField('endpoint_id', webhookMessages.otherMode)
    if (endpoint.state !== 'enabled') throw new Fault('WRONG_STATE')
    const { delivered } = eventOf(organisation, event)
    const reply = deliverAndReply(organisation, webhookMessages.redelivering, event, endpoint, call.now)
    return { ...reply, event: { ...reply.event, delivered } }
  },
}
