import { personas } from '@portal/fixtures/personas'
import type { DemoVerification } from '@portal/fixtures/verifications'
import type { Tx } from '../db/database.ts'
import { insertDispute } from '../disputes/store.ts'
import { bookDispute } from '../payments/dispute-rules.ts'
import { insertEntries } from '../payments/money-store.ts'
import { findPayment } from '../payments/store.ts'

const HOUR = 3_600_000

/** Hours from now that each was opened and is due; the gateway of the demo's past has no API, so staff entered them. */
const DEMO = [
  { state: 'open', opened: -3, due: 13, reason: 'The cardholder does not recognise this payment.' },
  { state: 'contested', opened: -70, due: -54, reason: 'Customer complained about debit without value' },
  { state: 'won', opened: -900, due: -880, reason: 'Duplicate debit' },
] as const

/** Disputes of payments of the demo's past: one that needs an answer, one at the bank, and one that was won. */
export async function insertDemoDisputes(
  db: Tx,
  { verifications, now }: { verifications: readonly DemoVerification[]; now: number },
): Promise<void> {
  const delivered = verifications.filter(
    ({ user_email: payer, certificate }) => payer === personas.bureau.email && certificate !== null,
  )
  for (const [position, { state, opened, due, reason }] of DEMO.entries()) {
    const transactionId = delivered[position]?.transaction_id
    const payment = transactionId && (await findPayment(db, { transactionId }))
    if (!payment) continue
    const at = now + opened * HOUR
    const undecided = state !== 'won'
    const heldMinor = undecided ? payment.amountMinor : 0
    const answered = { answer: 'contest', answeredBy: personas.superAdmin.id } as const
    const answeredAt = at + 2 * HOUR
    await insertDispute(db, {
      id: crypto.randomUUID(),
      paymentId: payment.id,
      provider: payment.provider,
      providerDisputeId: `CB-2026-00${position + 1}`,
      source: 'manual',
      state,
      amountMinor: payment.amountMinor,
      currency: payment.currency,
      reason,
      openedAt: at,
      dueAt: now + due * HOUR,
      heldMinor,
      ...(state !== 'open' && { ...answered, answeredAt, acknowledgedAt: answeredAt }),
      ...(undecided ? {} : { closedAt: answeredAt + 24 * HOUR }),
      nextAt: state === 'open' ? now + HOUR : null,
      createdAt: at,
      updatedAt: at,
    })
    const { id: paymentId, currency } = payment
    if (heldMinor > 0) await insertEntries(db, { paymentId, currency, at, entries: bookDispute(heldMinor) })
  }
}
