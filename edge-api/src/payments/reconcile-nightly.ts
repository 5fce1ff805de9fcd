import { toIsoDate } from '@portal/format/dates'
import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { continueRun, RUN_LEASE } from './reconcile.ts'
import {
  changeRun,
  findRun,
  firstStarted,
  insertRun,
  listCutOff,
  nightlyDays,
  type RunRow,
} from './reconcile-store.ts'

/*
 * The nightly reconciliation, and whatever reconciliation was cut off: the tick works on one after the other, for a
 * while, and the next tick goes on.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A day is compared once its last payments have run out of time. */
const REST = HOUR
/** Days that are caught up when no tick ran. */
const DAYS_BACK = 7
/** How long one tick works on reconciliations before it leaves the rest to the next. */
const TIME_LIMIT = 10_000

/** The days whose turn has come, oldest first. */
async function daysDue(database: Database, now: number): Promise<string[]> {
  const newest = Math.floor((now - REST) / DAY) * DAY - DAY
  const days = Array.from({ length: DAYS_BACK }, (_, back) =>
    toIsoDate(newest - (DAYS_BACK - 1 - back) * DAY),
  )
  const begun = await nightlyDays(database.read, days)
  const missing = days.filter(day => !begun.has(day))
  if (missing.length === 0) return []
  const first = await firstStarted(database.read)
  return first === undefined ? [] : missing.filter(day => day >= toIsoDate(first))
}

/** Takes over a run that nobody holds. Undefined when another was quicker. */
async function takeOver(ports: Ports, database: Database, run: RunRow): Promise<string | undefined> {
  const leaseUntil = ports.clock.now() + RUN_LEASE
  return (await database.write(tx => changeRun(tx, run, { leaseUntil }))) ? run.id : undefined
}

/** The next run to work on, held by us: one that was cut off, else the nightly one of the oldest day due. */
async function nextRun(ports: Ports, database: Database): Promise<string | undefined> {
  const now = ports.clock.now()
  for (const run of await listCutOff(database.read, { now, limit: 5 })) {
    const id = await takeOver(ports, database, run)
    if (id) return id
  }
  for (const day of await daysDue(database, now)) {
    const id = crypto.randomUUID()
    const leaseUntil = now + RUN_LEASE
    if (await database.write(tx => insertRun(tx, { id, day, by: null, at: now, leaseUntil }))) return id
  }
  return undefined
}

/**
 * Reconciles the days whose turn has come, once each, however many ticks run.
 * @returns how many reconciliations came to their end
 */
export async function reconcileDue(ports: Ports, database: Database): Promise<number> {
  const until = performance.now() + TIME_LIMIT
  const goOn = () => performance.now() < until && !ports.stopping.aborted
  for (let done = 0; ; done++) {
    const id = goOn() ? await nextRun(ports, database) : undefined
    if (id === undefined) return done
    const run = await continueRun(ports, database, id, { goOn })
    if (run.finishedAt !== null) continue
    await letGo(ports, database, id)
    return done
  }
}

/** Leaves a run to whoever comes next. */
export async function letGo(ports: Ports, database: Database, id: string): Promise<void> {
  await database.write(async tx => {
    const run = await findRun(tx, { id })
    if (run) await changeRun(tx, run, { leaseUntil: ports.clock.now() - 1 })
  })
}
