import process from 'node:process'
import { queueNames } from '@portal/contract/background-work'
import { hashing } from '../auth/passwords.ts'
import { lastBackup } from '../db/backup/store.ts'
import type { Database } from '../db/database.ts'
import { countRefunds } from '../payments/refund-store.ts'
import type { Ports } from '../ports.ts'
import { countDeferrals } from '../queues/deferral-store.ts'
import type { Gauge } from './families.ts'
import { countWaiting } from './store.ts'

const one = (name: string, help: string, value: number): Gauge => ({ name, help, values: [{ value }] })

/** What this process holds and does at the moment. */
function ofProcess({ metrics }: Pick<Ports, 'metrics'>, db: Database): Gauge[] {
  const age = metrics.tickAge()
  // Workers know nothing of their memory.
  const memory = process.memoryUsage?.()
  return [
    one('portal_password_hashes_running', 'Password hashes being worked out.', hashing.running),
    one('portal_password_hashes_waiting', 'Log-ins and the like that wait for one.', hashing.waiting),
    {
      ...one(
        'portal_password_hashes_refused_total',
        'Log-ins and the like that were turned away, because too many waited.',
        hashing.refused,
      ),
      type: 'counter',
    },
    one(
      'portal_database_writes_failing',
      '1 while the latest write did not get through.',
      db.writes.failing ? 1 : 0,
    ),
    ...(age === undefined
      ? []
      : [one('portal_tick_age_seconds', 'Since the last round of scheduled work.', age)]),
    ...(memory
      ? [
          one('process_resident_memory_bytes', 'Memory of the process.', memory.rss),
          one('process_heap_bytes', 'Of it, in use by JavaScript.', memory.heapUsed),
        ]
      : []),
  ]
}

/** What waits in the database. @throws when it cannot be read */
async function ofDatabase({ clock, disk }: Pick<Ports, 'clock' | 'disk'>, db: Database): Promise<Gauge[]> {
  const now = clock.now()
  const [waiting, refunds, copy, delayed, room] = await Promise.all([
    countWaiting(db.read, { now }),
    countRefunds(db.read),
    lastBackup(db.read),
    countDeferrals(db.read),
    disk?.().catch(() => undefined),
  ])
  return [
    one('portal_outbox_waiting', 'Mails that have not left yet.', waiting.mails),
    one('portal_callbacks_waiting', 'Call-backs of gateways that were not acted on yet.', waiting.callbacks),
    one('portal_payments_waiting', 'Payments that the gateway will be asked for.', waiting.payments),
    one(
      'portal_payments_overdue',
      'Of them, those that should have been asked for five minutes ago.',
      waiting.overduePayments,
    ),
    {
      name: 'portal_queue_delayed',
      help: 'Items of each background queue that cannot proceed now.',
      values: queueNames.map(queue => ({
        labels: { queue },
        value: delayed.find(each => each.queue === queue)?.items ?? 0,
      })),
    },
    {
      name: 'portal_queue_delay_seconds',
      help: 'Since when the longest delayed item of each background queue cannot proceed.',
      values: queueNames.map(queue => {
        const oldest = delayed.find(each => each.queue === queue)?.oldest
        return { labels: { queue }, value: oldest === undefined ? 0 : Math.max(0, now - oldest) / 1000 }
      }),
    },
    one('portal_payment_items_open', 'Certificates with an open payment.', waiting.openItems),
    one('portal_uploads_running', 'Uploads of certificates under way.', waiting.uploads),
    one('portal_activity_unsealed', 'Entries of the activity log that are not sealed yet.', waiting.unsealed),
    {
      name: 'portal_refunds',
      help: 'Refunds by how they stand.',
      values: refunds.map(({ status, count }) => ({ labels: { status }, value: count })),
    },
    ...(copy ? [one('portal_backup_age_seconds', 'Since the newest copy.', (now - copy.at) / 1000)] : []),
    ...(copy
      ? [one('portal_backup_verified', '1 when it was read again and was right.', copy.verified ? 1 : 0)]
      : []),
    ...(room ? [one('portal_disk_free_bytes', "Room on the database's disk.", room.free)] : []),
  ]
}

/** Everything that stands at a value now; of a database that cannot be read, that it cannot. */
export async function gaugesNow(ports: Ports, db: Database): Promise<Gauge[]> {
  const found = await ofDatabase(ports, db).catch(() => undefined)
  const up = one('portal_database_up', '1 when the database could be read now.', found ? 1 : 0)
  return [up, ...(found ?? []), ...ofProcess(ports, db)]
}
