import { findUser, type User } from '../accounts/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { isOpen } from '../db/schema/payment-states.ts'
import { Fault } from '../fault.ts'
import { type LetterProblem, toUnprintableFault } from '../letters/printable.ts'
import { GatewayRefusal } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { findPaymentIdForKey, storeIdempotencyKey } from './idempotency-store.ts'
import {
  type Bill,
  buildOrder,
  createUnavailableFault,
  type PaymentStarter,
  toInitiatedColumns,
} from './new-attempt.ts'
import { withDeadline } from './query-gateway.ts'
import { GATEWAY_TIMEOUT_MS, START_STALE_AFTER_MS } from './schedule.ts'
import { findPaymentById, type Payment } from './store.ts'
import { syncWithGateway, updatePayment } from './sync.ts'

/** An open payment whose page is ready. */
export interface Initiated {
  kind: 'initiated'
  payment: Payment
  paymentUrl: string
}

/** How a request continues. `finished` means that no gateway is needed, for example because nothing is due. */
export type BeginOutcome<Finished> =
  | { kind: 'created'; payment: Payment; bill: Bill; payer?: User | undefined }
  | { kind: 'open'; payment: Payment }
  | { kind: 'unprintable'; problem: LetterProblem }
  | { kind: 'finished'; started: Initiated | Finished }

/** The idempotency key of a request. Without a key, there is no earlier payment, and nothing is stored. */
export interface RequestKey {
  /** The payment that an earlier request with the same key started. */
  keyedPayment: Payment | undefined
  storeKey: (paymentId: string) => Promise<void>
}

type StartRequest = Pick<PaymentStarter, 'user' | 'idempotencyKey' | 'onReplay'> & {
  /** Identifies the request: an idempotency key can be used again only for the same one. */
  requestHash: string
  /** Runs first in each transaction. Throws to reject the request. */
  check?: (tx: Tx) => Promise<unknown>
}

/** Maximum number of rounds in which a payment is started. A further round follows if an earlier attempt had to be closed. */
const MAX_ROUNDS = 4

/**
 * Starts a payment, or continues an open attempt. Rows are stored before the gateway is called, and the gateway is called
 * outside any transaction.
 * @param begin decides how to continue, in one transaction, and stores a new attempt if one is needed
 * @throws Fault `IDEMPOTENCY_MISMATCH`, `GATEWAY_UNAVAILABLE` (no one was charged), or one for a letter that cannot be printed
 */
export async function startAttempt<Finished extends { payment?: Payment | undefined }>(
  ports: Ports,
  database: Database,
  { user, idempotencyKey: key, requestHash, check, onReplay }: StartRequest,
  begin: (tx: Tx, requestKey: RequestKey) => Promise<BeginOutcome<Finished>>,
): Promise<Initiated | Finished> {
  let earlierPaymentId: string | undefined
  const finish = (started: Initiated | Finished) => {
    if (earlierPaymentId !== undefined && started.payment?.id === earlierPaymentId) onReplay?.()
    return started
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const start = await database.write(async tx => {
      await check?.(tx)
      const keyedPaymentId = await findPaymentIdForKey(tx, { userId: user.id, key, requestHash })
      if (round === 0) earlierPaymentId = keyedPaymentId
      return await begin(tx, {
        keyedPayment:
          keyedPaymentId === undefined ? undefined : await findPaymentById(tx, { id: keyedPaymentId }),
        async storeKey(paymentId) {
          if (key === undefined) return
          const createdAt = ports.clock.now()
          await storeIdempotencyKey(tx, { userId: user.id, key, requestHash, paymentId, createdAt })
        },
      })
    })
    if (start.kind === 'finished') return finish(start.started)
    if (start.kind === 'unprintable') throw toUnprintableFault(start.problem)
    const ready =
      start.kind === 'created'
        ? await initiate(ports, database, start.payment, start.bill, start.payer)
        : await continueAttempt(ports, database, start.payment)
    if (ready && isOpen(ready.status) && ready.paymentUrl !== null)
      return finish({ kind: 'initiated', payment: ready, paymentUrl: ready.paymentUrl })
    // The earlier attempt has since ended or been paid, so the next round reads the current state.
  }
  throw createUnavailableFault()
}

/**
 * Registers a new attempt with the gateway, unless the signed payment form was already stored with it. Any outcome is stored,
 * including failures.
 * @param knownPayer the payer, if the caller has read it
 */
async function initiate(
  ports: Ports,
  database: Database,
  payment: Payment,
  bill: Bill,
  knownPayer?: User,
): Promise<Payment> {
  if (payment.status !== 'created') return payment
  const gateway = ports.gateways[payment.provider]
  const payer = knownPayer ?? (await findUser(database.read, { id: payment.userId }))
  if (!gateway || !payer) throw createUnavailableFault()
  const source = 'user' as const
  try {
    const answer = await withDeadline(signal =>
      gateway.initiate(buildOrder(ports, payment, payer, bill), signal),
    )
    const changes = toInitiatedColumns(payment, answer)
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
    throw createUnavailableFault(error)
  }
}

/**
 * Continues an open attempt. If it is still being started, waits for that; if it has no payment page or has expired, requeries
 * the gateway.
 */
async function continueAttempt(
  ports: Ports,
  database: Database,
  open: Payment,
): Promise<Payment | undefined> {
  const isStarting = open.status === 'created' && ports.clock.now() - open.createdAt <= START_STALE_AFTER_MS
  const payment = isStarting ? await waitForStart(database, open) : open
  if (payment.status === 'created') throw createUnavailableFault()
  // The gateway has just refused to start the attempt, and would now also refuse another one.
  if (isStarting && payment.status === 'failed') throw createUnavailableFault()
  const isUsableLink = payment.paymentUrl !== null && payment.expiresAt > ports.clock.now()
  if (isUsableLink || !isOpen(payment.status)) return payment

  const synced = await syncWithGateway(ports, database, { transactionId: payment.transactionId }, 'user')
  if (!synced || !isOpen(synced.payment.status)) return undefined
  if (synced.payment.status !== 'processing') throw createUnavailableFault()
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
