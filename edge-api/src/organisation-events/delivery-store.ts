import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import {
  organisationDeliveries as deliveries,
  organisationEndpoints as endpoints,
  organisationEvents as events,
} from '../db/schema/organisation-events.ts'
import { isDue } from '../db/time-conditions.ts'
import { isNotDeferred } from '../queues/deferral-store.ts'
import type { DeliveryRow, EndpointRow, EventRow } from './event-store.ts'
import { DELIVERY_LEASE_MS, LONGEST_WAIT_MS, MAX_PARALLEL } from './schedule.ts'

const isDeliverable = (now: number) =>
  and(
    sql`${deliveries.status} = 'pending'`,
    isDue(deliveries.nextAttemptAt, now, LONGEST_WAIT_MS),
    or(isNull(deliveries.leaseUntil), isDue(deliveries.leaseUntil, now, DELIVERY_LEASE_MS)),
  )

export interface DueDelivery {
  id: string
  endpointId: string
}

/**
 * Lists due deliveries that are not leased, taking endpoints in turn, so that one with many deliveries does not block the
 * others.
 */
export async function listDueDeliveries(
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<DueDelivery[]> {
  const order = newestFirst ? desc : asc
  const rankedDeliveries = db
    .select({
      id: deliveries.id,
      endpointId: deliveries.endpointId,
      at: deliveries.nextAttemptAt,
      seq: deliveries.seq,
      rank: sql<number>`row_number() over (partition by ${deliveries.endpointId} order by ${order(deliveries.nextAttemptAt)}, ${order(deliveries.seq)})`.as(
        'rank',
      ),
    })
    .from(deliveries)
    .where(and(isDeliverable(now), isNotDeferred('deliveries', deliveries.id, now)))
    .as('numbered')
  return await db
    .select({ id: rankedDeliveries.id, endpointId: rankedDeliveries.endpointId })
    .from(rankedDeliveries)
    .orderBy(asc(rankedDeliveries.rank), order(rankedDeliveries.at), order(rankedDeliveries.seq))
    .limit(limit)
}

export interface LeasedDelivery {
  delivery: DeliveryRow & { leaseUntil: number }
  event: EventRow
  endpoint: EndpointRow
}

/**
 * Leases a delivery for one attempt.
 * @returns undefined if another sender has leased it, or the maximum number of deliveries to its endpoint is already in
 * progress
 */
export async function leaseDelivery(
  db: Tx,
  { id, now }: { id: string; now: number },
): Promise<LeasedDelivery | undefined> {
  const leaseUntil = now + DELIVERY_LEASE_MS
  const leasedCount = sql`(select count(*) from organisation_deliveries other where other.status = 'pending'
    and other.endpoint_id = ${deliveries.endpointId} and other.lease_until > ${now} and other.lease_until <= ${leaseUntil})`
  const [row] = await db
    .update(deliveries)
    .set({ attempts: sql`${deliveries.attempts} + 1`, leaseUntil, lastAttemptAt: now })
    .where(and(eq(deliveries.id, id), isDeliverable(now), sql`${leasedCount} < ${MAX_PARALLEL}`))
    .returning()
  if (!row) return undefined
  const [joined] = await db
    .select({ event: events, endpoint: endpoints })
    .from(events)
    .innerJoin(endpoints, eq(endpoints.id, row.endpointId))
    .where(eq(events.seq, row.eventSeq))
    .limit(1)
  return joined && { delivery: { ...row, leaseUntil }, ...joined }
}

export type Outcome = Pick<DeliveryRow, 'status' | 'nextAttemptAt'> &
  Partial<Pick<DeliveryRow, 'httpStatus' | 'durationMs' | 'error' | 'response'>>

/** Records the outcome of an attempt, unless the lease has passed to another sender. @returns whether it was recorded */
export async function endAttempt(
  db: Tx,
  { delivery, outcome }: { delivery: LeasedDelivery['delivery']; outcome: Outcome },
): Promise<boolean> {
  const result = await db
    .update(deliveries)
    .set({ ...outcome, leaseUntil: null })
    .where(and(eq(deliveries.id, delivery.id), eq(deliveries.leaseUntil, delivery.leaseUntil)))
  return result.rowsAffected === 1
}

/** Marks the pending deliveries of an endpoint as skipped, except those that are being sent. */
export async function skipPending(db: Tx, { endpointId }: { endpointId: string }): Promise<void> {
  await db
    .update(deliveries)
    .set({ status: 'skipped', nextAttemptAt: null })
    .where(
      and(
        eq(deliveries.endpointId, endpointId),
        sql`${deliveries.status} = 'pending'`,
        isNull(deliveries.leaseUntil),
      ),
    )
}

/** A delivery as members see it. */
export interface DeliveryView {
  delivery: DeliveryRow
  eventId: string
  url: string
}

const selectDeliveries = (db: Reader) =>
  db
    .select({ delivery: deliveries, eventId: events.id, url: endpoints.url })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))

