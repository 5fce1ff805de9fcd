import { claimDelivery, listDueDeliveries, listDueTransactions, recordAttempt } from './records.ts'
import type { Db, Delivery } from './schema.ts'
import type { Clock, Config, Log, Webhooks } from './service.ts'
import { webhookSignature } from './signing.ts'

const second = 1000
/** Delays before the second, third, … attempt; after the last one the delivery has failed for good. */
export const retryDelaysMs = [1, 5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600].map(wait => wait * second)
const attemptTimeoutMs = 10 * second

/**
 * Sends stored events: in order within a transaction, in parallel between transactions, at least once. `now` is
 * the service's time and decides which events are due; the signature contains the real time, which receivers
 * compare with theirs.
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
      .then(() => deliverOne(transactionId))
      .catch(cause => log({ level: 'error', event: 'webhook_delivery', message: errorName(cause) }))
      .finally(() => {
        if (chains.get(transactionId) === chain) chains.delete(transactionId)
      })
    chains.set(transactionId, chain)
    return chain
  }

  async function deliverOne(transactionId: string): Promise<void> {
    const due = await listDueDeliveries(db, transactionId, deps.now().getTime())
    const eventIds = new Set(due.map(row => row.eventId))
    for (const eventId of eventIds) {
      // Copies of one event are sent in parallel, like real duplicates.
      await Promise.all(due.filter(row => row.eventId === eventId).map(send))
    }
  }

  async function send(row: Delivery): Promise<void> {
    const wait = retryDelaysMs[row.attempts]
    const next = deps.now().getTime() + (wait ?? 0)
    // Claimed before sending, so that a crash in between leads to a retry, never to a loss.
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
    const signature = await webhookSignature(secret, seconds, row.raw)
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
    fire: transactionId => void enqueue(transactionId),
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
