import { and, eq, isNull, sql } from 'drizzle-orm'
import { chunks } from '../db/chunks.ts'
import type { Reader, Tx } from '../db/database.ts'
import {
  organisationDeliveries as deliveries,
  organisationEndpoints as endpoints,
  organisationEvents as events,
} from '../db/schema/organisation-events.ts'

export type EventRow = typeof events.$inferSelect
export type EndpointRow = typeof endpoints.$inferSelect
export type DeliveryRow = typeof deliveries.$inferSelect

/** Stores an event. @returns the event's `seq`; undefined if there already is an event with its dedupe key */
export async function insertEvent(
  db: Tx,
  row: Omit<typeof events.$inferInsert, 'seq'>,
): Promise<number | undefined> {
  const [stored] = await db
    .insert(events)
    .values(row)
    .onConflictDoNothing({ target: events.dedupeKey })
    .returning({ seq: events.seq })
  return stored?.seq
}

/** Lists the endpoints of a mode that subscribe to a type of event, including disabled ones. */
export async function listSubscribedEndpoints(
  db: Reader,
  { organisationId, livemode, type }: Pick<EventRow, 'organisationId' | 'livemode' | 'type'>,
): Promise<Pick<EndpointRow, 'id' | 'state'>[]> {
  return await db
    .select({ id: endpoints.id, state: endpoints.state })
    .from(endpoints)
    .where(
      and(
        eq(endpoints.organisationId, organisationId),
        eq(endpoints.livemode, livemode),
        isNull(endpoints.deletedAt),
        sql`exists (select 1 from json_each(${endpoints.events}) where value = ${type})`,
      ),
    )
}

export async function insertDeliveries(
  db: Tx,
  rows: readonly Omit<typeof deliveries.$inferInsert, 'seq'>[],
): Promise<void> {
  for (const chunk of chunks(rows)) await db.insert(deliveries).values(chunk)
}
