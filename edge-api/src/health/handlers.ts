import { health } from '@portal/contract/health'
import type { Database } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { backupStatusOf } from '../jobs/backup/schedule.ts'
import { findLastBackup } from '../jobs/backup/store.ts'
import type { Ports } from '../ports.ts'
import { iso } from '../wire.ts'
import { recordProbe } from './store.ts'

/** How long a component's check may take before the component counts as unhealthy, in milliseconds. */
const COMPONENT_TIMEOUT_MS = 3000
const HOUR = 3_600_000
/** Free space that the database's disk must have, in bytes. With less, some writes succeed and others fail. */
const MIN_FREE_DISK_BYTES = 16 * 1024 * 1024

type Component = { status: 'healthy' | 'error'; latency_ms: number | null }

async function measure(check: (signal: AbortSignal) => Promise<unknown>): Promise<Component> {
  const started = performance.now()
  const signal = AbortSignal.timeout(COMPONENT_TIMEOUT_MS)
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    await Promise.race([check(signal), timedOut])
    return { status: 'healthy', latency_ms: Math.round((performance.now() - started) * 10) / 10 }
  } catch {
    return { status: 'error', latency_ms: null }
  }
}

async function ready({ db, ports }: Call<(typeof health)['ready']>) {
  const gateway = ports.gateways[ports.environment.PAYMENT_PROVIDER]
  const [database, payments, mail, backup] = await Promise.all([
    measure(() => probe(db, ports)),
    measure(async signal => {
      if (!gateway) throw new Error('no gateway')
      await gateway.check(signal)
    }),
    measure(() => ports.mailer.check()),
    readBackupStatus(db, ports),
  ])
  const parts = { database, gateway: payments, mail }
  const isHealthy = Object.values(parts).every(part => part.status === 'healthy')
  // The backup does not affect the status: if it is late, staff are notified, but the portal works as usual.
  const results = { status: isHealthy ? ('ok' as const) : ('degraded' as const), parts: { ...parts, backup } }
  // Responds with an error status, because load balancers check nothing else, and the portal cannot work without its database.
  if (database.status === 'error')
    throw new Fault('DATABASE_UNAVAILABLE', { details: health.ready.reply.parse(results), retryAfter: 1 })
  return results
}

/** Reads from the database. While writes are failing, also writes, to detect when they work again. @throws if either fails */
async function probe(db: Database, { clock, disk }: Pick<Ports, 'clock' | 'disk'>): Promise<void> {
  await db.client.execute('select 1')
  const { free } = (await disk?.().catch(() => undefined)) ?? { free: Number.POSITIVE_INFINITY }
  if (free < MIN_FREE_DISK_BYTES) throw new Error('the disk is full')
  if (db.writes.failing) await db.write(tx => recordProbe(tx, { at: clock.now() }))
}

async function readBackupStatus(db: Database, { clock, environment }: Ports) {
  const unknown = { status: 'unknown' as const, latency_ms: null, at: null }
  try {
    const last = await findLastBackup(db.read)
    if (!last) return unknown
    const status = backupStatusOf(last, environment.BACKUP_EVERY_HOURS * HOUR, clock.now())
    return { status, latency_ms: null, at: iso(last.at) }
  } catch {
    return unknown
  }
}

export const healthHandlers: HandlersOf<typeof health> = {
  alive: async ({ ports }) => ({ status: 'ok' as const, time: new Date(ports.clock.now()).toISOString() }),
  ready,
}
