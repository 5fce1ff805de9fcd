import {
  type organisationWebhooks,
  REDELIVER_MAX,
  WEBHOOK_LIMIT,
} from '@portal/contract/organisation-webhooks'
import { paginate } from '@portal/contract/shapes'
import { redeliveringMessage, webhookMessages } from '@portal/rules/webhooks'
import type { Tx } from '../db/database.ts'
import { Fault, invalidField } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { runOnceForKey } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { recordChange } from '../logs/record-change.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import { deleteEndpoints, listUndeliveredEvents, skipPending } from '../organisation-events/delivery-store.ts'
import {
  changeEndpoint,
  countEndpoints,
  insertEndpoint,
  listEndpoints,
} from '../organisation-events/endpoint-store.ts'
import type { EndpointRow } from '../organisation-events/event-store.ts'
import { addDeliveries, storeEvent } from '../organisation-events/record-event.ts'
import { ROTATION_PERIOD_MS } from '../organisation-events/schedule.ts'
import { newSecret } from '../organisation-events/signature.ts'
import { seal } from '../sealing.ts'
import { endpointOrFail, parseWebhookUrl } from './endpoint-or-fail.ts'
import { buildQueuedReply } from './event-handlers.ts'
import { toEndpoint } from './replies.ts'

type Domain = typeof organisationWebhooks

/** A call about one endpoint. */
type EndpointCall = Pick<Call<Domain['enable']>, 'user' | 'params' | 'ports' | 'db' | 'address' | 'requestId'>

/** Changes an endpoint that the caller may manage, in one transaction. */
async function changeManaged<T>(
  call: EndpointCall,
  work: (tx: Tx, endpoint: EndpointRow, now: number) => Promise<T>,
): Promise<T> {
  const { user, params, ports, db } = call
  return await db.write(async tx => {
    await memberOrFail(tx, user, params.id, 'manage', { change: true })
    const endpoint = await endpointOrFail(tx, { organisationId: params.id, id: params.whe })
    return await work(tx, endpoint, ports.clock.now())
  })
}

const recordEndpointChange = (
  tx: Tx,
  call: Omit<EndpointCall, 'params' | 'db'> & { params: { id: string } },
  { url, livemode }: Pick<EndpointRow, 'url' | 'livemode'>,
  change: 'added' | 'updated' | 'disabled' | 'enabled' | 'deleted' | 'secret rotated',
) =>
  recordChange(tx, call, {
    activity: `Webhook endpoint ${change}`,
    // Only the host, because the path or the query may contain a token.
    details: `${new URL(url).host} (${livemode ? 'live' : 'test'})`,
    organisationId: call.params.id,
  })

const toLivemode = (mode: 'live' | 'test' | undefined) => (mode === undefined ? undefined : mode === 'live')

async function create(call: Call<Domain['create']>) {
  const { db, user, params, body, ports } = call
  const organisationId = params.id
  await memberOrFail(db.read, user, organisationId, 'manage', { change: true })
  const url = await parseWebhookUrl(ports, body.url)
  const keys = ports.environment.JWT_SECRETS
  const livemode = body.mode === 'live'
  const operation = { scope: `${organisationId}:${body.mode}`, action: 'webhook', secret: true }
  return await runOnceForKey(call, operation, async tx => {
    await memberOrFail(tx, user, organisationId, 'manage', { change: true })
    if ((await countEndpoints(tx, { organisationId, livemode })) >= WEBHOOK_LIMIT)
      throw new Fault('LIMIT_REACHED')
    const at = ports.clock.now()
    const secret = newSecret()
    const sealedSecret = await seal(secret, keys, 'webhook secret')
    const { description, events } = body
    const id = newPrefixedId('whe')
    const endpoint = await insertEndpoint(tx, {
      id,
      organisationId,
      url,
      description,
      livemode,
      events,
      state: 'enabled',
      sealedSecret,
      createdBy: user.id,
      createdAt: at,
    })
    await recordEndpointChange(tx, call, endpoint, 'added')
    const message = webhookMessages.added
    return { message, endpoint: toEndpoint(endpoint, at), secret }
  })
}

