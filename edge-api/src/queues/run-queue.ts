import type { QueueName } from '@portal/contract/background-work'
import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'
import { defer, endDeferral, findDeferrals } from './deferral-store.ts'

/*
 * Background queues. An item that cannot be processed is deferred with a backoff and a reason, and the next item is processed.
 * Deferred items are listed for staff, and counted for alerts.
 */

/** Number of items that are listed at a time. It is large, so that items for different peers are among them. */
const PAGE_SIZE = 500
/** How long one run starts new items, in milliseconds. The next run continues. */
const BUDGET_MS = 20_000

/** A decision to process an item later. */
export interface Deferral {
  /** Why the item cannot be processed, as a sentence for staff, without personal data. */
  reason: string
  /** When to retry the item, if it has its own schedule; otherwise it is retried after a backoff. */
  nextAt?: number
}

/**
 * Outcome of an item that is left to a later run, because another process is working on it or this run has no time left.
 * Nothing is recorded.
 */
export const SKIPPED = Symbol('skipped')
export type Outcome = Deferral | typeof SKIPPED | undefined

export interface Queue<T> {
  name: QueueName
  /** Lists items that are due and not deferred: oldest first or, with `newestFirst`, newest first. */
  listDue(range: { now: number; limit: number; newestFirst: boolean }): Promise<readonly T[]>
  /** Returns the ID of an item, which is unique within the queue. */
  idOf(item: T): string
  /** Processes one item. An exception also defers the item. `mayContinue` returns false once the run's time is up. */
  processItem(item: T, mayContinue: () => boolean): Promise<Outcome>
  /** Maximum number of items that are processed in parallel for each peer; 1 by default. */
  concurrency?: number
  /**
   * Returns the peer (such as a gateway) that an item needs, if there are several, so that a peer that hangs does not delay the
   * items of others.
   */
  peerOf?(item: T): string
}

export type QueuePorts = Pick<Ports, 'clock' | 'log' | 'metrics' | 'stopping'>

/** Takes the oldest and the newest items alternately, so that a backlog of slow old items does not delay new ones. */
function interleaveEnds<T>(oldest: readonly T[], newest: readonly T[]): T[] {
  return Array.from({ length: Math.max(oldest.length, newest.length) }, (_, index) =>
    [oldest[index], newest[index]].filter(item => item !== undefined),
  ).flat()
}

/**
 * Processes due items until none is left, the time is up, or the process is about to end.
 * @returns the number of processed items
 * @throws if items cannot be listed or failures recorded, because of the database
 */
export async function runQueue<T>(ports: QueuePorts, database: Database, queue: Queue<T>): Promise<number> {
  const deadline = performance.now() + BUDGET_MS
  const mayContinue = () => performance.now() < deadline && !ports.stopping.aborted
  const attemptedIds = new Set<string>()
  const concurrency = queue.concurrency ?? 1
  /**
   * Returns items in the order in which to process them. A few items keep their order, which matters for several mails to one
   * person.
   */
  const listInOrder = async (oldest: readonly T[], range: { now: number; limit: number }) => {
    if (oldest.length <= 2 * concurrency) return oldest
    if (oldest.length < range.limit) return interleaveEnds(oldest, oldest.toReversed())
    return interleaveEnds(oldest, await queue.listDue({ ...range, newestFirst: true }))
  }
  while (mayContinue()) {
    const range = { now: ports.clock.now(), limit: PAGE_SIZE + attemptedIds.size }
    const oldest = await queue.listDue({ ...range, newestFirst: false })
    const items = new Map(
      (await listInOrder(oldest, range))
        .map(item => [queue.idOf(item), item] as const)
        .filter(([id]) => !attemptedIds.has(id)),
    )
    if (items.size === 0) break
    const deferrals = await findDeferrals(database.read, { queue: queue.name, items: [...items.keys()] })
    const worker = async (waiting: [string, T][]) => {
      for (let next = waiting.shift(); next && mayContinue(); next = waiting.shift()) {
        const [id, item] = next
        attemptedIds.add(id)
        await attempt(ports, database, { queue: queue.name, item: id, wasDeferred: deferrals.has(id) }, () =>
          queue.processItem(item, mayContinue),
        )
      }
    }
    const peers = Map.groupBy(items, ([, item]) => queue.peerOf?.(item) ?? '')
    await Promise.all(
      [...peers.values()].flatMap(waiting => Array.from({ length: concurrency }, () => worker(waiting))),
    )
  }
  return attemptedIds.size
}

/**
 * Processes one item, and records whether it was completed or is deferred.
 * @param wasDeferred whether the item has been deferred before; looked up if omitted
 * @param retryAt when to retry after an error, if the item has its own schedule
 * @returns true if the item was completed
 */
export async function attempt(
  ports: Pick<QueuePorts, 'clock' | 'log'>,
  database: Database,
  {
    queue,
    item,
    wasDeferred,
    retryAt,
  }: { queue: QueueName; item: string; wasDeferred?: boolean; retryAt?: number },
  work: () => Promise<Outcome>,
): Promise<boolean> {
  let outcome: Outcome
  try {
    outcome = await work()
  } catch (error) {
    const cause = error instanceof Error ? error.name : 'unknown'
    ports.log({ level: 'error', event: 'queue_item_failed', queue, item, cause })
    outcome = {
      reason: `An unexpected error (${cause}). The server’s log has the details.`,
      ...(retryAt !== undefined && { nextAt: retryAt }),
    }
  }
  if (outcome === SKIPPED) return false
  const now = ports.clock.now()
  if (outcome) {
    const { reason, nextAt } = outcome
    await database.write(tx => defer(tx, { queue, item, reason, nextAt, now }))
    return false
  }
  const isDeferred = wasDeferred ?? (await findDeferrals(database.read, { queue, items: [item] })).has(item)
  if (isDeferred) await database.write(tx => endDeferral(tx, { queue, item }))
  return true
}
