import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { choice, pageQuery, pagination, timestamp } from './shapes.ts'

/** The background queues, and the jobs that run as one item or as a few fixed ones. */
export const queueNames = [
  'mail',
  'callbacks',
  'requery',
  'refunds',
  'disputes',
  'reconciliation',
  'uploads',
  'letter_holders',
  'erasure',
  'retention',
  'activity_log',
  'releases',
  'backup',
] as const
export type QueueName = (typeof queueNames)[number]

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Refunds and erasures may wait for a person; retention and backups are tried once an hour. */
const patient: Partial<Record<QueueName, number>> = {
  refunds: 48 * HOUR,
  erasure: 48 * HOUR,
  retention: 3 * HOUR,
  backup: 3 * HOUR,
}

/** How long an item of a queue may be unable to proceed before it counts as late, in milliseconds. */
export const lateAfter = (queue: QueueName): number => patient[queue] ?? HOUR

/** How long an item may be due without an attempt before its queue counts as late, in milliseconds. */
export const UNTRIED_LATE_AFTER = 15 * MINUTE

/** What an item is about, for a link. */
export const workSubjects = ['payment', 'refund', 'dispute', 'reconciliation', 'upload', 'account'] as const

export const delayedWork = z.object({
  queue: z.enum(queueNames),
  /** The item's id in its queue. */
  item: z.string(),
  /** Null where there is no screen for it. */
  subject: z
    .object({ kind: z.enum(workSubjects), id: z.string(), label: z.string() })
    .nullable()
    .describe(
      'A payment, refund or dispute by its transaction id, a day, an upload by its file, an account by its address.',
    ),
  /** Why it cannot proceed, in a sentence. */
  reason: z.string(),
  attempts: z.int(),
  /** When it first could not proceed. */
  since: timestamp,
  /** In the past when it is tried at the next run. */
  next_at: timestamp,
  late: z.boolean(),
})
export type DelayedWork = z.infer<typeof delayedWork>

export const queueState = z.object({
  queue: z.enum(queueNames),
  /** Items that cannot proceed, and how many of them are late. */
  delayed: z.int(),
  late: z.int(),
  /** Since when the longest delayed item cannot proceed. */
  oldest_at: timestamp.nullable(),
  /** When the oldest item became due that has not been tried since; null while the queue keeps up. */
  untried_since: timestamp.nullable(),
})
export type QueueState = z.infer<typeof queueState>

export const backgroundWork = {
  list: route({
    method: 'GET',
    path: '/admin/background-work',
    access: 'admin',
    summary:
      'Background work that cannot proceed: mails, payments, refunds, uploads, erasures and other jobs, with the reason ' +
      'and the next attempt; those that have waited longest first.',
    query: z.object({ queue: choice(queueNames), ...pageQuery(20) }),
    reply: z.object({
      work: z.array(delayedWork),
      /** Every queue, whatever the filter. */
      queues: z.array(queueState),
      pagination,
    }),
  }),
  retry: route({
    method: 'POST',
    path: '/admin/background-work/{queue}/{item}/retry',
    access: 'admin',
    summary: 'Try an item at the next run of its queue instead of after its wait. Safe to repeat.',
    params: z.object({ queue: z.enum(queueNames), item: z.string().max(64) }),
    reply: z.object({ message: z.string(), work: delayedWork }),
  }),
}
