import {
  REDELIVER_MAX,
  type organisationWebhooks as routes,
  WEBHOOK_LIMIT,
  type WebhookEndpoint,
} from '@portal/contract/organisation-webhooks'
import { redeliveringMessage, webhookMessages, webhookUrlProblem } from '@portal/rules/webhooks'
import { Fault, invalidField } from './fault.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import { newPrefixedId } from './ids.ts'
import { type Caller, memberOrFail } from './organisation-access.ts'
import { addEvent, deliverTo, eventOf, webhooksOf } from './organisation-event-log.ts'
import { deliverAndReply, endpointOrFail } from './organisation-events.ts'
import { recordActivity } from './organisation-movements.ts'
import type { MockEndpoint, MockOrganisation } from './organisation-types.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'

const DAY = 86_400_000

const endpointOf = ({ secret: _, ...rest }: MockEndpoint): WebhookEndpoint => rest

export const newEndpointSecret = () =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`

/** True to allow endpoints with private addresses; false, as in production. */
const ALLOWS_PRIVATE = false

/** Validates the URL of an endpoint. The IP address is not checked, because the mocks do not resolve host names. */
function parseWebhookUrl(text: string): string {
  const problem = webhookUrlProblem(text, { allowPrivate: ALLOWS_PRIVATE })
  if (problem !== undefined) throw invalidField('url', problem)
  return new URL(text).href
}

interface EndpointCall extends Caller {
  params: { id: string; whe: string }
  now: Date
}

/** Returns the endpoint that a call wants to change, with its organisation. */
function endpointToChangeOrFail(call: EndpointCall): {
  organisation: MockOrganisation
  endpoint: MockEndpoint
} {
  const { organisation } = memberOrFail(call, call.params.id, 'manage', { change: true })
  return { organisation, endpoint: endpointOrFail(organisation, call.params.whe) }
}

function recordEndpointActivity(
  call: Omit<EndpointCall, 'params'>,
  organisation: MockOrganisation,
  url: string,
  change: string,
) {
  const activity = `Webhook endpoint ${change}`
  recordActivity(organisation, {
    user_id: call.user.id,
    activity,
    details: new URL(url).host,
    now: call.now,
  })
}

/** Enables or disables an endpoint. Unlike in the API, there are no pending deliveries to skip. */
function setEndpointState(call: EndpointCall, state: WebhookEndpoint['state']) {
  const { organisation, endpoint } = endpointToChangeOrFail(call)
  if (endpoint.state === state) throw new Fault('WRONG_STATE')
  const disabled_reason = state === 'enabled' ? null : ('by_member' as const)
  Object.assign(endpoint, { state, disabled_reason, ...(state === 'enabled' && { failing_since: null }) })
  recordEndpointActivity(call, organisation, endpoint.url, state)
  return { message: webhookMessages[state], endpoint: endpointOf(endpoint) }
}

export const organisationWebhooks: HandlersOf<typeof routes> = {
  list(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'manage')
    const { mode } = call.query
    const all = webhooksOf(organisation).endpoints.filter(item => mode === undefined || item.mode === mode)
    const { rows, pagination } = paginateRows(all, call.query)
    return { endpoints: rows.map(endpointOf), pagination, allows_private: ALLOWS_PRIVATE }
  },
  create(call) {
    const { body, now } = call
    const { organisation } = memberOrFail(call, call.params.id, 'manage', { change: true })
    const url = parseWebhookUrl(body.url)
    requireValidKey(call)
    const earlierId = findIdByIdempotencyKey(call, JSON.stringify(body))
    const { endpoints } = webhooksOf(organisation)
    const replayed = endpoints.find(item => item.id === earlierId)
    if (replayed)
      return { message: webhookMessages.added, endpoint: endpointOf(replayed), secret: replayed.secret }
    if (endpoints.filter(item => item.mode === body.mode).length >= WEBHOOK_LIMIT)
      throw new Fault('LIMIT_REACHED')
    const { description, events, mode } = body
    const endpoint: MockEndpoint = {
      id: newPrefixedId('whe'),
      url,
      description,
      mode,
      livemode: mode === 'live',
      events,
      state: 'enabled',
      disabled_reason: null,
      failing_since: null,
      last_success_at: null,
      previous_secret_expires_at: null,
      created_at: now.toISOString(),
      secret: newEndpointSecret(),
    }
    endpoints.unshift(endpoint)
    storeIdempotencyKey(call, JSON.stringify(body), endpoint.id)
    recordEndpointActivity(call, organisation, url, 'added')
    return { message: webhookMessages.added, endpoint: endpointOf(endpoint), secret: endpoint.secret }
  },
  update(call) {
    const { organisation, endpoint } = endpointToChangeOrFail(call)
    const { description, events, mode = endpoint.mode } = call.body
    if (mode !== endpoint.mode) throw invalidField('mode', webhookMessages.fixedMode)
    Object.assign(endpoint, { url: parseWebhookUrl(call.body.url), description, events })
    recordEndpointActivity(call, organisation, endpoint.url, 'updated')
    return { message: webhookMessages.updated, endpoint: endpointOf(endpoint) }
  },
  remove(call) {
    const { organisation, endpoint } = endpointToChangeOrFail(call)
    const webhooks = webhooksOf(organisation)
    webhooks.endpoints = webhooks.endpoints.filter(item => item !== endpoint)
    recordEndpointActivity(call, organisation, endpoint.url, 'deleted')
    return { message: webhookMessages.deleted }
  },
  rotateSecret(call) {
    const { organisation, endpoint } = endpointToChangeOrFail(call)
    const previous_secret_expires_at = new Date(call.now.getTime() + DAY).toISOString()
    Object.assign(endpoint, { secret: newEndpointSecret(), previous_secret_expires_at })
    recordEndpointActivity(call, organisation, endpoint.url, 'secret rotated')
    return { message: webhookMessages.rotated, endpoint: endpointOf(endpoint), secret: endpoint.secret }
  },
  enable: call => setEndpointState(call, 'enabled'),
  disable: call => setEndpointState(call, 'disabled'),
  ping(call) {
    const { organisation, endpoint } = endpointToChangeOrFail(call)
    if (endpoint.state !== 'enabled') throw new Fault('WRONG_STATE')
    const { id, state: status, livemode } = endpoint
    const event = addEvent(organisation, { type: 'ping', livemode, data: { id, status }, now: call.now })
    return deliverAndReply(organisation, webhookMessages.pinged, event, endpoint, call.now)
  },
  redeliverFailed(call) {
    const { organisation, endpoint } = endpointToChangeOrFail(call)
    if (endpoint.state !== 'enabled') throw new Fault('WRONG_STATE')
    const since = Date.parse(call.body.since)
    const { events, deliveries } = webhooksOf(organisation)
    const failed = events
      .filter(item => Date.parse(item.created_at) >= since)
      .filter(item => deliveries.some(d => d.event_id === item.id && d.endpoint_id === endpoint.id))
      .filter(item => !eventOf(organisation, item).delivered)
      .slice(-REDELIVER_MAX)
    for (const event of failed) deliverTo(organisation, event, [endpoint], call.now)
    return { message: redeliveringMessage(failed.length), queued_count: failed.length }
  },
}
