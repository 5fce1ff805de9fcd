import { formatMinor } from '@portal/format/money'
import { refundMessages } from '@portal/rules/messages'
import { findUser } from '../accounts/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { transition } from '../db/schema/payment-states.ts'
import { Fault } from '../fault.ts'
import { recordLogEntry } from '../logs/store.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { notifyRefund, notifyRefundNeedsAttention } from '../notifications/notify-money.ts'
import { GatewayRefusal, type Refund } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { type Outcome, SKIPPED } from '../queues/run-queue.ts'
import { isDisputed } from './disputed-store.ts'
import { CANCEL_AT_GATEWAY, REFUNDED_TWICE } from './double-refund-alert.ts'
import { balancesOf, findMoneyAtGateway, insertEntries, REVERSED_BY_GATEWAY } from './money-store.ts'
import { composeRefundMail } from './outcome-mail.ts'
import { listPaymentSubjects } from './payment-subjects.ts'
import { withDeadline } from './query-gateway.ts'
import {
  bookRefund,
  findRefundingGateway,
  MAX_REQUERY_DELAY_MS,
  requeryDelay,
  requestKey,
} from './refund-rules.ts'
import {
  changeRefund,
  findRefund,
  leaseRefund,
  listRefundsByStatus,
  type RefundRow,
  type RefundView,
} from './refund-store.ts'
import { isAtGateway } from './rules.ts'
import { LEASE_MS } from './schedule.ts'
import { appendEvent, compareAndSet, findPaymentById } from './store.ts'
import { retryOnConflict, VersionConflict } from './version-conflict.ts'

/*
 * Refunds. A super admin approves them. The gateway is called outside any transaction, with an idempotency key, so that it
 * never refunds twice. Its response is stored with ledger, payment and mail in one transaction.
 */

/** Finds the refund with this ID. @throws Fault `NOT_FOUND` */
export async function refundOrFail(database: Database, id: string): Promise<RefundView> {
  const found = await findRefund(database.read, { id })
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such refund.' })
  return found
}

/** Sends an approved refund to the gateway, or requeries it. Only one worker at a time does this. */
export async function sendRefund(ports: Ports, database: Database, id: string): Promise<Outcome> {
  const now = ports.clock.now()
  if (!(await database.write(tx => leaseRefund(tx, { id, now, until: now + LEASE_MS })))) return SKIPPED
  const found = await findRefund(database.read, { id })
  if (!found) return undefined
  // A refund that already exists at the gateway is only requeried, even if the payment is disputed.
  const isPaymentDisputed =
    found.refund.providerRefundId === null && (await isDisputed(database.read, found.refund))
  const answer = isPaymentDisputed ? DISPUTED_ANSWER : await requestOrRequery(ports, found)
  const { attempts } = found.refund
  await retryOnConflict(() => database.write(tx => storeRefundResponse(ports, tx, { id, attempts }, answer)))
  if (answer.status !== 'pending') return undefined
  const reason = answer.note ?? 'The gateway has not finished this refund yet.'
  return { reason, nextAt: (await findRefund(database.read, { id }))?.refund.nextTryAt ?? now }
}

const DISPUTED_ANSWER: Answer = {
  status: 'pending',
  note: 'The payment is disputed. The refund waits, so that the money is not returned twice.',
}

type Answer = Pick<Refund, 'status'> & { refundId?: string; note?: string }

const NOTES = {
  failed: refundMessages.refused,
  needs_attention: refundMessages.needsManualAction,
}

/** Requests the refund from the gateway, or requeries it. Without a response, it counts as pending. */
async function requestOrRequery(ports: Ports, found: RefundView): Promise<Answer> {
  const { refund, payment } = found
  const gateway = findRefundingGateway(found, ports.gateways)
  if (!gateway || payment.providerTxnId === null)
    return { status: 'needs_attention', note: 'This gateway no longer supports refunds.' }
  const { providerTxnId, providerReference: reference } = payment
  const refundId = refund.providerRefundId ?? undefined
  const amount = { minor: refund.amountMinor, currency: 'NGN' as const }
  try {
    return await withDeadline(signal =>
      gateway.refund(
        {
          reference,
          providerTxnId,
          amount,
          idempotencyKey: requestKey(refund),
          ...(refundId && { refundId }),
        },
        signal,
      ),
    )
  } catch (error) {
    if (error instanceof GatewayRefusal)
      return { status: 'failed', note: error.staffNote ?? 'The gateway refused the refund.' }
    const cause = error instanceof Error ? error.name : 'unknown'
    ports.log({ level: 'warn', event: 'refund_unanswered', provider: payment.provider, cause })
    return { status: 'pending', note: refundMessages.noAnswer }
  }
}

