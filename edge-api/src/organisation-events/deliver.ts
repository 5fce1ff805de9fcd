import type { Database, Tx } from '../db/database.ts'
import { afterResponse } from '../http/after-response.ts'
import type { Ports } from '../ports.ts'
import { runQueue, SKIPPED } from '../queues/run-queue.ts'
import { type Attempt, attemptDelivery } from './attempt.ts'
import { endAttempt, type LeasedDelivery, leaseDelivery, listDueDeliveries } from './delivery-store.ts'
import { changeEndpoint, findEndpointById } from './endpoint-store.ts'
import { disableEndpoint } from './failing.ts'
import { delayAfter, MAX_PARALLEL, parseRetryAfter } from './schedule.ts'

/*
 * Sends events after the transaction that recorded them has been committed: at least once, in no guaranteed order. If a
 * sender's process dies, its lease expires, and another one sends the event again with the same `webhook-id`.
 */

/** Time after which a run starts no further pass, in milliseconds. */
const BUDGET_MS = 20_000

/** If a retry is due within this time, in milliseconds, it does not wait for the next run of the scheduler. */
const SOON_MS = 10_000

export type SenderPorts = Pick<
  Ports,
  | 'background'
  | 'clock'
  | 'environment'
  | 'runLater'
  | 'log'
  | 'metrics'
  | 'openDatabase'
  | 'outgoing'
  | 'stopping'
>

/** Sends due deliveries after the response. */
export function deliverSoon(ports: SenderPorts): void {
  afterResponse(ports, 'deliveries_failed', async database => {
    await deliverDue(ports, database)
  })
}

/**
 * Sends all due deliveries, at most four at a time to each endpoint. Runs may overlap: each delivery is leased to one of them.
 * Called after changes (`deliverSoon`) and, for retries, by the scheduler.
 * @returns the number of attempts
 */
export async function deliverDue(ports: SenderPorts, database: Database): Promise<number> {
  const deadline = performance.now() + BUDGET_MS
  let total = 0
  // A delivery is skipped while other runs are already sending the maximum number to its endpoint; it is due again once they
  // have finished.
  for (
    let attempted = -1;
    attempted !== 0 && performance.now() < deadline && !ports.stopping.aborted;
    total += attempted
  )
    attempted = await sendOnce(ports, database)
  return total
}

/** Makes one pass over the due deliveries. @returns the number of deliveries that were attempted */
async function sendOnce(ports: SenderPorts, database: Database): Promise<number> {
  let attempted = 0
  await runQueue(ports, database, {
    name: 'deliveries',
    listDue: range => listDueDeliveries(database.read, range),
    idOf: ({ id }) => id,
    peerOf: ({ endpointId }) => endpointId,
    concurrency: MAX_PARALLEL,
    async processItem({ id }, mayContinue) {
      if (!mayContinue()) return SKIPPED
      const now = ports.clock.now()
      const leased = await database.write(tx => leaseDelivery(tx, { id, now }))
      if (!leased) return SKIPPED
      attempted++
      await deliver(ports, database, leased)
      return undefined
    },
  })
  return attempted
}

async function deliver(ports: SenderPorts, database: Database, leased: LeasedDelivery): Promise<void> {
  if (!isAcceptingEvents(leased.endpoint)) {
    await database.write(tx => skipDelivery(tx, leased))
    return
  }
  const attempt = await attemptDelivery(ports, leased)
  const { id, attempts } = leased.delivery
  const { outcome, delay } = await database.write(tx => recordAttempt(ports, tx, leased, attempt))
  if (delay !== undefined && delay <= SOON_MS) ports.runLater?.(delay, () => deliverSoon(ports))
  ports.metrics.recordDelivery(outcome)
  const { httpStatus: status, durationMs: ms } = attempt
  ports.log({
    level: attempt.isDelivered ? 'info' : 'warn',
    event: 'webhook_attempt',
    delivery: id,
    attempts,
    status: status ?? 0,
    ms,
    outcome,
  })
}

const isAcceptingEvents = (endpoint: LeasedDelivery['endpoint'] | undefined) =>
  endpoint?.state === 'enabled' && endpoint.deletedAt === null

const skipDelivery = (tx: Tx, { delivery }: LeasedDelivery) =>
  endAttempt(tx, { delivery, outcome: { status: 'skipped', nextAttemptAt: null } })

/**
 * Records an attempt and its effect on the endpoint. `delay` is the time until the next attempt in milliseconds, if there is
 * one.
 */
async function recordAttempt(
  ports: SenderPorts,
  tx: Tx,
  { delivery, endpoint: { id } }: LeasedDelivery,
  { isDelivered, retryAfter, ...result }: Attempt,
): Promise<{ outcome: 'delivered' | 'failed' | 'given_up' | 'skipped'; delay?: number }> {
  const at = ports.clock.now()
  const endpoint = await findEndpointById(tx, { id })
  const recordOutcome = (outcome: Parameters<typeof endAttempt>[1]['outcome']) =>
    endAttempt(tx, { delivery, outcome: { ...result, ...outcome } })
  if (isDelivered) {
    await recordOutcome({ status: 'delivered', nextAttemptAt: null })
    await changeEndpoint(tx, { id, failingSince: null, failingNotifiedAt: null, lastSuccessAt: at })
    return { outcome: 'delivered' }
  }
  if (!endpoint || !isAcceptingEvents(endpoint)) {
    await recordOutcome({ status: 'skipped', nextAttemptAt: null })
    return { outcome: 'skipped' }
  }
  if (endpoint.failingSince === null) await changeEndpoint(tx, { id, failingSince: at })
  const isGone = result.httpStatus === 410
  const delay = isGone
    ? undefined
    : delayAfter(delivery.attempts, Math.random(), parseRetryAfter(retryAfter, at))
  await recordOutcome(
    delay === undefined
      ? { status: 'failed', nextAttemptAt: null }
      : { status: 'pending', nextAttemptAt: at + delay },
  )
  if (isGone) await disableEndpoint(ports, tx, { endpoint, reason: 'gone', at })
  return delay === undefined ? { outcome: 'given_up' } : { outcome: 'failed', delay }
}
