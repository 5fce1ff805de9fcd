import { findUser, type User } from '../accounts/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { isOpen } from '../db/schema/payment-states.ts'
import { sha256Hex } from '../digest.ts'
import { type LetterProblem, unprintableFault } from '../letters/printable.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import { payNothing } from './enter-state.ts'
import { type Keyed, paymentOfKey, storeIdempotencyKey } from './idempotency-store.ts'
import { continueAttempt, initiate, MAX_ROUNDS } from './initiate.ts'
import { type Bill, billOf, insertNew, type Starter, unavailable } from './new-attempt.ts'
import { findOpenAttempts, findVerifiedNumbers } from './numbers-store.ts'
import { findPaymentById, itemsOf, type Payment, type PaymentItem } from './store.ts'
import { syncWithGateway } from './sync.ts'
import { findUnprintable, notifyOfUnprintable } from './unprintable.ts'

export interface BulkStartRequest extends Starter {
  /** Distinct numbers that may be charged for; numbers already verified or in progress are excluded again below. */
  numbers: readonly string[]
  /** All requested numbers, covered by the idempotency key. */
  requested: readonly string[]
}

export type BulkStarted =
  | { kind: 'initiated'; payment: Payment; items: PaymentItem[]; paymentUrl: string }
  /** Nothing to pay. `payment` is set if this call completed a payment with a fee of 0. */
  | { kind: 'settled'; payment: Payment | undefined }

/** Maximum expired attempts to close before starting a new one; the scheduler closes the rest. */
const MAX_LAPSED = 8

type Begun =
  | { kind: 'created'; payment: Payment; bill: Bill; payer: User | undefined }
  | { kind: 'open'; payment: Payment }
  | { kind: 'done'; started: Exclude<BulkStarted, { kind: 'initiated' }> }
  | { kind: 'unprintable'; problem: LetterProblem }
  | { kind: 'replayed'; payment: Payment; paymentUrl: string }

/**
 * Starts one payment for all numbers that need one. Numbers with an open attempt are not charged again; if all of
 * them have one, continues the attempt with most of them.
 * @throws Fault `IDEMPOTENCY_MISMATCH`, `FEE_BELOW_MINIMUM`, `GATEWAY_UNAVAILABLE` (no one was charged),
 * `DATABASE_UNAVAILABLE`
 */
export async function startBulkPayment(
  ports: Ports,
  database: Database,
  request: BulkStartRequest,
): Promise<BulkStarted> {
  const requestHash = sha256Hex(`process-bulk-payment:${[...request.requested].sort().join(',')}`)
  await endLapsed(ports, database, request)
  let earlier: string | undefined
  const done = (started: BulkStarted) => {
    if (earlier !== undefined && started.payment?.id === earlier) request.onReplay?.()
    return started
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const begun = await database.write(async tx => {
      const known = await paymentOfKey(tx, {
        userId: request.user.id,
        key: request.idempotencyKey,
        requestHash,
      })
      if (round === 0) earlier = known
      return await begin(ports, tx, { ...request, requestHash, known })
    })
    if (begun.kind === 'done') return done(begun.started)
    if (begun.kind === 'unprintable') throw unprintableFault(begun.problem)
    if (begun.kind === 'replayed') return done(await initiated(database, begun.payment, begun.paymentUrl))
    const ready =
      begun.kind === 'created'
        ? await initiate(ports, database, begun.payment, begun.bill, begun.payer)
        : await continueAttempt(ports, database, begun.payment)
    if (ready && isOpen(ready.status) && ready.paymentUrl !== null) {
      return done(await initiated(database, ready, ready.paymentUrl))
    }
    // The old attempt has ended (or was paid in the meantime): read the current state.
  }
  throw unavailable()
}

async function initiated({ read }: Database, payment: Payment, paymentUrl: string): Promise<BulkStarted> {
  const items = await itemsOf(read, { paymentId: payment.id })
  return { kind: 'initiated', payment, items, paymentUrl }
}

/** Closes expired attempts, as a request for a single number does. */
async function endLapsed(
  ports: Ports,
  database: Database,
  { user, numbers }: BulkStartRequest,
): Promise<void> {
  const open = await findOpenAttempts(database.read, { userId: user.id, numbers })
  const lapsed = new Map<string, Payment>()
  for (const payment of open.values()) {
    if (payment.expiresAt <= ports.clock.now()) lapsed.set(payment.id, payment)
  }
  await Promise.all(
    [...lapsed.values()]
      .slice(0, MAX_LAPSED)
      .map(({ transactionId }) => syncWithGateway(ports, database, { transactionId }, 'user')),
  )
}

async function begin(
  ports: Ports,
  db: Tx,
  { known, requestHash, ...request }: BulkStartRequest & Keyed,
): Promise<Begun> {
  const { user, idempotencyKey: key } = request
  const at = ports.clock.now()
  const keep = (paymentId: string) =>
    key !== undefined
      ? storeIdempotencyKey(db, { userId: user.id, key, requestHash, paymentId, createdAt: at })
      : Promise.resolve()

  const first = known === undefined ? undefined : await findPaymentById(db, { id: known })
  if (first && isOpen(first.status)) return { kind: 'open', payment: first }

  const named = { userId: user.id, numbers: request.numbers }
  const verified = await findVerifiedNumbers(db, named)
  const open = await findOpenAttempts(db, named)
  const wanted = request.numbers.filter(number => !verified.has(number) && !open.has(number))
  const unprintable = await findUnprintable(db, { userId: user.id, numbers: wanted })
  await notifyOfUnprintable(db, unprintable, at)
  const ours = [...unprintable.values()].find(({ source }) => source !== 'certificate')
  if (ours) return { kind: 'unprintable', problem: ours }
  const due = wanted.filter(number => !unprintable.has(number))
  // The same response as the first time, never a second charge; the status check shows how that attempt ended.
  if (first && due.length > 0) {
    if (first.paymentUrl !== null) {
      return { kind: 'replayed', payment: first, paymentUrl: first.paymentUrl }
    }
    if (first.status === 'paid') return { kind: 'done', started: { kind: 'settled', payment: first } }
  }
  if (due.length === 0) {
    const attempt = mostFrequent([...open.values()])
    if (!attempt) return { kind: 'done', started: { kind: 'settled', payment: undefined } }
    await keep(attempt.id)
    return { kind: 'open', payment: attempt }
  }

  const [settings, payer] = await Promise.all([readSettings(db), findUser(db, { id: user.id })])
  const payment = await insertNew(ports, db, request, { numbers: due, settings, at, payer })
  await keep(payment.id)
  if (payment.amountMinor > 0) return { kind: 'created', payment, bill: billOf(due, settings), payer }
  await payNothing(ports, db, payment, at)
  return { kind: 'done', started: { kind: 'settled', payment } }
}

/** The attempt that occurs most often. */
function mostFrequent(attempts: readonly Payment[]): Payment | undefined {
  const times = new Map<string, number>()
  for (const { id } of attempts) times.set(id, (times.get(id) ?? 0) + 1)
  return attempts.toSorted((a, b) => (times.get(b.id) ?? 0) - (times.get(a.id) ?? 0))[0]
}
