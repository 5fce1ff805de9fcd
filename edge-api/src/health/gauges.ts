import process from 'node:process'
import { hashQueue } from '../accounts/passwords.ts'
import type { Database } from '../db/database.ts'
import { findLastBackup } from '../jobs/backup/store.ts'
import { type QueueState, readQueueStates } from '../jobs/lateness.ts'
import type { Gauge } from '../metrics/families.ts'
import { countRefunds } from '../payments/refund-store.ts'
import type { Ports } from '../ports.ts'
import { countWaiting } from './waiting-counts-store.ts'

const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, values: [{ value }] })

/** Returns the gauges of this process. */
function readProcessGauges({ metrics }: Pick<Ports, 'metrics'>, db: Database): Gauge[] {
  const schedulerAge = metrics.getSchedulerAge()
  // Missing on Workers, which cannot read their memory usage.
  const memory = process.memoryUsage?.()
  return [
    gauge('portal_password_hashes_running', 'Password hashes being computed.', hashQueue.running),
    gauge(
      'portal_password_hashes_waiting',
      'Logins and similar requests that wait for a password hash.',
      hashQueue.waiting,
    ),
    {
      ...gauge(
        'portal_password_hashes_refused_total',
        'Logins and similar requests refused because the queue was full.',
        hashQueue.rejected,
      ),
      type: 'counter',
    },
    gauge('portal_database_writes_failing', '1 if the latest write failed.', db.writes.failing ? 1 : 0),
    ...(schedulerAge === undefined
      ? []
      : [gauge('portal_scheduler_age_seconds', 'Time since the last run of the scheduler.', schedulerAge)]),
    {
      name: 'portal_queue_run_age_seconds',
      help: 'Time since a run of each background queue last ended in this process.',
      values: metrics.getQueueAges().map(({ queue, seconds }) => ({ labels: { queue }, value: seconds })),
    },
    ...(memory
      ? [
          gauge('process_resident_memory_bytes', 'Memory of the process.', memory.rss),
          gauge('process_heap_bytes', 'Memory in use by JavaScript.', memory.heapUsed),
        ]
      : []),
  ]
}

/** Returns the gauges of the queues in the database. @throws if the database cannot be read */
async function readDatabaseGauges(
  { clock, disk, environment }: Pick<Ports, 'clock' | 'disk' | 'environment'>,
  db: Database,
): Promise<Gauge[]> {
  const now = clock.now()
  const [waiting, refunds, backup, queues, diskSpace] = await Promise.all([
    countWaiting(db.read, { now }),
    countRefunds(db.read),
    findLastBackup(db.read),
    readQueueStates(db, { now, environment }),
    disk?.().catch(() => undefined),
  ])
  const byQueue = (name: string, help: string, read: (state: QueueState) => number): Gauge => ({
    name,
    help,
    values: queues.map(state => ({ labels: { queue: state.queue }, value: read(state) })),
  })
  const secondsSince = (at: number | undefined) => (at === undefined ? 0 : Math.max(0, now - at) / 1000)
  return [
    gauge('portal_outbox_waiting', 'Mails waiting to be sent.', waiting.mails),
    gauge('portal_callbacks_waiting', 'Gateway callbacks waiting to be processed.', waiting.callbacks),
    gauge('portal_payments_waiting', 'Payments scheduled for a requery.', waiting.payments),
    gauge(
      'portal_payments_overdue',
      'Payments whose requery is more than five minutes late.',
      waiting.overduePayments,
    ),
    byQueue(
      'portal_queue_delayed',
      'Items of each background queue that cannot proceed.',
      ({ delayed }) => delayed,
    ),
    byQueue(
      'portal_queue_delay_seconds',
      'Age of the longest delay in each background queue.',
      ({ oldestAt }) => secondsSince(oldestAt),
    ),
    byQueue(
      'portal_queue_untried_seconds',
      'How long the oldest due item of each background queue has waited for an attempt.',
      ({ untriedSince }) => secondsSince(untriedSince),
    ),
    byQueue(
      'portal_queue_late',
      'Late items of each background queue: unable to proceed, or due without an attempt, for too long.',
      ({ late }) => late,
    ),
    gauge('portal_payment_items_open', 'Certificates with an open payment.', waiting.openItems),
    gauge('portal_uploads_running', 'Uploads of certificates in progress.', waiting.uploads),
    gauge(
      'portal_activity_unsealed',
      'Entries of the activity log that are not sealed yet.',
      waiting.unsealed,
    ),
    {
      name: 'portal_refunds',
      help: 'Refunds by status.',
      values: refunds.map(({ state, count }) => ({ labels: { status: state }, value: count })),
    },
    ...(backup
      ? [gauge('portal_backup_age_seconds', 'Time since the latest backup.', (now - backup.at) / 1000)]
      : []),
    ...(backup
      ? [gauge('portal_backup_verified', '1 if the latest backup was verified.', backup.verified ? 1 : 0)]
      : []),
    ...(diskSpace
      ? [gauge('portal_disk_free_bytes', "Free space on the database's disk.", diskSpace.free)]
      : []),
  ]
}

/** Returns a gauge that shows whether front ends are served from the current pointer file (`remotes.json`). */
async function readPointerGauges({ assets }: Pick<Ports, 'assets'>): Promise<Gauge[]> {
  const remotesError = await assets.remotesError?.()
  const help = '1 while remotes.json is damaged and the last good one is served.'
  return [gauge('portal_front_end_pointer_damaged', help, remotesError === undefined ? 0 : 1)]
}

/** Returns all gauges. If the database cannot be read, its gauges are missing and `portal_database_up` is 0. */
export async function readGauges(ports: Ports, db: Database): Promise<Gauge[]> {
  const databaseGauges = await readDatabaseGauges(ports, db).catch(() => undefined)
  const databaseUpGauge = gauge(
    'portal_database_up',
    '1 if the database can be read.',
    databaseGauges ? 1 : 0,
  )
  return [
    databaseUpGauge,
    ...(databaseGauges ?? []),
    ...readProcessGauges(ports, db),
    ...(await readPointerGauges(ports)),
  ]
}
