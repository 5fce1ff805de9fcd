import type { WebhookEventType, WebhookPayload } from '@portal/contract/organisation-webhooks'
import type { Tx } from '../db/database.ts'
import { newPrefixedId } from '../ids.ts'
import type { Ports } from '../ports.ts'
import { iso } from '../wire.ts'
import { endpointsFor, insertDeliveries, insertEvent } from './event-store.ts'

/** Largest body of an event, in bytes. */
const LARGEST = 64 * 1024

export interface NewEvent {
  organisationId: string
  type: WebhookEventType
  livemode: boolean
  /**
   * What it is about: the id under which `/v1` has the rest, its status, and a verification's number and reference. Never a
   * name, course or grade.
   */
  data: {
    id: string
    status: string
    certificate_number?: string | undefined
    reference?: string | null | undefined
  }
  /** Of several events with the same key, the first is recorded. */
  dedupeKey: string
  at: number
}

/**
 * Records an event and a delivery for each endpoint that wants it, in the transaction of the change that it reports; sent
 * once that is committed. For disabled endpoints the delivery is skipped, and can be sent later by hand.
 * @returns the event's id; undefined if it was recorded before
 */
export async function recordEvent(
  tx: Tx,
  _ports: Ports,
  { organisationId, type, livemode, data, dedupeKey, at }: NewEvent,
): Promise<string | undefined> {
  const { id: subject, status, certificate_number, reference } = data
  const payload: WebhookPayload = {
    type,
    timestamp: iso(at),
    livemode,
    data: {
      id: subject,
      status,
      ...(certificate_number && { certificate_number }),
      ...(reference && { reference }),
    },
  }
  const body = JSON.stringify(payload)
  if (new TextEncoder().encode(body).length > LARGEST)
    throw new Error(`an event of type ${type} is too large`)
  const id = newPrefixedId('evt')
  const eventSeq = await insertEvent(tx, {
    id,
    organisationId,
    type,
    livemode,
    body,
    dedupeKey: `${organisationId}:${dedupeKey}`,
    createdAt: at,
  })
  if (eventSeq === undefined) return undefined
  const wanting = await endpointsFor(tx, { organisationId, livemode, type })
  await insertDeliveries(
    tx,
    wanting.map(({ id: endpointId, state }) => ({
      id: newPrefixedId('dlv'),
      eventSeq,
      endpointId,
      status: state === 'enabled' ? ('pending' as const) : ('skipped' as const),
      nextAttemptAt: state === 'enabled' ? at : null,
      createdAt: at,
    })),
  )
  return id
}
