import type { DisputeAnswer, DisputeState } from '@portal/contract/admin-disputes'
import { personas } from '@portal/fixtures/personas'
import type { DemoVerification } from '@portal/fixtures/verifications'
import type { Tx } from '../db/database.ts'
import { isUndecided, markPastReminders, nextCheckAt } from '../disputes/rules.ts'
import { insertDispute } from '../disputes/store.ts'
import { bookDispute, bookDisputeLost, bookEndedDispute } from '../payments/dispute-rules.ts'
import { insertEntries } from '../payments/money-store.ts'
import { appendEvent, findPayment } from '../payments/store.ts'

const HOUR = 3_600_000
/** How long after the opening of a dispute the demo's staff answered it, and the bank decided it, in milliseconds. */
const ANSWERED_AFTER_MS = 2 * HOUR
const DECIDED_AFTER_MS = 26 * HOUR

interface DemoDispute {
  state: DisputeState
  /** When the dispute was opened, in hours from now; negative for the past. */
  opened: number
  /** Deadline for the answer, in hours from now. */
  due: number
  reason: string
  answer?: DisputeAnswer
  note?: string
  /** The disputed part of the payment. If only a part is lost, the payment stays paid and its letter valid. */
  share?: number
}

/** The demo's disputes. They look as if staff had entered them, because the gateway of the demo's past payments has no API. */
const DEMO_DISPUTES: readonly DemoDispute[] = [
  { state: 'open', opened: -13, due: 3, reason: 'Customer complained about debit without value' },
  { state: 'open', opened: -3, due: 13, reason: 'The cardholder does not recognise this payment.' },
  {
    state: 'contested',
    opened: -70,
    due: -54,
    reason: 'Customer complained about debit without value',
    answer: 'contest',
    note: 'The letter was delivered within a minute and opened twice.',
  },
  { state: 'expired', opened: -200, due: -184, reason: 'Service not received' },
  {
    state: 'accepted',
    opened: -400,
    due: -384,
    reason: 'Charged more than the price shown',
    answer: 'accept',
    share: 0.5,
  },
  {
    state: 'lost',
    opened: -600,
    due: -584,
    reason: 'Charged more than the price shown',
    answer: 'contest',
    share: 0.5,
  },
  { state: 'won', opened: -900, due: -884, reason: 'Duplicate debit', answer: 'contest' },
]

/** Returns when a dispute entered its state. */
function enteredStateAt(
  { state, due, answer }: DemoDispute,
  { openedAt, now }: { openedAt: number; now: number },
) {
  if (state === 'open') return openedAt
  if (state === 'expired') return now + due * HOUR
  return openedAt + (answer === 'contest' && state !== 'contested' ? DECIDED_AFTER_MS : ANSWERED_AFTER_MS)
}

/** Adds disputes of the demo's past payments, in every state. */
export async function insertDemoDisputes(
  db: Tx,
  { verifications, now }: { verifications: readonly DemoVerification[]; now: number },
): Promise<void> {
  const delivered = verifications.filter(
    ({ user_email: payer, certificate }) => payer === personas.bureau.email && certificate !== null,
  )
  for (const [position, demo] of DEMO_DISPUTES.entries()) {
    const transactionId = delivered[position]?.transaction_id
    const payment = transactionId && (await findPayment(db, { transactionId }))
    if (!payment) continue
    const { state, opened, due, reason, answer, note = '', share = 1 } = demo
    const { id: paymentId, currency } = payment
    const openedAt = now + opened * HOUR
    const dueAt = now + due * HOUR
    const at = enteredStateAt(demo, { openedAt, now })
    const minor = Math.round(payment.amountMinor * share)
    // A missed deadline does not decide what happens to the money: it stays reserved until staff record the outcome.
    const heldMinor = isUndecided(state) || state === 'expired' ? minor : 0
    const lostMinor = state === 'accepted' || state === 'lost' ? minor : 0
    const row = {
      id: crypto.randomUUID(),
      paymentId,
      provider: payment.provider,
      providerDisputeId: `CB-2026-${String(position + 1).padStart(3, '0')}`,
      source: 'manual' as const,
      state,
      amountMinor: minor,
      currency,
      reason,
      note,
      openedAt,
      dueAt,
      heldMinor,
      lostMinor,
      answer: answer ?? null,
      answeredBy: answer ? personas.superAdmin.id : null,
      answeredAt: answer ? openedAt + ANSWERED_AFTER_MS : null,
      acknowledgedAt: answer ? openedAt + ANSWERED_AFTER_MS : null,
      closedAt: isUndecided(state) ? null : at,
      ...markPastReminders({ openedAt, dueAt }, now),
      tries: 0,
      createdAt: openedAt,
      updatedAt: at,
    }
    await insertDispute(db, { ...row, nextAt: nextCheckAt(row, now) })
    await insertEntries(db, { paymentId, currency, at: openedAt, entries: bookDispute(minor) })
    if (lostMinor > 0)
      await insertEntries(db, {
        paymentId,
        currency,
        at,
        entries: bookDisputeLost(minor, { heldMinor: minor, owedMinor: 0 }),
      })
    else if (heldMinor === 0)
      await insertEntries(db, { paymentId, currency, at, entries: bookEndedDispute(minor) })
    const event = { paymentId, source: 'seed', amountMinor: minor }
    await appendEvent(db, {
      ...event,
      type: 'dispute_opened',
      providerTxnId: `${row.id}:0`,
      at: openedAt,
    })
    if (state !== 'open')
      await appendEvent(db, { ...event, type: `dispute_${state}`, providerTxnId: `${row.id}:1`, at })
  }
}
