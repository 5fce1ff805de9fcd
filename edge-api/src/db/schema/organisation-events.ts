import {
  deliveryStatuses,
  type WebhookEventType,
  webhookDisabledReasons,
  webhookEventTypes,
  webhookStates,
} from '@portal/contract/organisation-webhooks'
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'
import { organisations } from './organisations.ts'

const organisationColumn = () =>
  text('organisation_id')
    .notNull()
    .references(() => organisations.id)

/** Webhook endpoints of organisations. Deleted ones are kept without their secrets, as long as deliveries refer to them. */
export const organisationEndpoints = sqliteTable(
  'organisation_endpoints',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organisationId: organisationColumn(),
    url: text().notNull(),
    description: text(),
    livemode: flag('livemode').notNull(),
    events: text({ mode: 'json' }).$type<WebhookEventType[]>().notNull(),
    state: text({ enum: webhookStates }).notNull(),
    disabledReason: text('disabled_reason', { enum: webhookDisabledReasons }),
    /** Signing secret, encrypted like queued mail; null once the endpoint is deleted. */
    sealedSecret: text('sealed_secret'),
    /** The secret before the last rotation. Until `previousUntil`, deliveries are also signed with it. */
    previousSecret: text('previous_secret'),
    previousUntil: time('previous_until'),
    /** Time of the first failure since the last success. */
    failingSince: time('failing_since'),
    /** When members were notified that the endpoint was failing. */
    failingNotifiedAt: time('failing_notified_at'),
    lastSuccessAt: time('last_success_at'),
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    deletedAt: time('deleted_at'),
  },
  table => [
    index('organisation_endpoints_by_organisation').on(table.organisationId, table.seq),
    index('organisation_endpoints_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
    index('organisation_endpoints_failing')
      .on(table.failingSince)
      .where(sql`failing_since is not null and state = 'enabled' and deleted_at is null`),
  ],
)

/** Events of an organisation, kept for 30 days. Written in the transaction of the change. */
export const organisationEvents = sqliteTable(
  'organisation_events',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organisationId: organisationColumn(),
    type: text({ enum: webhookEventTypes }).notNull(),
    livemode: flag('livemode').notNull(),
    /** The body as it is sent. Every attempt sends the same bytes. */
    body: text().notNull(),
    dedupeKey: text('dedupe_key').unique(),
    createdAt: time('created_at').notNull(),
  },
  table => [index('organisation_events_by_organisation').on(table.organisationId, table.seq)],
)

/** The delivery of one event to one endpoint, and the result of its last attempt. */
export const organisationDeliveries = sqliteTable(
  'organisation_deliveries',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    eventSeq: integer('event_seq')
      .notNull()
      .references(() => organisationEvents.seq),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => organisationEndpoints.id),
    status: text({ enum: deliveryStatuses }).notNull(),
    attempts: integer().notNull().default(0),
    /** When the next attempt is due; null once the delivery has ended. */
    nextAttemptAt: time('next_attempt_at'),
    leaseUntil: time('lease_until'),
    httpStatus: integer('http_status'),
    durationMs: integer('duration_ms'),
    error: text(),
    /** First 1 kB of the response. */
    response: text(),
    lastAttemptAt: time('last_attempt_at'),
    createdAt: time('created_at').notNull(),
  },
  table => [
    index('organisation_deliveries_by_event').on(table.eventSeq, table.seq),
    index('organisation_deliveries_by_endpoint').on(table.endpointId, table.seq),
    index('organisation_deliveries_pending')
      .on(table.endpointId, table.nextAttemptAt)
      .where(sql`status = 'pending'`),
  ],
)
