import type { WebhookEventType, WebhookPayload } from '@portal/contract/organisation-webhooks'
import { afterCommit, type Tx } from '../db/database.ts'
import { newPrefixedId } from '../ids.ts'
import type { Ports } from '../ports.ts'
import { iso } from '../wire.ts'
import { deliverSoon } from './deliver.ts'
import { type EndpointRow, insertDeliveries, insertEvent, listSubscribedEndpoints } from './event-store.ts'

/** Maximum size of an event's body, in bytes. */
const MAX_BODY_BYTES = 64 * 1024

export interface NewEvent {
  organisationId: string
  type: WebhookEventType
  livemode: boolean
  /**
   * What the event is about: the ID under which `/v1` returns the details, its status and, for a verification, its certificate
   * number and reference. Never contains a name, course or grade.
   */
  data: {
    id: string
    status: string
    certificate_number?: string | undefined
    reference?: string | null | undefined
  }
  /** If several events of the same type and mode have the same key, only the first is recorded. */
  dedupeKey: string
  at: number
}

/**
 * Records an event and a delivery for each subscribed endpoint, in the transaction of the change. Deliveries are sent after the
 * commit. For a disabled endpoint, the delivery is stored as skipped, and members can redeliver it later.
 * @param ports if undefined, nothing is sent right after the commit; the scheduler sends the event later
 * @returns the event's ID; undefined if it had already been recorded
 */
export async function recordEvent(
  tx: Tx,
  ports: Ports | undefined,
  event: NewEvent,
): Promise<string | undefined> {
  const stored = await storeEvent(tx, event)
  if (!stored) return undefined
  await addDeliveries(tx, ports, {
    eventSeqs: [stored.eventSeq],
    endpoints: await listSubscribedEndpoints(tx, event),
    at: event.at,
  })
  return stored.id
}

/** Records an event without deliveries. @returns undefined if it had already been recorded */
export async function storeEvent(
  tx: Tx,
  { organisationId, type, livemode, data, dedupeKey, at }: NewEvent,
): Promise<{ id: string; eventSeq: number } | undefined> {
  const { id: resourceId, status, certificate_number, reference } = data
  const payload: WebhookPayload = {
    type,
    timestamp: iso(at),
    livemode,
    data: {
      id: resourceId,
      status,
      ...(certificate_number && { certificate_number }),
      ...(reference && { reference }),
    },
  }
  const body = JSON.stringify(payload)
  if (new TextEncoder().encode(body).length > MAX_BODY_BYTES)
    throw new Error(`an event of type ${type} is too large`)
  const id = newPrefixedId('evt')
  const key = `${organisationId}:${livemode ? 'live' : 'test'}:${type}:${dedupeKey}`
  const eventSeq = await insertEvent(tx, {
    id,
    organisationId,
    type,
    livemode,
    body,
    dedupeKey: key,
    createdAt: at,
  })
  return eventSeq === undefined ? undefined : { id, eventSeq }
}

/**
 * Adds deliveries of events to endpoints, to be sent after the commit. Those to disabled endpoints are stored as skipped.
 * @returns the IDs of the deliveries
 */
export async function addDeliveries(
  tx: Tx,
  ports: Ports | undefined,
  {
    eventSeqs,
    endpoints,
    at,
  }: { eventSeqs: readonly number[]; endpoints: readonly Pick<EndpointRow, 'id' | 'state'>[]; at: number },
): Promise<string[]> {
  const rows = eventSeqs.flatMap(eventSeq =>
    endpoints.map(({ id: endpointId, state }) => ({
      id: newPrefixedId('dlv'),
      eventSeq,
      endpointId,
      status: state === 'enabled' ? ('pending' as const) : ('skipped' as const),
      nextAttemptAt: state === 'enabled' ? at : null,
      createdAt: at,
    })),
  )
  await insertDeliveries(tx, rows)
  if (ports && rows.some(({ status }) => status === 'pending'))
    afterCommit(tx, 'deliveries', () => deliverSoon(ports))
  return rows.map(({ id }) => id)
}
