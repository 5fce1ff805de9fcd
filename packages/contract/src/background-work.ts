import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { choice, pageQuery, pagination, timestamp } from './shapes.ts'

/** Background queues, including jobs that have only one item or a few fixed items. */
export const queueNames = [
  'mail',
  'callbacks',
  'requery',
  'refunds',
  'disputes',
  'reconciliation',
  'uploads',
  'register_jobs',
  'batches',
  'deliveries',
  'letter_holders',
  'erasure',
  'retention',
  'activity_log',
  'releases',
  'backup',
] as const
export type QueueName = (typeof queueNames)[number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Thresholds of the queues whose items may be delayed longer: refunds and erasures may be waiting for a person, and retention
 * and backups run hourly.
 */
const specialThresholdsMs: Partial<Record<QueueName, number>> = {
  refunds: 48 * HOUR_MS,
  erasure: 48 * HOUR_MS,
  retention: 3 * HOUR_MS,
  backup: 3 * HOUR_MS,
}

/** How long an item may be delayed before it counts as late, in milliseconds. */
export const lateThresholdMs = (queue: QueueName): number => specialThresholdsMs[queue] ?? HOUR_MS

/** How long a due item may go without an attempt before its queue counts as late, in milliseconds. */
export const UNTRIED_LATE_AFTER_MS = 15 * MINUTE_MS

/** What an item is about, for a link to its screen. */
export const workSubjects = ['payment', 'refund', 'dispute', 'reconciliation', 'upload', 'account'] as const

export const delayedWork = z.object({
  queue: z.enum(queueNames),
  /** The item's ID in its queue. */
  item: z.string(),
  /** What the item is about; null if no screen shows it. */
  subject: z
    .object({ kind: z.enum(workSubjects), id: z.string(), label: z.string() })
    .nullable()
    .describe(
      'A payment, refund or dispute by its transaction ID, a day, an upload by its file, an account by its address.',
    ),
  /** Why it is delayed, as a sentence. */
  reason: z.string(),
  attempts: z.int(),
  /** Time of the first failed attempt. */
  since: timestamp,
  /** Time of the next attempt. It is in the past if the item will be attempted in the queue's next run. */
  next_at: timestamp,
  late: z.boolean(),
})
export type DelayedWork = z.infer<typeof delayedWork>

export const queueState = z.object({
  queue: z.enum(queueNames),
  /** Number of delayed items, and how many of them are late. */
  delayed: z.int(),
  late: z.int(),
  /** When the longest current delay began. */
  oldest_at: timestamp.nullable(),
  /** When the oldest item that has not been attempted became due; null if there is no backlog. */
  untried_since: timestamp.nullable(),
})
export type QueueState = z.infer<typeof queueState>

export const backgroundWork = {
  list: route({
    method: 'GET',
    path: '/admin/background-work',
    access: 'admin',
    summary:
      'Delayed background work: emails, payments, refunds, uploads, erasures and other jobs, with the reason ' +
      'and the next attempt; longest delay first.',
    query: z.object({ queue: choice(queueNames), ...pageQuery(20) }),
    reply: z.object({
      work: z.array(delayedWork),
      /** Delay counts of all queues, regardless of the filter. */
      queues: z.array(queueState),
      pagination,
    }),
  }),
  retry: route({
    method: 'POST',
    path: '/admin/background-work/{queue}/{item}/retry',
    access: 'admin',
    summary: 'Try an item at the next run of its queue. Safe to repeat.',
    params: z.object({ queue: z.enum(queueNames), item: z.string().max(64) }),
    reply: z.object({ message: z.string(), work: delayedWork }),
  }),
}