async function update(call: Call<Domain['update']>) {
  const { db, user, params, body, ports } = call
  await memberOrFail(db.read, user, params.id, 'manage', { change: true })
  const { url: currentUrl, livemode } = await endpointOrFail(db.read, {
    organisationId: params.id,
    id: params.whe,
  })
  if (body.mode !== undefined && livemode !== toLivemode(body.mode))
    throw invalidField('mode', webhookMessages.fixedMode)
  const url = currentUrl === body.url ? currentUrl : await parseWebhookUrl(ports, body.url)
  const { description, events } = body
  return await changeManaged(call, async (tx, { id }, now) => {
    const endpoint = await changeEndpoint(tx, { id, url, description, events })
    await recordEndpointChange(tx, call, endpoint, 'updated')
    return { message: webhookMessages.updated, endpoint: toEndpoint(endpoint, now) }
  })
}

const setState = (call: EndpointCall, state: EndpointRow['state'], message: string) =>
  changeManaged(call, async (tx, { id, state: before }, now) => {
    if (before === state) throw new Fault('WRONG_STATE')
    const isEnabled = state === 'enabled'
    const endpoint = await changeEndpoint(tx, {
      id,
      state,
      disabledReason: isEnabled ? null : 'by_member',
      ...(isEnabled && { failingSince: null, failingNotifiedAt: null }),
    })
    if (!isEnabled) await skipPending(tx, { endpointId: id })
    await recordEndpointChange(tx, call, endpoint, state)
    return { message, endpoint: toEndpoint(endpoint, now) }
  })

export const organisationWebhookHandlers: HandlersOf<Domain> = {
  list: async ({ db, user, params, query, ports }) => {
    await memberOrFail(db.read, user, params.id, 'manage')
    const { page, per_page: perPage } = query
    const filter = { organisationId: params.id, livemode: toLivemode(query.mode) }
    const rows = await listEndpoints(db.read, { ...filter, limit: perPage, offset: (page - 1) * perPage })
    const now = ports.clock.now()
    return {
      endpoints: rows.map(row => toEndpoint(row, now)),
      pagination: paginate(page, perPage, await countEndpoints(db.read, filter)),
      allows_private: ports.environment.WEBHOOK_ALLOW_PRIVATE,
    }
  },
  create,
  update,
  remove: call =>
    changeManaged(call, async (tx, endpoint, at) => {
      await deleteEndpoints(tx, { ids: [endpoint.id], at })
      await recordEndpointChange(tx, call, endpoint, 'deleted')
      return { message: webhookMessages.deleted }
    }),
  async rotateSecret(call) {
    const secret = newSecret()
    const sealedSecret = await seal(secret, call.ports.environment.JWT_SECRETS, 'webhook secret')
    return await changeManaged(call, async (tx, { id, sealedSecret: previousSecret }, now) => {
      const previousValidUntil = now + ROTATION_PERIOD_MS
      const endpoint = await changeEndpoint(tx, {
        id,
        sealedSecret,
        previousSecret,
        previousUntil: previousValidUntil,
      })
      await recordEndpointChange(tx, call, endpoint, 'secret rotated')
      return { message: webhookMessages.rotated, endpoint: toEndpoint(endpoint, now), secret }
    })
  },
  enable: call => setState(call, 'enabled', webhookMessages.enabled),
  disable: call => setState(call, 'disabled', webhookMessages.disabled),
  ping: call =>
    changeManaged(call, async (tx, endpoint, at) => {
      if (endpoint.state !== 'enabled') throw new Fault('WRONG_STATE')
      const { id, organisationId, livemode, state } = endpoint
      const stored = await storeEvent(tx, {
        organisationId,
        type: 'ping',
        livemode,
        data: { id, status: state },
        dedupeKey: crypto.randomUUID(),
        at,
      })
      if (!stored) throw new Error('an event has disappeared')
      const eventSeqs = [stored.eventSeq]
      const [deliveryId = ''] = await addDeliveries(tx, call.ports, { eventSeqs, endpoints: [endpoint], at })
      return await buildQueuedReply(tx, webhookMessages.pinged, { organisationId, id: stored.id }, deliveryId)
    }),
  redeliverFailed: call =>
    changeManaged(call, async (tx, endpoint, at) => {
      if (endpoint.state !== 'enabled') throw new Fault('WRONG_STATE')
      const since = Date.parse(call.body.since)
      const eventSeqs = await listUndeliveredEvents(tx, { endpoint, since, limit: REDELIVER_MAX })
      const queued = await addDeliveries(tx, call.ports, { eventSeqs, endpoints: [endpoint], at })
      return { message: redeliveringMessage(queued.length), queued_count: queued.length }
    }),
}
