import { iso, type Outcome, presentOutcome } from './presenting.ts'
import type { NewDelivery } from './records.ts'
import { type Fault, resolveReportedMoney, type Scenario } from './scenario.ts'
import type { Transaction } from './schema.ts'

const LATE_DELAY_MS = 30_000

type WebhookFault = Exclude<Fault<'webhook'>, 'ok'> | undefined

const eventNames: Record<Transaction['status'], string> = {
  PENDING: 'transaction.pending',
  PROCESSING: 'transaction.pending',
  APPROVED: 'transaction.approved',
  FAILED: 'transaction.failed',
  CANCELLED: 'transaction.cancelled',
  EXPIRED: 'transaction.expired',
}

/**
 * Returns the webhooks for a change in the order in which they are sent, after applying a fault: `drop` records a webhook that
 * is never sent, `dup` sends one twice, `late` delays it, `badsig` gives it an invalid signature, and `reorder` sends the
 * pending event after the final one.
 */
export function planDeliveries(
  after: Transaction,
  scenario: Scenario,
  fault: WebhookFault,
  now: number,
): NewDelivery[] {
  const money = resolveReportedMoney(scenario, after.requestId, {
    minor: after.amountPaid,
    currency: after.paidCurrency,
  })
  const event = toDelivery(after, { status: after.status, code: after.code, ...money }, now, now)
  const isPending = after.status === 'PROCESSING'
  switch (fault) {
    case undefined:
      return [event]
    case 'drop':
      return [{ ...event, status: 'dropped' }]
    case 'dup':
      return [event, event]
    case 'late':
      return [{ ...event, nextAttemptAt: now + LATE_DELAY_MS }]
    case 'badsig':
      return [{ ...event, badSignature: true }]
    case 'reorder': {
      if (isPending) return []
      const pendingOutcome: Outcome = { status: 'PROCESSING', code: '09', minor: 0, currency: after.currency }
      return [event, toDelivery(after, pendingOutcome, after.createdAt, now)]
    }
  }
}

function toDelivery(row: Transaction, outcome: Outcome, happenedAt: number, now: number): NewDelivery {
  const eventId = `evt_${crypto.randomUUID()}`
  const event = eventNames[outcome.status]
  const body = { event_id: eventId, event, ...presentOutcome(row, outcome), created_at: iso(happenedAt) }
  return {
    eventId,
    event,
    transactionId: row.transactionId,
    requestId: row.requestId,
    raw: JSON.stringify(body),
    badSignature: false,
    status: 'pending',
    nextAttemptAt: now,
    createdAt: happenedAt,
  }
}