const isInProgress = ({ status }: RefundRow) => status === 'approved' || status === 'needs_attention'

/** Stores the gateway's response about a refund, with all its effects. */
export async function storeRefundResponse(
  ports: Ports,
  db: Tx,
  { id, attempts }: { id: string; attempts: number },
  answer: Answer,
): Promise<void> {
  const found = await findRefund(db, { id })
  // A late response to a request that has failed in the meantime must not be applied to the next request.
  if (!found || !isInProgress(found.refund) || found.refund.attempts !== attempts) return
  const { refund, payment } = found
  const at = ports.clock.now()
  const providerRefundId = answer.refundId ?? refund.providerRefundId
  switch (answer.status) {
    case 'processed':
      return completeRefund(ports, db, found, { providerRefundId }, at)
    case 'pending': {
      // If someone continued a refund at the gateway, it is in progress again. Without a response, its state is unknown.
      const isResumed = answer.refundId !== undefined && refund.status === 'needs_attention'
      const changes = isResumed ? { status: 'approved' as const, note: null, updatedAt: at } : {}
      const nextTryAt = at + requeryDelay(refund.tries)
      await changeOrThrow(db, refund, { ...changes, providerRefundId, nextTryAt, leaseUntil: null })
      return
    }
    case 'failed':
    case 'needs_attention': {
      const { status, note = NOTES[status] } = answer
      // Staff may complete it at the gateway, so it is still requeried, though rarely.
      const nextTryAt = status === 'needs_attention' ? at + MAX_REQUERY_DELAY_MS : null
      if (status === refund.status) return changeOrThrow(db, refund, { nextTryAt, leaseUntil: null })
      const cleared = { nextTryAt: null, leaseUntil: null }
      const received = (await findMoneyAtGateway(db, { paymentIds: [refund.paymentId] })).get(
        refund.paymentId,
      )
      if (payment.status === 'reversed' && (received?.remainingMinor ?? 0) <= 0) {
        const ended = {
          status: 'processed' as const,
          processedAt: at,
          note: REVERSED_BY_GATEWAY,
          updatedAt: at,
        }
        await changeOrThrow(db, refund, { ...cleared, ...ended, providerRefundId })
        if (status === 'needs_attention')
          await notifyRefundNeedsAttention(db, { payment, refund, note: CANCEL_AT_GATEWAY, at })
        return
      }
      await changeOrThrow(db, refund, {
        ...cleared,
        nextTryAt,
        providerRefundId,
        status,
        note,
        updatedAt: at,
      })
      await scheduleRequery(db, refund, at)
      await reportProblem(ports, db, found, { status, note, at })
    }
  }
}

/**
 * Makes the payment of a failed refund due for a requery at the next run. While the refund was in progress, a reversal by the
 * gateway was assumed to be the effect of the refund.
 */
async function scheduleRequery(db: Tx, { paymentId }: RefundRow, at: number): Promise<void> {
  const payment = await findPaymentById(db, { id: paymentId })
  if (!payment) throw new VersionConflict()
  await compareAndSet(db, payment, { nextRequeryAt: at })
}

async function changeOrThrow(
  db: Tx,
  seen: RefundRow,
  changes: Parameters<typeof changeRefund>[2],
): Promise<void> {
  if (!(await changeRefund(db, seen, changes))) throw new VersionConflict()
}

async function reportProblem(
  ports: Ports,
  db: Tx,
  { refund, payment }: RefundView,
  { status, note, at }: { status: 'failed' | 'needs_attention'; note: string; at: number },
): Promise<void> {
  ports.log({ level: 'error', event: 'refund', payment: refund.paymentId, status })
  await recordLogEntry(db, {
    userId: null,
    userEmail: null,
    activity: status === 'failed' ? 'Refund failed' : 'Refund needs attention',
    details: `${payment.transactionId}: ${formatMinor(refund.amountMinor, refund.currency)}. ${note}`,
    at,
  })
  await notifyRefundNeedsAttention(db, { payment, refund, note, at })
}

