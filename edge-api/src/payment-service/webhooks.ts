import { claimDelivery, listDueDeliveries, listDueTransactions, recordAttempt } from './records.ts'
import type { Db, Delivery } from './schema.ts'
import type { Clock, Config, Log, Webhooks } from './service.ts'
import { signWebhook } from './signing.ts'

const second = 1000
/**
 * Delays before the second, third and further attempts, in milliseconds. After the last attempt, the delivery has failed for
 * good.
 */
export const retryDelaysMs = [1, 5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600].map(wait => wait * second)
const attemptTimeoutMs = 10 * second

/**
 * Creates the sender of stored events. It sends them at least once: in order within a transaction, and in parallel for
 * different transactions. `now` is the service's time, which decides which events are due; signatures contain the real time,
 * because receivers compare it with their own.
 */
export function createWebhooks(deps: {
  db: Db
  config: Pick<Config, 'webhookUrl' | 'webhookSecret'>
  fetch: typeof fetch
  log: Log
  clock: Clock
  now: () => Date
}): Webhooks {
  const { db, config, log } = deps
  const chains = new Map<string, Promise<void>>()

  function enqueue(transactionId: string): Promise<void> {
    const before = chains.get(transactionId) ?? Promise.resolve()
    const chain = before
      .then(() => deliverEventsOf(transactionId))
      .catch(cause => log({ level: 'error', event: 'webhook_delivery', message: errorName(cause) }))
      .finally(() => {
        if (chains.get(transactionId) === chain) chains.delete(transactionId)
      })
    chains.set(transactionId, chain)
    return chain
  }

  async function deliverEventsOf(transactionId: string): Promise<void> {
    const due = await listDueDeliveries(db, transactionId, deps.now().getTime())
    const eventIds = new Set(due.map(row => row.eventId))
    for (const eventId of eventIds) {
      // Copies of the same event are sent in parallel, as real duplicates would be.
      await Promise.all(due.filter(row => row.eventId === eventId).map(send))
    }
  }

  async function send(row: Delivery): Promise<void> {
    const wait = retryDelaysMs[row.attempts]
    const next = deps.now().getTime() + (wait ?? 0)
    // Claims the event before sending it. The claim schedules the next attempt, so after a crash the event is sent again.
    if (!(await claimDelivery(db, row, next))) return
    const requestId = crypto.randomUUID()
    const lastStatus = await post(row, requestId)
    const status = lastStatus === 200 ? 'delivered' : wait === undefined ? 'failed' : 'pending'
    await recordAttempt(db, row.id, { status, lastStatus })
    log({
      level: 'info',
      event: 'webhook',
      request_id: requestId,
      type: row.event,
      status,
      last_status: lastStatus,
    })
  }

  async function post(row: Delivery, requestId: string): Promise<number | null> {
    const seconds = Math.floor(deps.clock.now().getTime() / second)
    const secret = row.badSignature ? `not-${config.webhookSecret}` : config.webhookSecret
    const signature = await signWebhook(secret, seconds, row.raw)
    try {
      const response = await deps.fetch(config.webhookUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-sandbox-signature': signature,
          'x-request-id': requestId,
        },
        body: row.raw,
        redirect: 'manual',
        signal: AbortSignal.timeout(attemptTimeoutMs),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      return null
    }
  }

  return {
    deliverSoon: transactionId => void enqueue(transactionId),
    async deliverDue() {
      const ids = await listDueTransactions(db, deps.now().getTime(), 100)
      await Promise.all(ids.map(enqueue))
    },
    async idle() {
      while (chains.size > 0) await Promise.all(chains.values())
    },
  }
}

function errorName(cause: unknown): string {
  return cause instanceof Error ? cause.name : 'unknown'
}
