import { findUser, type User } from '../accounts/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { isOpen } from '../db/schema/payment-states.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import { type LetterProblem, unprintableFault } from '../letters/printable.ts'
import { GatewayRefusal } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import { completeFreePayment } from './enter-state.ts'
import { findPaymentIdForKey, type IdempotentRequest, storeIdempotencyKey } from './idempotency-store.ts'
import {
  type Bill,
  buildBill,
  buildOrder,
  changesOf,
  insertNewAttempt,
  type PaymentStarter,
  unavailableFault,
} from './new-attempt.ts'
import { findOpenAttempt, findVerified } from './numbers-store.ts'
import { withDeadline } from './query-gateway.ts'
import { GATEWAY_TIMEOUT_MS, START_STALE_AFTER_MS } from './schedule.ts'
import { type Fulfilment, findPaymentById, type Payment } from './store.ts'
import { syncWithGateway, updatePayment } from './sync.ts'
import { findUnprintable, notifyOfUnprintable } from './unprintable.ts'

export interface StartRequest extends PaymentStarter {
  certificateNumber: string
}

export type StartResult =
  | { kind: 'initiated'; payment: Payment; paymentUrl: string }
  | { kind: 'already_paid'; payment: Payment; fulfilment: Fulfilment }
  /** Nothing was charged: the certificate was deleted during a free verification. */
  | { kind: 'not_found' }

/** Maximum number of rounds in which a payment is started. A further round follows if an earlier attempt had to be closed. */
export const MAX_ROUNDS = 4

/**
 * Starts the payment for one certificate, or continues its open attempt. Rows are stored before the gateway is called, and the
 * gateway is called outside any transaction.
 * @throws Fault `IDEMPOTENCY_MISMATCH`, `FEE_BELOW_MINIMUM`, `GATEWAY_UNAVAILABLE` (no one was charged), `DATABASE_UNAVAILABLE`
 */
export async function startPayment(
  ports: Ports,
  database: Database,
  request: StartRequest,
): Promise<StartResult> {
  // Identifies the request: an idempotency key can be used again only for the same one.
  const requestHash = sha256Hex(`process-payment:${request.certificateNumber}`)
  let earlierPaymentId: string | undefined
  const finish = (started: StartResult) => {
    if (
      earlierPaymentId !== undefined &&
      started.kind !== 'not_found' &&
      started.payment.id === earlierPaymentId
    )
      request.onReplay?.()
    return started
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const start = await database.write(async tx => {
      const keyedPaymentId = await findPaymentIdForKey(tx, {
        userId: request.user.id,
        key: request.idempotencyKey,
        requestHash,
      })
      if (round === 0) earlierPaymentId = keyedPaymentId
      return await begin(ports, tx, { ...request, requestHash, keyedPaymentId })
    })
    if (start.kind === 'finished') return finish(start.started)
    if (start.kind === 'unprintable') throw unprintableFault(start.problem)
    const payment =
      start.kind === 'created'
        ? await initiate(ports, database, start.payment, start.bill, start.payer)
        : start.payment
    const ready = start.kind === 'created' ? payment : await continueAttempt(ports, database, payment)
    if (ready && isOpen(ready.status) && ready.paymentUrl !== null) {
      return finish({ kind: 'initiated', payment: ready, paymentUrl: ready.paymentUrl })
    }
    // The earlier attempt has since ended or been paid, so the next round reads the current state.
  }
  throw unavailableFault()
}

type BeginOutcome =
  | { kind: 'created'; payment: Payment; bill: Bill; payer: User | undefined }
  | { kind: 'open'; payment: Payment }
  | { kind: 'finished'; started: StartResult }
  | { kind: 'unprintable'; problem: LetterProblem }