/**
 * Applies all effects of a completed refund: refund, ledger, payment, mail and notifications. The log names the person who
 * approved it; `request` is that person's request, if it completed the refund.
 */
export async function completeRefund(
  ports: Ports,
  db: Tx,
  { refund, payment: { transactionId } }: RefundView,
  changes: Parameters<typeof changeRefund>[2],
  at: number,
  request: { ipAddress?: string; requestId?: string } = {},
): Promise<void> {
  const cleared = { nextTryAt: null, leaseUntil: null, note: null, updatedAt: at }
  await changeOrThrow(db, refund, { ...cleared, ...changes, status: 'processed', processedAt: at })
  const { paymentId, amountMinor, currency } = refund
  const sourceAccount = changes.bankReference ? 'bank' : 'gateway_clearing'
  await insertEntries(db, { paymentId, entries: bookRefund(amountMinor, sourceAccount), currency, at })
  await closePayment(db, refund, { source: changes.approvedBy ? 'user' : 'scheduler', at })

  const payment = await findPaymentById(db, { id: paymentId })
  const payer = payment && (await findUser(db, { id: payment.userId }))
  if (!payment || !payer) throw new Error('the payment of a refund does not exist')
  const balances = await balancesOf(db, { paymentId })
  if (balances.some(({ account, minor }) => account === 'refund_payable' && minor > 0)) {
    await notifyRefundNeedsAttention(db, { payment, refund, note: REFUNDED_TWICE, at })
  }
  const approvedBy = changes.approvedBy ?? refund.approvedBy
  const approver = approvedBy ? await findUser(db, { id: approvedBy }) : undefined
  await recordLogEntry(db, {
    userId: approver?.id ?? null,
    userEmail: approver?.email ?? null,
    activity: 'Refund processed',
    details: `${transactionId}: ${formatMinor(amountMinor, currency)}`,
    ...request,
    at,
  })
  const numbers = await listPaymentSubjects(db, payment)
  await notifyRefund(db, { payer, payment, refund, numbers, at })
  const { providerReference: reference, purpose, organisationId } = payment
  const details = { transactionId, reference, numbers, minor: amountMinor, currency, purpose, organisationId }
  const mail = composeRefundMail(await readSender(db, ports), payer, {
    ...details,
    bankReference: changes.bankReference ?? null,
  })
  await enqueueMail(db, ports, { ...mail, dedupeKey: `refund:${refund.id}` })
}

/** Marks a payment as refunded if all of it was; a partial refund only adds an event. */
async function closePayment(
  db: Tx,
  { id, paymentId, amountMinor, currency, approvedBy }: RefundRow,
  { source, at }: { source: string; at: number },
): Promise<void> {
  const payment = await findPaymentById(db, { id: paymentId })
  if (!payment) throw new Error('the payment of a refund does not exist')
  const processedRefunds = await listRefundsByStatus(db, { paymentId, statuses: ['processed'] })
  const refundedMinor = processedRefunds
    .filter(row => row.currency === currency)
    .reduce((sum, row) => sum + row.amountMinor, 0)
  const received = (await findMoneyAtGateway(db, { paymentIds: [paymentId] })).get(paymentId)
  const to =
    received && refundedMinor >= received.minor ? transition(payment.status, 'refund_processed') : undefined
  const event = { paymentId, providerTxnId: id, source, actorId: approvedBy, amountMinor, at }
  if (!to) {
    await appendEvent(db, { ...event, type: 'refund_processed' })
    // A reversal of the remaining amount may have waited for this refund: see `hasUnrecordedRefund`.
    await compareAndSet(db, payment, { nextRequeryAt: isAtGateway(payment) ? at : null })
    return
  }
  const changes = { status: to, resolution: 'refunded' as const, nextRequeryAt: null, updatedAt: at }
  await compareAndSet(db, payment, changes)
  await appendEvent(db, { ...event, type: to, fromStatus: payment.status, toStatus: to })
}
