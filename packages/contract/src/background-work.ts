/** The background queues, and the jobs that run as one item. */
export const queueNames = [
  'mail',
  'callbacks',
  'requery',
  'refunds',
  'reconciliation',
  'uploads',
  'letter_holders',
  'erasure',
  'retention',
  'activity_log',
  'releases',
] as const
export type QueueName = (typeof queueNames)[number]