/** Decides how to continue, in one transaction, and stores a new attempt if one is needed. */
async function begin(
  ports: Ports,
  db: Tx,
  { keyedPaymentId, requestHash, ...request }: StartRequest & IdempotentRequest,
): Promise<BeginOutcome> {
  const { user, certificateNumber, idempotencyKey: key } = request
  const at = ports.clock.now()

  const [payer, verified, open, unprintable, settings] = await Promise.all([
    findUser(db, { id: user.id }),
    findVerified(db, { userId: user.id, certificateNumber }),
    findOpenAttempt(db, { userId: user.id, certificateNumber }),
    findUnprintable(db, { userId: user.id, numbers: [certificateNumber] }),
    readSettings(db),
  ])
  if (verified) return { kind: 'finished', started: { kind: 'already_paid', ...verified } }

  const keyedPayment =
    keyedPaymentId === undefined ? undefined : await findPaymentById(db, { id: keyedPaymentId })
  if (keyedPayment?.paymentUrl && !isOpen(keyedPayment.status)) {
    // Returns the same response as the first time. The status check shows how that attempt ended.
    const { paymentUrl } = keyedPayment
    return { kind: 'finished', started: { kind: 'initiated', payment: keyedPayment, paymentUrl } }
  }

  const storeKey = (paymentId: string) =>
    key !== undefined
      ? storeIdempotencyKey(db, { userId: user.id, key, requestHash, paymentId, createdAt: at })
      : Promise.resolve()

  if (open) {
    await storeKey(open.id)
    return { kind: 'open', payment: open }
  }

  await notifyOfUnprintable(db, unprintable, at)
  const problem = unprintable.get(certificateNumber)
  if (problem) return { kind: 'unprintable', problem }

  const numbers = [certificateNumber]
  const payment = await insertNewAttempt(ports, db, request, { numbers, settings, at, payer })
  await storeKey(payment.id)
  if (payment.amountMinor > 0) return { kind: 'created', payment, bill: buildBill(numbers, settings), payer }
  await completeFreePayment(ports, db, payment, at)
  const verification = await findVerified(db, { userId: user.id, certificateNumber })
  return {
    kind: 'finished',
    started: verification ? { kind: 'already_paid', ...verification } : { kind: 'not_found' },
  }
}

/**
 * Registers a new attempt with the gateway, unless the signed payment form was already stored with it. Any outcome is stored,
 * including failures.
 * @param knownPayer the payer, if the caller has read it
 */
export async function initiate(
  ports: Ports,
  database: Database,
  payment: Payment,
  bill: Bill,
  knownPayer?: User,
): Promise<Payment> {
  if (payment.status !== 'created') return payment
  const gateway = ports.gateways[payment.provider]
  const payer = knownPayer ?? (await findUser(database.read, { id: payment.userId }))
  if (!gateway || !payer) throw unavailableFault()
  const source = 'user' as const
  try {
    const answer = await withDeadline(signal =>
      gateway.initiate(buildOrder(ports, payment, payer, bill), signal),
    )
    const changes = changesOf(payment, answer)
    return await updatePayment(ports, database, payment.id, { source, fact: 'initiated', changes }, payment)
  } catch (error) {
    if (error instanceof Fault) throw error
    const isRefused = error instanceof GatewayRefusal
    ports.log({
      level: 'warn',
      event: isRefused ? 'initiate_refused' : 'initiate_unanswered',
      provider: payment.provider,
      cause: error instanceof Error ? error.name : 'unknown',
    })
    if (isRefused) {
      const changes = { declineCode: 'PAYMENT_FAILED' }
      await updatePayment(ports, database, payment.id, { source, fact: 'refused', changes }, payment)
    } else {
      await updatePayment(ports, database, payment.id, { source, fact: 'unanswered' }, payment)
      await syncWithGateway(ports, database, { transactionId: payment.transactionId }, source)
    }
    throw unavailableFault(error)
  }
}

/**
 * Continues an open attempt. If it is still being started, waits for that; if it has no payment page or has expired, requeries
 * the gateway.
 */
export async function continueAttempt(
  ports: Ports,
  database: Database,
  open: Payment,
): Promise<Payment | undefined> {
  const isStarting = open.status === 'created' && ports.clock.now() - open.createdAt <= START_STALE_AFTER_MS
  const payment = isStarting ? await waitForStart(database, open) : open
  if (payment.status === 'created') throw unavailableFault()
  // The gateway has just refused to start the attempt, and would now also refuse another one.
  if (isStarting && payment.status === 'failed') throw unavailableFault()
  const isUsableLink = payment.paymentUrl !== null && payment.expiresAt > ports.clock.now()
  if (isUsableLink || !isOpen(payment.status)) return payment

  const synced = await syncWithGateway(ports, database, { transactionId: payment.transactionId }, 'user')
  if (!synced || !isOpen(synced.payment.status)) return undefined
  if (synced.payment.status !== 'processing') throw unavailableFault()
  return synced.payment
}

async function waitForStart(database: Database, open: Payment): Promise<Payment> {
  const deadline = performance.now() + GATEWAY_TIMEOUT_MS + 2000
  let payment = open
  for (let wait = 20; payment.status === 'created' && performance.now() < deadline; wait *= 1.5) {
    await new Promise(resolve => setTimeout(resolve, Math.min(wait, 250)))
    payment = (await findPaymentById(database.read, { id: open.id })) ?? payment
  }
  return payment
}
