import { formatMinor } from '@portal/format/money'
import type { Database, Tx } from '../db/database.ts'
import { isOpen } from '../db/schema/payment-states.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import { newReference, newTransactionId } from '../ids.ts'
import { record } from '../logs/store.ts'
import { minimumPaymentMinor } from '../minimum-payment.ts'
import type { Ports } from '../ports.ts'
import type { Settings } from '../settings/rules.ts'
import { readSettings } from '../settings/store.ts'
import { findPaymentIdForKey, type IdempotentRequest, storeIdempotencyKey } from './idempotency-store.ts'
import { continueAttempt, initiate, MAX_ROUNDS } from './initiate.ts'
import { type Bill, type PaymentStarter, unavailableFault } from './new-attempt.ts'
import { OPEN_FOR_MS, START_STALE_AFTER_MS } from './schedule.ts'
import { appendEvent, findPaymentById, insertAttempt, type Payment } from './store.ts'
import { findOpenTopup } from './topup-store.ts'

export interface TopupRequest extends PaymentStarter {
  organisation: { id: string; name: string }
  /** Amount in minor units. */
  amountMinor: number
  /** Runs in the transaction that stores the attempt. Throws to reject the top-up. */
  check: (tx: Tx) => Promise<unknown>
}

type BeginOutcome =
  | { kind: 'created'; payment: Payment; bill: Bill }
  | { kind: 'open' | 'replayed'; payment: Payment }

/**
 * Starts a top-up by card, or continues the open attempt for the same amount. Uses the same state machine as all payments.
 * @throws Fault `IDEMPOTENCY_MISMATCH`, `FEE_BELOW_MINIMUM`, `GATEWAY_UNAVAILABLE` (no one was charged)
 */
export async function startTopup(
  ports: Ports,
  database: Database,
  request: TopupRequest,
): Promise<{ payment: Payment; paymentUrl: string }> {
  const { organisation, amountMinor } = request
  const requestHash = sha256Hex(`topup:${organisation.id}:${amountMinor}`)
  let earlierPaymentId: string | undefined
  const finish = (payment: Payment, paymentUrl: string) => {
    if (payment.id === earlierPaymentId) request.onReplay?.()
    return { payment, paymentUrl }
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const start = await database.write(async tx => {
      await request.check(tx)
      const keyedPaymentId = await findPaymentIdForKey(tx, {
        userId: request.user.id,
        key: request.idempotencyKey,
        requestHash,
      })
      if (round === 0) earlierPaymentId = keyedPaymentId
      return await begin(ports, tx, { ...request, requestHash, keyedPaymentId })
    })
    const { payment } = start
    if (start.kind === 'replayed' && payment.paymentUrl !== null) return finish(payment, payment.paymentUrl)
    const ready =
      start.kind === 'created'
        ? await initiate(ports, database, payment, start.bill)
        : await continueAttempt(ports, database, payment)
    if (ready && isOpen(ready.status) && ready.paymentUrl !== null) return finish(ready, ready.paymentUrl)
  }
  throw unavailableFault()
}

/** Decides how to continue, in one transaction, and stores a new attempt if one is needed. */
async function begin(
  ports: Ports,
  db: Tx,
  { keyedPaymentId, requestHash, ...request }: TopupRequest & IdempotentRequest,
): Promise<BeginOutcome> {
  const { user, organisation, amountMinor, idempotencyKey: key } = request
  const at = ports.clock.now()
  const keyedPayment =
    keyedPaymentId === undefined ? undefined : await findPaymentById(db, { id: keyedPaymentId })
  if (keyedPayment?.paymentUrl && !isOpen(keyedPayment.status))
    return { kind: 'replayed', payment: keyedPayment }
  const storeKey = (paymentId: string) =>
    key === undefined
      ? Promise.resolve()
      : storeIdempotencyKey(db, { userId: user.id, key, requestHash, paymentId, createdAt: at })
  const open = await findOpenTopup(db, { organisationId: organisation.id, amountMinor })
  if (open) {
    await storeKey(open.id)
    return { kind: 'open', payment: open }
  }
  const settings = await readSettings(db)
  const payment = await insertTopup(ports, db, request, settings, at)
  await storeKey(payment.id)
  const description = `Top-up of ${organisation.name}`
  const display = { purpose: description, payee: settings.institution.name }
  return { kind: 'created', payment, bill: { description, display } }
}

async function insertTopup(
  ports: Ports,
  db: Tx,
  request: TopupRequest,
  { policies }: Settings,
  at: number,
): Promise<Payment> {
  const { user, organisation, amountMinor, address, requestId } = request
  const provider = ports.environment.PAYMENT_PROVIDER
  const gateway = ports.gateways[provider]
  if (!gateway) throw unavailableFault(new Error(`no gateway named ${provider}`))
  if (amountMinor < minimumPaymentMinor(ports)) throw new Fault('FEE_BELOW_MINIMUM')
  const id = crypto.randomUUID()
  const row = {
    id,
    transactionId: newTransactionId(),
    userId: user.id,
    organisationId: organisation.id,
    purpose: 'topup' as const,
    ipAddress: address,
    provider,
    providerReference: newReference(),
    mode: gateway.mode,
    amountMinor,
    currency: 'NGN',
    status: 'created' as const,
    unknownPolicy: policies.unknown_certificates,
    createdAt: at,
    updatedAt: at,
    expiresAt: at + OPEN_FOR_MS,
    nextRequeryAt: at + START_STALE_AFTER_MS + 1000,
  }
  await insertAttempt(db, row, [])
  const started = { toStatus: 'created', source: 'user', actorId: user.id, amountMinor, at }
  await appendEvent(db, { paymentId: id, type: 'created', ...started })
  await record(db, {
    userId: user.id,
    userEmail: user.email,
    activity: 'Organisation payment started',
    details: `${row.transactionId}: ${formatMinor(amountMinor)}`,
    ipAddress: address,
    requestId,
    organisationId: organisation.id,
    at,
  })
  await request.onStart?.(db)
  const payment = await findPaymentById(db, { id })
  if (!payment) throw new Error('a payment has disappeared')
  return payment
}
