import type { organisationEvents } from '@portal/contract/organisation-webhooks'
import { paginate } from '@portal/contract/shapes'
import { webhookMessages } from '@portal/rules/webhooks'
import type { Reader, Tx } from '../db/database.ts'
import { Fault, invalidField } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import { findDelivery, listDeliveriesOf, makeDeliveryDue } from '../organisation-events/delivery-store.ts'
import { type EventView, findEvent, listEvents } from '../organisation-events/endpoint-store.ts'
import { addDeliveries } from '../organisation-events/record-event.ts'
import { endpointOrFail } from './endpoint-or-fail.ts'
import { toDelivery, toEvent } from './replies.ts'

type Domain = typeof organisationEvents

/** Finds an event of the organisation. @throws Fault `NOT_FOUND` */
async function eventOrFail(
  db: Reader,
  key: { organisationId: string; id: string; livemode?: boolean },
): Promise<EventView> {
  const found = await findEvent(db, key)
  if (!found) throw new Fault('NOT_FOUND', { message: webhookMessages.noEvent })
  return found
}

/** Returns the reply about an event that was just queued, with its delivery. */
export async function buildQueuedReply(
  tx: Tx,
  message: string,
  key: { organisationId: string; id: string },
  deliveryId: string,
) {
  const delivery = await findDelivery(tx, { id: deliveryId })
  if (!delivery) throw new Error('a delivery has disappeared')
  return { message, event: toEvent(await eventOrFail(tx, key)), delivery: toDelivery(delivery) }
}

/** Returns the reply that lists an organisation's events. An API key gets only those of its mode. */
export async function buildEventListReply(
  db: Reader,
  organisationId: string,
  query: Call<Domain['list']>['query'],
) {
  const { page, per_page: perPage, type, delivered, livemode } = query
  const range = { limit: perPage, offset: (page - 1) * perPage }
  const { rows, total } = await listEvents(db, { organisationId, type, delivered, livemode, ...range })
  return { events: rows.map(toEvent), pagination: paginate(page, perPage, total) }
}

/** Returns the reply about an event and its deliveries. @throws Fault `NOT_FOUND` */
export async function buildEventReply(
  db: Reader,
  key: { organisationId: string; id: string; livemode?: boolean },
) {
  const found = await eventOrFail(db, key)
  const deliveries = await listDeliveriesOf(db, { eventSeq: found.event.seq })
  return { event: toEvent(found), deliveries: deliveries.map(toDelivery) }
}

async function redeliver(call: Call<Domain['redeliver']>) {
  const { user, params, body, ports, db } = call
  return await db.write(async tx => {
    await memberOrFail(tx, user, params.id, 'manage', { change: true })
    const key = { organisationId: params.id, id: params.evt }
    const found = await eventOrFail(tx, key)
    const endpoint = await endpointOrFail(tx, { organisationId: params.id, id: body.endpoint_id })
    if (endpoint.livemode !== found.event.livemode)
      throw invalidField('endpoint_id', webhookMessages.otherMode)
    if (endpoint.state !== 'enabled') throw new Fault('WRONG_STATE')
    const at = ports.clock.now()
    const { seq: eventSeq } = found.event
    const pendingDeliveryId = await makeDeliveryDue(tx, { eventSeq, endpointId: endpoint.id, now: at })
    const newDeliveryIds = await addDeliveries(tx, ports, {
      eventSeqs: pendingDeliveryId === undefined ? [eventSeq] : [],
      endpoints: [endpoint],
      at,
    })
    return await buildQueuedReply(
      tx,
      webhookMessages.redelivering,
      key,
      pendingDeliveryId ?? newDeliveryIds[0] ?? '',
    )
  })
}

export const organisationEventHandlers: HandlersOf<Domain> = {
  list: async ({ db, user, params, query }) => {
    await memberOrFail(db.read, user, params.id, 'manage')
    return await buildEventListReply(db.read, params.id, query)
  },
  read: async ({ db, user, params }) => {
    await memberOrFail(db.read, user, params.id, 'manage')
    return await buildEventReply(db.read, { organisationId: params.id, id: params.evt })
  },
  redeliver,
}
