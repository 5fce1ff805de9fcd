import type { User } from '../accounts/store.ts'
import type { Tx } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { newReference, newTransactionId } from '../ids.ts'
import { recordLogEntry } from '../logs/store.ts'
import { minimumPaymentMinor } from '../minimum-payment.ts'
import { formatNumberList } from '../number-list.ts'
import type { Initiation, Order } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import type { Principal } from '../principal.ts'
import type { Settings } from '../settings/rules.ts'
import { toTaxColumns } from '../settings/tax-line.ts'
import { nextRequery, OPEN_FOR_MS, START_STALE_AFTER_MS } from './schedule.ts'
import { appendEvent, insertAttempt, type Payment } from './store.ts'

/** The person who starts a payment, and their request. */
export interface PaymentStarter {
  user: Principal
  idempotencyKey: string | undefined
  /** Called if the returned payment was started by an earlier request with the same key. */
  onReplay?: () => void
  address: string
  requestId: string
  /** Runs in the transaction that stores an attempt, before the gateway is called. */
  onStart?: (tx: Tx) => Promise<unknown>
}

export const createUnavailableFault = (cause?: unknown) =>
  new Fault('GATEWAY_UNAVAILABLE', { retryAfter: 5, cause })

interface NewAttempt {
  numbers: readonly string[]
  settings: Settings
  at: number
  payer: User | undefined
}

/** The description of a payment for the gateway, and the texts for the payment page. */
export type Bill = Required<Pick<Order, 'description' | 'display'>>

export function buildBill(numbers: readonly string[], { institution }: Settings): Bill {
  const [number = ''] = numbers
  const description = numbers.length === 1 ? number : `${numbers.length} certificates`
  const purpose =
    numbers.length === 1 ? `Certificate verification ${number}` : `Verification of ${description}`
  return { description, display: { purpose, payee: institution.name } }
}

type Attempt = Parameters<typeof insertAttempt>[1]

export function buildOrder(
  ports: Ports,
  payment: Pick<Attempt, 'providerReference' | 'amountMinor' | 'expiresAt' | 'transactionId'>,
  payer: User,
  bill: Bill,
): Order {
  return {
    reference: payment.providerReference,
    amount: { minor: payment.amountMinor, currency: 'NGN' },
    customer: payer,
    ...bill,
    returnUrl: `${ports.environment.PUBLIC_URL}/api/payments/return`,
    expiresAt: new Date(payment.expiresAt),
    idempotencyKey: payment.transactionId,
  }
}

/** Returns the changes of a payment's row once it has been started at the gateway. */
export const toInitiatedColumns = (
  payment: Pick<Attempt, 'expiresAt'>,
  { paymentUrl, fields, expiresAt }: Initiation,
) => ({
  paymentUrl,
  paymentFields: fields,
  expiresAt: Math.min(payment.expiresAt, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
})

/**
 * Adds the signed form to a new attempt. If the gateway must be called instead, or if signing fails, the attempt gets no form;
 * `initiate` reports the failure later.
 */
async function addSignedForm(
  ports: Ports,
  attempt: Attempt,
  payer: User | undefined,
  bill: Bill,
): Promise<Attempt> {
  const gateway = ports.gateways[attempt.provider]
  if (!gateway?.isSignedForm || !payer || attempt.amountMinor === 0) return attempt
  try {
    const order = buildOrder(ports, attempt, payer, bill)
    const form = await gateway.initiate(order, new AbortController().signal)
    const nextRequeryAt = nextRequery(attempt.createdAt, attempt.createdAt, Math.random()) ?? null
    return { ...attempt, ...toInitiatedColumns(attempt, form), status: 'pending', nextRequeryAt }
  } catch {
    return attempt
  }
}

/** Stores a new attempt for these numbers, before a gateway is called. If it has a signed form, it can be paid immediately. */
export async function insertNewAttempt(
  ports: Ports,
  db: Tx,
  { user, address, requestId, onStart }: PaymentStarter,
  { numbers, settings, at, payer }: NewAttempt,
): Promise<Payment> {
  const { fee, tax, policies } = settings
  const provider = ports.environment.PAYMENT_PROVIDER
  const gateway = ports.gateways[provider]
  if (!gateway) throw createUnavailableFault(new Error(`no gateway named ${provider}`))
  const id = crypto.randomUUID()
  const amountMinor = fee.minor * numbers.length
  if (amountMinor > 0 && amountMinor < minimumPaymentMinor(ports)) {
    ports.log({ level: 'error', event: 'fee_below_minimum', provider })
    throw new Fault('FEE_BELOW_MINIMUM')
  }
  const attempt: Attempt = {
    id,
    transactionId: newTransactionId(),
    userId: user.id,
    ipAddress: address,
    provider,
    providerReference: newReference(),
    mode: gateway.mode,
    amountMinor,
    currency: 'NGN',
    ...toTaxColumns(tax),
    status: 'created',
    unknownPolicy: policies.unknown_certificates,
    createdAt: at,
    updatedAt: at,
    expiresAt: at + OPEN_FOR_MS,
    nextRequeryAt: amountMinor > 0 ? at + START_STALE_AFTER_MS + 1000 : null,
  }
  const payment = await insertAttempt(
    db,
    await addSignedForm(ports, attempt, payer, buildBill(numbers, settings)),
    numbers.map(certificateNumber => ({ certificateNumber, amountMinor: fee.minor })),
  )
  const event = { paymentId: id, source: 'user', at }
  await appendEvent(
    db,
    { ...event, type: 'created', toStatus: 'created', actorId: user.id, amountMinor },
    ...(payment.status === 'pending'
      ? [{ ...event, type: 'pending', fromStatus: 'created', toStatus: 'pending' }]
      : []),
  )
  await recordLogEntry(db, {
    userId: user.id,
    userEmail: user.email,
    activity: 'Certificate verification started',
    details: formatNumberList(numbers),
    ipAddress: address,
    requestId,
    at,
  })
  if (amountMinor > 0) await onStart?.(db)
  return payment
}
