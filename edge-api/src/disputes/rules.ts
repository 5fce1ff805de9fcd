import type { DisputeState } from '@portal/contract/admin-disputes'
import type { disputes } from '../db/schema/disputes.ts'
import type { Disputes, GatewayDispute, PaymentGateway } from '../payment-gateway.ts'

/* The rules of disputes, as pure functions without a database or clock. Times are in milliseconds. */

export type DisputeRow = typeof disputes.$inferSelect

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long before the deadline the last reminder is sent, in milliseconds. */
const LAST_REMINDER_MS = 4 * HOUR
/**
 * How long the bank may reopen a dispute after it was declined, in milliseconds. The gateway does not document this; it is
 * longer than in the known rules of card schemes.
 */
const REOPENABLE_FOR_MS = 45 * DAY
/** Maximum time between two checks of a dispute, in milliseconds. */
export const MAX_CHECK_INTERVAL_MS = DAY
/** How often the gateways' lists are read to find disputes whose callback was lost, in milliseconds. */
export const POLL_INTERVAL_MS = 15 * MINUTE
/** How far back the gateways' lists are read, in milliseconds. */
export const POLL_PERIOD_MS = 14 * DAY

const undecided: readonly DisputeState[] = ['open', 'contested']
const losses: readonly DisputeState[] = ['accepted', 'lost', 'expired']

/** True while a dispute has no outcome yet. */
export const isUndecided = (state: DisputeState): boolean => undecided.includes(state)
/** True if the money has been, or will be, returned to the payer. */
export const isLoss = (state: DisputeState): boolean => losses.includes(state)

/** Returns the dispute calls of a payment's gateway, if it supports disputes and is in the same mode as the payment. */
export function disputeCallsOf(
  { provider, mode }: { provider: string; mode: 'test' | 'live' },
  gateways: Readonly<Record<string, PaymentGateway>>,
): Disputes | undefined {
  const gateway = gateways[provider]
  return gateway?.mode === mode ? gateway.disputes : undefined
}

/** Returns the state of a dispute after a response from the gateway. */
export function stateAfter(
  stored: Pick<DisputeRow, 'state' | 'dueAt'>,
  reported: Pick<GatewayDispute, 'outcome' | 'dueAt' | 'closedAt'>,
  now: number,
): DisputeState {
  switch (reported.outcome) {
    case 'unknown':
      return stored.state
    case 'open':
      // A later deadline means that the bank has reopened the dispute; a response with the earlier deadline is outdated.
      return stored.state === 'open' || (reported.dueAt?.getTime() ?? 0) > (stored.dueAt ?? 0)
        ? 'open'
        : stored.state
    case 'declined':
      return now - (reported.closedAt?.getTime() ?? now) >= REOPENABLE_FOR_MS ? 'won' : 'contested'
    default:
      return reported.outcome
  }
}

/** True if an answer is stored that the gateway has not confirmed yet. */
export const isAnswerPending = ({ answer, acknowledgedAt }: Pick<DisputeRow, 'answer' | 'acknowledgedAt'>) =>
  answer !== null && acknowledgedAt === null

/** Returns when staff are to be reminded: halfway to the deadline, and shortly before it. */
function reminderTimesOf({ openedAt, dueAt }: Pick<DisputeRow, 'openedAt' | 'dueAt'>) {
  if (dueAt === null) return undefined
  return { half: openedAt + Math.max(0, dueAt - openedAt) / 2, last: dueAt - LAST_REMINDER_MS, due: dueAt }
}

type ReminderFields = Pick<
  DisputeRow,
  'state' | 'openedAt' | 'dueAt' | 'halfRemindedAt' | 'lastRemindedAt' | 'answer' | 'acknowledgedAt'
>

/**
 * Returns which reminder is due; if both are, the last one. None is due once an answer is confirmed or the deadline has passed.
 */
export function findDueReminder(row: ReminderFields, now: number): 'half' | 'last' | undefined {
  const times = reminderTimesOf(row)
  if (!times || row.state !== 'open' || row.acknowledgedAt !== null || now >= times.due) return undefined
  if (now >= times.last && row.lastRemindedAt === null) return 'last'
  if (now >= times.half && row.halfRemindedAt === null && row.lastRemindedAt === null) return 'half'
  return undefined
}

/**
 * Returns the columns that mark past reminders as sent, for a dispute of which staff are notified now. For future reminders,
 * they are null.
 */
export function markPastReminders(row: Pick<DisputeRow, 'openedAt' | 'dueAt'>, now: number) {
  const times = reminderTimesOf(row)
  const nowIfPast = (time: number | undefined) => (time !== undefined && now >= time ? now : null)
  return { halfRemindedAt: nowIfPast(times?.half), lastRemindedAt: nowIfPast(times?.last) }
}

/** Returns when to check a dispute next, or null if nothing more is expected to happen. */
export function nextCheckAt(
  row: ReminderFields & Pick<DisputeRow, 'tries' | 'source'>,
  now: number,
): number | null {
  if (!isUndecided(row.state)) return null
  if (isAnswerPending(row)) return now + Math.min(MINUTE * 2 ** Math.min(row.tries, 4), 15 * MINUTE)
  if (row.state === 'contested') return row.source === 'manual' ? null : now + MAX_CHECK_INTERVAL_MS
  const times = reminderTimesOf(row)
  const upcoming = [times?.half, times?.last, times?.due].filter(at => at !== undefined && at > now)
  const interval =
    row.source === 'manual' ? MAX_CHECK_INTERVAL_MS : times && now >= times.due ? 15 * MINUTE : HOUR
  if (row.source === 'manual' && !times) return null
  return Math.min(now + interval, ...upcoming.map(at => at ?? now))
}

/** True for a manually added dispute whose deadline passed without an answer. */
export const hasLapsed = (row: Pick<DisputeRow, 'source' | 'state' | 'dueAt'>, now: number): boolean =>
  row.source === 'manual' && row.state === 'open' && row.dueAt !== null && row.dueAt <= now
