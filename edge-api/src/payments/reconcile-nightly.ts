import { toIsoDate } from '@portal/format/dates'
import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { runQueue, SKIPPED } from '../queues/run-queue.ts'
import { continueRun, RUN_LEASE_MS } from './reconcile.ts'
import {
  changeRun,
  findFirstStart,
  findReconciledDays,
  findRun,
  hasFutureNightlyRun,
  insertRun,
  listInterrupted,
  type RunRow,
  releaseFutureNightlyRuns,
} from './reconcile-store.ts'

/*
 * The nightly reconciliation, and reconciliations that were interrupted. The scheduler works on them one after the other, for a
 * limited time, and its next run continues.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Time from the end of a day to its reconciliation, in milliseconds, so that the day's last payments have expired. */
const START_DELAY_MS = HOUR
/** How many past days are reconciled if the scheduler has not been running. */
const DAYS_BACK = 7
/** How long one run of the scheduler works on reconciliations, in milliseconds, before it leaves the rest to the next run. */
const TIME_LIMIT_MS = 10_000

/** Returns the days whose reconciliation is due, oldest first. */
async function findDueDays(database: Database, now: number): Promise<string[]> {
  const newest = Math.floor((now - START_DELAY_MS) / DAY) * DAY - DAY
  const days = Array.from({ length: DAYS_BACK }, (_, daysAgo) =>
    toIsoDate(newest - (DAYS_BACK - 1 - daysAgo) * DAY),
  )
  const started = await findReconciledDays(database.read, days)
  const missing = days.filter(day => !started.has(day))
  if (missing.length === 0) return []
  const firstStart = await findFirstStart(database.read)
  return firstStart === undefined ? [] : missing.filter(day => day >= toIsoDate(firstStart))
}

/** Leases a reconciliation to this process. @returns undefined if another process has leased it */
async function claimRun(ports: Ports, database: Database, run: RunRow): Promise<string | undefined> {
  const leaseUntil = ports.clock.now() + RUN_LEASE_MS
  return (await database.write(tx => changeRun(tx, run, { leaseUntil }))) ? run.id : undefined
}

/** Stores the nightly reconciliations of the days that are due, without leasing them. */
async function insertNightlyRuns(ports: Ports, database: Database): Promise<void> {
  const now = ports.clock.now()
  if (await hasFutureNightlyRun(database.read, { now }))
    await database.write(tx => releaseFutureNightlyRuns(tx, { now }))
  for (const day of await findDueDays(database, now)) {
    const run = { id: crypto.randomUUID(), day, starter: null, at: now, leaseUntil: now - 1 }
    await database.write(tx => insertRun(tx, run))
  }
}

/**
 * Reconciles the days that are due, each only once, even if several schedulers run.
 * @returns the number of reconciliations that ended
 */
export async function reconcileDue(ports: Ports, database: Database): Promise<number> {
  if (ports.stopping.aborted) return 0
  await insertNightlyRuns(ports, database)
  const deadline = performance.now() + TIME_LIMIT_MS
  let finishedCount = 0
  await runQueue(ports, database, {
    name: 'reconciliation',
    listDue: range => listInterrupted(database.read, { ...range, leaseMs: RUN_LEASE_MS }),
    idOf: ({ id }) => id,
    async processItem(seen, mayContinue) {
      if (performance.now() >= deadline) return SKIPPED
      const id = await claimRun(ports, database, seen)
      if (!id) return SKIPPED
      try {
        const run = await continueRun(ports, database, id, {
          mayContinue: () => performance.now() < deadline && mayContinue(),
        })
        if (run.finishedAt !== null) finishedCount++
        else await releaseRun(ports, database, id)
      } catch (error) {
        await releaseRun(ports, database, id)
        throw error
      }
      return undefined
    },
  })
  return finishedCount
}

/** Releases the lease on a reconciliation. */
export async function releaseRun(ports: Ports, database: Database, id: string): Promise<void> {
  await database.write(async tx => {
    const run = await findRun(tx, { id })
    if (run) await changeRun(tx, run, { leaseUntil: ports.clock.now() - 1 })
  })
}