/** Lists the deliveries of an event, newest first. */
export async function listDeliveriesOf(
  db: Reader,
  { eventSeq }: { eventSeq: number },
): Promise<DeliveryView[]> {
  return await selectDeliveries(db).where(eq(deliveries.eventSeq, eventSeq)).orderBy(desc(deliveries.seq))
}

export async function findDelivery(db: Reader, { id }: { id: string }): Promise<DeliveryView | undefined> {
  const [row] = await selectDeliveries(db).where(eq(deliveries.id, id)).limit(1)
  return row
}

/**
 * Makes a pending delivery of an event to an endpoint due immediately.
 * @returns the delivery's ID; undefined if none is pending
 */
export async function makeDeliveryDue(
  db: Tx,
  { eventSeq, endpointId, now }: { eventSeq: number; endpointId: string; now: number },
): Promise<string | undefined> {
  const [row] = await db
    .update(deliveries)
    .set({ nextAttemptAt: now })
    .where(
      and(
        eq(deliveries.eventSeq, eventSeq),
        eq(deliveries.endpointId, endpointId),
        sql`${deliveries.status} = 'pending'`,
      ),
    )
    .returning({ id: deliveries.id })
  return row?.id
}

/** Lists events (`seq`) since a given time that were meant for an endpoint but not delivered to it, oldest first. */
export async function listUndeliveredEvents(
  db: Reader,
  {
    endpoint,
    since,
    limit,
  }: {
    endpoint: Pick<EndpointRow, 'id' | 'organisationId' | 'livemode'>
    since: number
    limit: number
  },
): Promise<number[]> {
  const hasDelivery = (...statuses: DeliveryRow['status'][]) =>
    sql`exists (select 1 from organisation_deliveries d where d.event_seq = ${events.seq} and d.endpoint_id = ${endpoint.id}
      and d.status in (${sql.join(
        statuses.map(status => sql`${status}`),
        sql`, `,
      )}))`
  const rows = await db
    .select({ seq: events.seq })
    .from(events)
    .where(
      and(
        eq(events.organisationId, endpoint.organisationId),
        eq(events.livemode, endpoint.livemode),
        sql`${events.createdAt} >= ${since}`,
        hasDelivery('failed', 'skipped'),
        sql`not ${hasDelivery('pending', 'delivered')}`,
      ),
    )
    .orderBy(asc(events.seq))
    .limit(limit)
  return rows.map(({ seq }) => seq)
}

/** Deletes endpoints: skips their pending deliveries, marks them as deleted and removes their secrets. */
export async function deleteEndpoints(
  db: Tx,
  { ids, at }: { ids: readonly string[]; at: number },
): Promise<void> {
  for (const endpointId of ids) await skipPending(db, { endpointId })
  await db
    .update(endpoints)
    .set({ deletedAt: at, sealedSecret: null, previousSecret: null, previousUntil: null })
    .where(inArray(endpoints.id, [...ids]))
}
