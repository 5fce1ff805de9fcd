import { counted } from './counted.ts'
import type { StatusDisplay } from './status.ts'

/* Texts about background queues, in a file of their own to keep them out of the first load. */

const labels = {
  mail: 'Emails',
  callbacks: 'Gateway callbacks',
  requery: 'Payment requeries',
  refunds: 'Refunds',
  disputes: 'Disputes',
  reconciliation: 'Reconciliations',
  uploads: 'Certificate uploads',
  register_jobs: 'Bulk changes of certificates',
  batches: 'Batches and balances of organisations',
  deliveries: 'Webhooks of organisations',
  letter_holders: 'Notices to letter holders',
  erasure: 'Account erasures',
  retention: 'Data retention',
  activity_log: 'Activity log seals',
  releases: 'Release log',
  backup: 'Backups',
} as const

export type QueueName = keyof typeof labels

/** The background queues, in filter order. */
export const queueNames = Object.keys(labels) as QueueName[]

/** Returns the label of a queue. */
export const queueLabel = (queue: QueueName): string => labels[queue] ?? queue

/** Returns how to show delayed work: as late, or as waiting. */
export const lateDisplay = (isLate: boolean): StatusDisplay =>
  isLate
    ? { label: 'Late', tone: 'danger', icon: 'warning' }
    : { label: 'Waiting', tone: 'neutral', icon: 'hourglass' }

/** Formats a duration as `5 minutes`, `3 hours` or `2 days`, rounded down. */
export function waitInWords(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 1) return 'under a minute'
  if (minutes < 60) return counted(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')
}
