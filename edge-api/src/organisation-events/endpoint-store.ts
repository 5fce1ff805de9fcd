import { and, asc, count, desc, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import {
  organisationEndpoints as endpoints,
  organisationEvents as events,
} from '../db/schema/organisation-events.ts'
import { deleteEndpoints } from './delivery-store.ts'
import type { EndpointRow, EventRow } from './event-store.ts'

const isOfOrganisation = (organisationId: string) =>
  and(eq(endpoints.organisationId, organisationId), isNull(endpoints.deletedAt))

const isOfMode = (organisationId: string, livemode: boolean | undefined) =>
  and(isOfOrganisation(organisationId), livemode === undefined ? undefined : eq(endpoints.livemode, livemode))

export async function insertEndpoint(
  db: Tx,
  row: Omit<typeof endpoints.$inferInsert, 'seq'>,
): Promise<EndpointRow> {
  const [stored] = await db.insert(endpoints).values(row).returning()
  if (!stored) throw new Error('the insert returned no row')
  return stored
}

/** Changes an endpoint. @returns the endpoint after the change */
export async function changeEndpoint(
  db: Tx,
  { id, ...changes }: { id: string } & Partial<Omit<EndpointRow, 'id' | 'seq' | 'organisationId'>>,
): Promise<EndpointRow> {
  const [changed] = await db.update(endpoints).set(changes).where(eq(endpoints.id, id)).returning()
  if (!changed) throw new Error('an endpoint has disappeared')
  return changed
}

export async function findEndpoint(
  db: Reader,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<EndpointRow | undefined> {
  const [row] = await db
    .select()
    .from(endpoints)
    .where(and(isOfOrganisation(organisationId), eq(endpoints.id, id)))
    .limit(1)
  return row
}

export async function countEndpoints(
  db: Reader,
  { organisationId, livemode }: { organisationId: string; livemode: boolean | undefined },
): Promise<number> {
  const [row] = await db.select({ total: count() }).from(endpoints).where(isOfMode(organisationId, livemode))
  return row?.total ?? 0
}

/** Lists the endpoints of an organisation, newest first. */
export async function listEndpoints(
  db: Reader,
  {
    organisationId,
    livemode,
    limit,
    offset,
  }: { organisationId: string; livemode: boolean | undefined; limit: number; offset: number },
): Promise<EndpointRow[]> {
  return await db
    .select()
    .from(endpoints)
    .where(isOfMode(organisationId, livemode))
    .orderBy(desc(endpoints.seq))
    .limit(limit)
    .offset(offset)
}

/** Deletes all endpoints of an organisation that is being closed. Their pending deliveries are skipped. */
export async function deleteEndpointsOf(
  db: Tx,
  { organisationId, at }: { organisationId: string; at: number },
): Promise<void> {
  const rows = await db.select({ id: endpoints.id }).from(endpoints).where(isOfOrganisation(organisationId))
  if (rows.length > 0) await deleteEndpoints(db, { ids: rows.map(({ id }) => id), at })
}

/** Lists enabled endpoints that have been failing since before a given time. */
export async function listFailing(db: Reader, { before }: { before: number }): Promise<EndpointRow[]> {
  return await db
    .select()
    .from(endpoints)
    // Exactly the condition of the partial index, so that the index is used.
    .where(
      and(
        sql`failing_since is not null and state = 'enabled' and deleted_at is null`,
        lte(endpoints.failingSince, before),
      ),
    )
    .orderBy(asc(endpoints.failingSince))
    .limit(100)
}

export async function findEndpointById(db: Reader, { id }: { id: string }): Promise<EndpointRow | undefined> {
  const [row] = await db.select().from(endpoints).where(eq(endpoints.id, id)).limit(1)
  return row
}

/** An event, whether all of its deliveries succeeded, and the number of endpoints it was meant for. */
export interface EventView {
  event: EventRow
  delivered: boolean
  endpoints: number
}

// The outer table name is written out: without a join, drizzle omits it, and `seq` would then refer to the delivery.
const delivered = sql<number>`(exists (select 1 from organisation_deliveries d where d.event_seq = organisation_events.seq)
  and not exists (select 1 from organisation_deliveries d where d.event_seq = organisation_events.seq and d.status <> 'delivered'
    and not exists (select 1 from organisation_deliveries n where n.event_seq = d.event_seq
      and n.endpoint_id = d.endpoint_id and n.status = 'delivered')))`

const endpointCount = sql<number>`(select count(distinct d.endpoint_id) from organisation_deliveries d
  where d.event_seq = organisation_events.seq)`

const selectEvents = (db: Reader) =>
  db.select({ event: events, delivered, endpoints: endpointCount }).from(events)

const toEventView = (row: { event: EventRow; delivered: number; endpoints: number }): EventView => ({
  ...row,
  delivered: row.delivered === 1,
})

export async function findEvent(
  db: Reader,
  { organisationId, id, livemode }: { organisationId: string; id: string; livemode?: boolean | undefined },
): Promise<EventView | undefined> {
  const [row] = await selectEvents(db)
    .where(
      and(
        eq(events.organisationId, organisationId),
        eq(events.id, id),
        livemode === undefined ? undefined : eq(events.livemode, livemode),
      ),
    )
    .limit(1)
  return row && toEventView(row)
}

export interface EventFilter {
  organisationId: string
  type?: EventRow['type'] | undefined
  livemode?: boolean | undefined
  delivered?: boolean | undefined
}

/** Lists the events of an organisation, newest first. */
export async function listEvents(
  db: Reader,
  { limit, offset, ...filter }: EventFilter & { limit: number; offset: number },
): Promise<{ rows: EventView[]; total: number }> {
  const where = and(
    eq(events.organisationId, filter.organisationId),
    filter.type && eq(events.type, filter.type),
    filter.livemode === undefined ? undefined : eq(events.livemode, filter.livemode),
    filter.delivered === undefined ? undefined : sql`${delivered} = ${filter.delivered ? 1 : 0}`,
  )
  const rows = await selectEvents(db).where(where).orderBy(desc(events.seq)).limit(limit).offset(offset)
  const [counted] = await db.select({ total: count() }).from(events).where(where)
  return { rows: rows.map(toEventView), total: counted?.total ?? 0 }
}
