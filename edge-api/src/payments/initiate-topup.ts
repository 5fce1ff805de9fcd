import { formatMinor } from '@portal/format/money'
import type { Database, Tx } from '../db/database.ts'
import { isOpen } from '../db/schema/payment-states.ts'
import { sha256Hex } from '../digest.ts'
import { Fault } from '../fault.ts'
import { newReference, newTransactionId } from '../ids.ts'
import { recordLogEntry } from '../logs/store.ts'
import { minimumPaymentMinor } from '../minimum-payment.ts'
import type { Ports } from '../ports.ts'
import type { Settings } from '../settings/rules.ts'
import { readSettings } from '../settings/store.ts'
import { createUnavailableFault, type PaymentStarter } from './new-attempt.ts'
import { OPEN_FOR_MS, START_STALE_AFTER_MS } from './schedule.ts'
import { type BeginOutcome, type Initiated, type RequestKey, startAttempt } from './start-attempt.ts'
import { appendEvent, findPaymentById, insertAttempt, type Payment } from './store.ts'
import { findOpenTopup } from './topup-store.ts'

export interface TopupRequest extends PaymentStarter {
  organisation: { id: string; name: string }
  /** Amount in minor units. */
  amountMinor: number
  /** Runs in the transaction that stores the attempt. Throws to reject the top-up. */
  check: (tx: Tx) => Promise<unknown>
}

/**
 * Starts a top-up by card, or continues the open attempt for the same amount. Uses the same state machine as all payments.
 * @throws Fault `IDEMPOTENCY_MISMATCH`, `FEE_BELOW_MINIMUM`, `GATEWAY_UNAVAILABLE` (no one was charged)
 */
export async function startTopup(
  ports: Ports,
  database: Database,
  request: TopupRequest,
): Promise<Initiated> {
  const { organisation, amountMinor } = request
  const requestHash = sha256Hex(`topup:${organisation.id}:${amountMinor}`)
  return await startAttempt<never>(ports, database, { ...request, requestHash }, (tx, key) =>
    begin(ports, tx, request, key),
  )
}

async function begin(
  ports: Ports,
  db: Tx,
  request: TopupRequest,
  { keyedPayment, storeKey }: RequestKey,
): Promise<BeginOutcome<never>> {
  const { organisation, amountMinor } = request
  if (keyedPayment?.paymentUrl && !isOpen(keyedPayment.status)) {
    const { paymentUrl } = keyedPayment
    return { kind: 'finished', started: { kind: 'initiated', payment: keyedPayment, paymentUrl } }
  }
  const open = await findOpenTopup(db, { organisationId: organisation.id, amountMinor })
  if (open) {
    await storeKey(open.id)
    return { kind: 'open', payment: open }
  }
  const settings = await readSettings(db)
  const payment = await insertTopup(ports, db, request, settings, ports.clock.now())
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
  if (!gateway) throw createUnavailableFault(new Error(`no gateway named ${provider}`))
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
  await recordLogEntry(db, {
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
