import { findUser } from '../accounts/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { isOpen } from '../db/schema/payment-states.ts'
import { sha256Hex } from '../digest.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import { completeFreePayment } from './enter-state.ts'
import { buildBill, insertNewAttempt, type PaymentStarter } from './new-attempt.ts'
import { findOpenAttempts, findVerifiedNumbers } from './numbers-store.ts'
import { type BeginOutcome, type Initiated, type RequestKey, startAttempt } from './start-attempt.ts'
import { listPaymentItems, type Payment, type PaymentItem } from './store.ts'
import { syncWithGateway } from './sync.ts'
import { findUnprintable, notifyOfUnprintable } from './unprintable-letters.ts'

export interface BulkStartRequest extends PaymentStarter {
  /** The distinct numbers that may be charged for. Those that are already verified or in progress are excluded later. */
  numbers: readonly string[]
  /** All requested numbers; the idempotency key can be used again only for the same ones. */
  requestedNumbers: readonly string[]
}

/** Nothing is due. `payment` is set if this call completed a payment with a fee of 0. */
type Finished = { kind: 'finished'; payment: Payment | undefined }

export type BulkStartResult = (Initiated & { items: PaymentItem[] }) | Finished

/** Maximum number of expired attempts that are closed before a new one is started. The scheduler closes the others. */
const MAX_EXPIRED_ATTEMPTS = 8

/**
 * Starts one payment for all numbers that need one. Numbers with an open attempt are not charged again; if all numbers have
 * one, continues the attempt that covers most of them.
 * @throws Fault `IDEMPOTENCY_MISMATCH`, `FEE_BELOW_MINIMUM`, `GATEWAY_UNAVAILABLE` (no one was charged), `DATABASE_UNAVAILABLE`
 */
export async function startBulkPayment(
  ports: Ports,
  database: Database,
  request: BulkStartRequest,
): Promise<BulkStartResult> {
  const requestHash = sha256Hex(`process-bulk-payment:${[...request.requestedNumbers].sort().join(',')}`)
  await closeExpiredAttempts(ports, database, request)
  const started = await startAttempt<Finished>(ports, database, { ...request, requestHash }, (tx, key) =>
    begin(ports, tx, request, key),
  )
  if (started.kind === 'finished') return started
  return { ...started, items: await listPaymentItems(database.read, { paymentId: started.payment.id }) }
}

/** Closes expired attempts, as a request for a single number does. */
async function closeExpiredAttempts(
  ports: Ports,
  database: Database,
  { user, numbers }: BulkStartRequest,
): Promise<void> {
  const open = await findOpenAttempts(database.read, { userId: user.id, numbers })
  const expired = new Map<string, Payment>()
  for (const payment of open.values()) {
    if (payment.expiresAt <= ports.clock.now()) expired.set(payment.id, payment)
  }
  await Promise.all(
    [...expired.values()]
      .slice(0, MAX_EXPIRED_ATTEMPTS)
      .map(({ transactionId }) => syncWithGateway(ports, database, { transactionId }, 'user')),
  )
}

async function begin(
  ports: Ports,
  db: Tx,
  request: BulkStartRequest,
  { keyedPayment, storeKey }: RequestKey,
): Promise<BeginOutcome<Finished>> {
  const { user } = request
  const at = ports.clock.now()
  if (keyedPayment && isOpen(keyedPayment.status)) return { kind: 'open', payment: keyedPayment }

  const numbersKey = { userId: user.id, numbers: request.numbers }
  const verified = await findVerifiedNumbers(db, numbersKey)
  const open = await findOpenAttempts(db, numbersKey)
  const unpaidNumbers = request.numbers.filter(number => !verified.has(number) && !open.has(number))
  const unprintable = await findUnprintable(db, { userId: user.id, numbers: unpaidNumbers })
  await notifyOfUnprintable(db, unprintable, at)
  const blockingProblem = [...unprintable.values()].find(({ source }) => source !== 'certificate')
  if (blockingProblem) return { kind: 'unprintable', problem: blockingProblem }
  const dueNumbers = unpaidNumbers.filter(number => !unprintable.has(number))
  // Returns the same response as the first time, and never charges again. The status check shows how that attempt ended.
  if (keyedPayment && dueNumbers.length > 0) {
    const { paymentUrl } = keyedPayment
    if (paymentUrl !== null)
      return { kind: 'finished', started: { kind: 'initiated', payment: keyedPayment, paymentUrl } }
    if (keyedPayment.status === 'paid')
      return { kind: 'finished', started: { kind: 'finished', payment: keyedPayment } }
  }
  if (dueNumbers.length === 0) {
    const attempt = findMostFrequent([...open.values()])
    if (!attempt) return { kind: 'finished', started: { kind: 'finished', payment: undefined } }
    await storeKey(attempt.id)
    return { kind: 'open', payment: attempt }
  }

  const [settings, payer] = await Promise.all([readSettings(db), findUser(db, { id: user.id })])
  const payment = await insertNewAttempt(ports, db, request, { numbers: dueNumbers, settings, at, payer })
  await storeKey(payment.id)
  if (payment.amountMinor > 0)
    return { kind: 'created', payment, bill: buildBill(dueNumbers, settings), payer }
  await completeFreePayment(ports, db, payment, at)
  return { kind: 'finished', started: { kind: 'finished', payment } }
}

/** Returns the attempt that occurs most often. */
function findMostFrequent(attempts: readonly Payment[]): Payment | undefined {
  const occurrences = new Map<string, number>()
  for (const { id } of attempts) occurrences.set(id, (occurrences.get(id) ?? 0) + 1)
  return attempts.toSorted((a, b) => (occurrences.get(b.id) ?? 0) - (occurrences.get(a.id) ?? 0))[0]
}
