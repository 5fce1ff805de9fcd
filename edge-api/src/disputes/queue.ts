import type { Database } from '../db/database.ts'
import { sendSoon } from '../mail/outbox.ts'
import { withDeadline } from '../payments/query-gateway.ts'
import { findPaymentById } from '../payments/store.ts'
import { retryOnConflict } from '../payments/version-conflict.ts'
import type { Ports } from '../ports.ts'
import { type Outcome, runQueue, SKIPPED } from '../queues/run-queue.ts'
import { sendAnswer } from './answers.ts'
import { notifyStaffOfDispute } from './notices.ts'
import { disputeCallsOf, findDueReminder, hasLapsed, isAnswerPending, nextCheckAt } from './rules.ts'
import { changeDisputeOrFail, enterState } from './states.ts'
import {
  findDispute,
  isPollDue,
  leaseDispute,
  listDue,
  listDueCallbacks,
  markCallbacksProcessed,
} from './store.ts'
import { pollDisputes, storeReportedDispute } from './sync.ts'

/* Background work on disputes: processes callbacks, polls the gateways' lists, sends answers and reminds staff. */

/** How long to wait before calling a gateway again that did not respond, in milliseconds. */
const RETRY_AFTER_MS = 5 * 60_000
const NO_RESPONSE = 'The gateway did not respond to a query about this dispute.'

type Item =
  | { kind: 'callback'; id: number; provider: string; disputeId: string }
  | { kind: 'poll'; provider: string }
  | { kind: 'dispute'; id: string; provider: string }

/** Returns the ID under which a deferral is stored. `hint` is the stored name of a callback. */
const idOf = (item: Item): string => {
  if (item.kind === 'dispute') return item.id
  return item.kind === 'callback' ? `hint:${item.id}` : `poll:${item.provider}`
}

/** Processes all work on disputes that is due. @returns the number of processed items */
export const processDueDisputes = (ports: Ports, database: Database): Promise<number> =>
  runQueue<Item>(ports, database, {
    name: 'disputes',
    async listDue(range) {
      const callbacks = await listDueCallbacks(database.read, range)
      const rows = await listDue(database.read, range)
      return [
        ...callbacks.map(callback => ({ kind: 'callback' as const, ...callback })),
        ...rows.map(row => ({ kind: 'dispute' as const, ...row })),
        ...(await listDuePolls(ports, database, range.now)),
      ]
    },
    idOf,
    peerOf: ({ provider }) => provider,
    async processItem(item) {
      if (item.kind === 'dispute') return processDispute(ports, database, item.id)
      const calls = ports.gateways[item.provider]?.disputes
      if (item.kind === 'poll') {
        if (calls) await pollDisputes(ports, database, item.provider, calls, { source: 'scheduler' })
        return undefined
      }
      return processCallback(ports, database, item)
    },
  })

async function listDuePolls(ports: Ports, database: Database, now: number): Promise<Item[]> {
  const due: Item[] = []
  for (const [provider, { disputes }] of Object.entries(ports.gateways)) {
    if (disputes && (await isPollDue(database.read, { provider, now }))) due.push({ kind: 'poll', provider })
  }
  return due
}

/** Processes a callback. Its content is not trusted: it is only a reason to requery the dispute. */
async function processCallback(
  ports: Ports,
  database: Database,
  { id, provider, disputeId }: Extract<Item, { kind: 'callback' }>,
): Promise<Outcome> {
  const calls = ports.gateways[provider]?.disputes
  if (calls) {
    try {
      const reported = await withDeadline(signal => calls.fetch(disputeId, signal))
      await storeReportedDispute(ports, database, provider, reported, { source: 'webhook' })
    } catch (error) {
      logNoResponse(ports, provider, error)
      return { reason: NO_RESPONSE, nextAt: ports.clock.now() + RETRY_AFTER_MS }
    }
  }
  await database.write(tx => markCallbacksProcessed(tx, { id, provider, disputeId, at: ports.clock.now() }))
  return undefined
}

function logNoResponse(ports: Ports, provider: string, error: unknown): void {
  const cause = error instanceof Error ? error.name : 'unknown'
  ports.log({ level: 'warn', event: 'dispute_unanswered', provider, cause })
}

/**
 * Sends an answer that is due or requeries the dispute, and then reminds staff. Only one worker at a time handles a dispute.
 */
export async function processDispute(ports: Ports, database: Database, id: string): Promise<Outcome> {
  const now = ports.clock.now()
  if (!(await database.write(tx => leaseDispute(tx, { id, now })))) return SKIPPED
  const row = await findDispute(database.read, { id })
  const payment = row && (await findPaymentById(database.read, { id: row.paymentId }))
  if (!row || !payment) return undefined
  const calls = row.source === 'gateway' ? disputeCallsOf(payment, ports.gateways) : undefined
  let isUnanswered = false
  if (calls) {
    try {
      const reported = isAnswerPending(row)
        ? await sendAnswer(ports, database, calls, row)
        : await withDeadline(signal => calls.fetch(row.providerDisputeId, signal))
      await storeReportedDispute(ports, database, row.provider, reported, { source: 'scheduler' })
    } catch (error) {
      logNoResponse(ports, row.provider, error)
      isUnanswered = true
    }
  }
  const nextCheck = await retryOnConflict(() => finishCheck(ports, database, id))
  sendSoon(ports)
  if (!isUnanswered) return undefined
  return { reason: NO_RESPONSE, nextAt: Math.min(nextCheck ?? now + RETRY_AFTER_MS, now + RETRY_AFTER_MS) }
}

/**
 * Finishes the check of a dispute: if its deadline has passed, marks it as expired; otherwise sends reminders that are due.
 * Releases the lease.
 * @returns when the next check is due
 */
function finishCheck(ports: Ports, database: Database, id: string): Promise<number | null> {
  return database.write(async tx => {
    const row = await findDispute(tx, { id })
    if (!row) return null
    const at = ports.clock.now()
    if (hasLapsed(row, at)) {
      // Keeps the money on hold: what happened to it is unknown, so staff must record it.
      const origin = { source: 'scheduler' as const }
      const expiredDispute = await enterState(ports, tx, row, 'expired', { origin, at, keepHold: true })
      await changeDisputeOrFail(tx, expiredDispute, { leaseUntil: null })
      return null
    }
    const reminder = findDueReminder(row, at)
    const reminderFields = reminder && {
      halfRemindedAt: row.halfRemindedAt ?? at,
      ...(reminder === 'last' && { lastRemindedAt: at }),
    }
    const tries = isAnswerPending(row) ? row.tries + 1 : row.tries
    const next = { ...row, ...reminderFields, tries }
    const nextAt = nextCheckAt(next, at)
    const after = await changeDisputeOrFail(tx, row, { ...reminderFields, tries, nextAt, leaseUntil: null })
    if (reminder) await notifyStaffOfDispute(ports, tx, after, { type: 'reminder', which: reminder }, at)
    return nextAt
  })
}
