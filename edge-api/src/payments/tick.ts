import type { Database } from '../db/database.ts'
import { giveBackSpace } from '../db/free-space.ts'
import { prune } from '../db/retention.ts'
import { takeOverShipments } from '../front-ends/take-over.ts'
import { tellHolders } from '../letters/withdrawal.ts'
import { sealActivity } from '../logs/seal.ts'
import { drainOutbox } from '../mail/outbox.ts'
import { eraseDue } from '../personal-data/erase.ts'
import type { Ports } from '../ports.ts'
import { resumeUploads } from '../uploads/job.ts'
import { listOpenHints, markHint } from './inbox-store.ts'
import { reconcileDue } from './reconcile-nightly.ts'
import { listDueRefunds } from './refund-store.ts'
import { sendRefund } from './refunds.ts'
import { LEASE } from './schedule.ts'
import { settle } from './settle.ts'
import { sideBySide } from './side-by-side.ts'
import { leaseDue, listDue } from './store.ts'

/** Most payments and hints worked on in one tick; the next one goes on. */
const BATCH = 50
/** A hint is left this long to the request that received it. */
const HINT_REST = 30_000

export interface TickSummary {
  hints: number
  /** Payments that the gateway was asked for. */
  asked: number
  mailed: number
}

/**
 * The scheduled work: hints that were kept but not acted on, requeries that are due (with expiry, stale starts and
 * the end of the schedule), refunds under way, the nightly reconciliation, accounts to be erased, mail that waits, what is past its time. Any number of ticks may run at once; each row is worked on by one.
 */
export const tick = (ports: Ports, database: Database): Promise<TickSummary> =>
  ports.metrics.tick(() => round(ports, database))

async function round(ports: Ports, database: Database): Promise<TickSummary> {
  // First the mail that already waits: a gateway that is down can hold the rest up for minutes.
  const before = await drainOutbox(ports, database)
  await takeOverShipments(ports, database)
  await sealActivity(database)
  await resumeUploads(ports, database)
  const hints = await workInbox(ports, database)
  const asked = await workDue(ports, database)
  await workRefunds(ports, database)
  await reconcileDue(ports, database)
  await tellHolders(ports, database)
  await eraseDue(ports, database)
  // What this round itself noted is sealed with it.
  await sealActivity(database)
  const after = await drainOutbox(ports, database)
  await prune(database, ports.clock.now())
  await giveBackSpace(database, ports.stopping)
  return { hints, asked, mailed: before.delivered + after.delivered }
}

async function workInbox(ports: Ports, database: Database): Promise<number> {
  const before = ports.clock.now() - HINT_REST
  const hints = await listOpenHints(database.read, { before, limit: BATCH })
  await sideBySide(
    hints,
    async hint => {
      try {
        await actOnHint(ports, database, hint)
      } catch (error) {
        logFailure(ports, 'tick_hint', String(hint.id), error)
      }
    },
    ports.stopping,
  )
  return hints.length
}

/** One row that cannot be worked on must not keep the others waiting. */
function logFailure(ports: Ports, event: string, subject: string, error: unknown): void {
  ports.log({ level: 'error', event, subject, cause: error instanceof Error ? error.name : 'unknown' })
}

/** Settles what a kept hint is about; it counts as acted on only when the gateway answered. */
export async function actOnHint(
  ports: Ports,
  database: Database,
  hint: { id: number; reference: string | null },
): Promise<void> {
  const settled =
    hint.reference === null
      ? undefined
      : await settle(ports, database, { reference: hint.reference }, 'webhook')
  const done = settled?.answered !== false
  await database.write(tx => markHint(tx, { id: hint.id, processedAt: done ? ports.clock.now() : null }))
}

async function workDue(ports: Ports, database: Database): Promise<number> {
  let asked = 0
  const due = await listDue(database.read, { now: ports.clock.now(), limit: BATCH })
  await sideBySide(
    due,
    async ({ id, transactionId }) => {
      const now = ports.clock.now()
      try {
        if (!(await database.write(tx => leaseDue(tx, { id, now, until: now + LEASE })))) return
        asked++
        await settle(ports, database, { transactionId }, 'tick')
      } catch (error) {
        // Its lease ends by itself, and a later tick tries again.
        logFailure(ports, 'tick_payment', transactionId, error)
      }
    },
    ports.stopping,
  )
  return asked
}

/** Approved refunds whose end the gateway has not told yet, and those that a crash cut off. */
async function workRefunds(ports: Ports, database: Database): Promise<void> {
  const due = await listDueRefunds(database.read, { now: ports.clock.now(), limit: BATCH })
  await sideBySide(
    due,
    async ({ id }) => {
      try {
        await sendRefund(ports, database, id)
      } catch (error) {
        logFailure(ports, 'tick_refund', id, error)
      }
    },
    ports.stopping,
  )
}
