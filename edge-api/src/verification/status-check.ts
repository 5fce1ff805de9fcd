import type { Tx } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { consume } from '../limits/limiter.ts'
import { sendSoon } from '../mail/outbox.ts'
import { sumRefunds } from '../payments/money-store.ts'
import { reserveStatusCheck } from '../payments/requery-reservation-store.ts'
import { isWithoutGateway } from '../payments/rules.ts'
import { START_STALE_AFTER_MS, STATUS_CHECK_GAP_MS } from '../payments/schedule.ts'
import { findPayment, type Payment, type SyncSource } from '../payments/store.ts'
import { type SyncResult, syncPayment } from '../payments/sync.ts'
import type { Principal } from '../principal.ts'
import { toStatusReply, toTopupReply } from './replies.ts'
import type { PaymentView } from './rules.ts'
import { buildPaymentView, findPaymentView, readViewRows } from './store.ts'

/* Finds the payment of a status check, and requeries it, at most once every 5 s per payment. */

type AnyCall = Pick<Call, 'db' | 'ports'>
type StatusCall = AnyCall & { user: Principal; params: { id: string } }

/** Returns the ID of the account whose payments a caller may see; undefined for staff, who see all payments. */
const ownerFilterOf = ({ user }: StatusCall) => (user.role === 'user' ? user.id : undefined)

/**
 * Finds the caller's own payment or, for staff, any payment. The response does not reveal whether someone else's payment
 * exists.
 */
export async function requireOwnPayment(call: StatusCall): Promise<Payment> {
  const payment = await findPayment(call.db.read, { transactionId: call.params.id })
  const owner = ownerFilterOf(call)
  return payment && (owner === undefined || payment.userId === owner) ? payment : await countMiss(call)
}

/**
 * Finds a payment of the caller's account, with all data about it, in one query; undefined if the account has no such payment.
 */
export const readOwnPaymentView = ({
  db,
  user,
  params,
}: Pick<AnyCall, 'db'> & Pick<StatusCall, 'params'> & { user: { id: string } }) =>
  findPaymentView(db.read, { transactionId: params.id, userId: user.id })

/** Finds a payment that the caller may see; staff may see all payments. @param ownView the result of `readOwnPaymentView` */
export async function findVisiblePaymentView(
  call: StatusCall,
  ownView: PaymentView | undefined,
): Promise<PaymentView | undefined> {
  const userId = ownerFilterOf(call)
  if (ownView || userId !== undefined) return ownView
  return await findPaymentView(call.db.read, { transactionId: call.params.id, userId })
}

async function countMiss(call: StatusCall): Promise<never> {
  await consume(call, 'transaction_misses', call.user.id)
  throw new Fault('TRANSACTION_NOT_FOUND')
}

/** States in which money may still arrive, so that a requery is useful. */
const REQUERIED_STATES = new Set<Payment['status']>(['pending', 'unknown', 'processing', 'review', 'expired'])

/** True if a requery can change the payment's state. A payment that is still being started is not requeried. */
export const canChange = (
  { status, createdAt }: Pick<Payment, 'status' | 'createdAt'>,
  now: number,
): boolean => REQUERIED_STATES.has(status) || (status === 'created' && now - createdAt > START_STALE_AFTER_MS)

/** True for an attempt that failed while its checkout is still open: there, the payer may try another card or channel. */
const mayStillBePaid = ({ status, expiresAt }: Pick<Payment, 'status' | 'expiresAt'>, now: number): boolean =>
  (status === 'failed' || status === 'cancelled') && expiresAt > now

export interface StatusCheck {
  payment: Payment
  /** True if this call has requeried the gateway. */
  isRequeried: boolean
  /** True if the gateway answered this requery. */
  isAnswered: boolean
}

/** Requeries the gateway, unless the payment was requeried within the last 5 s. */
export async function requeryIfDue(
  { db, ports }: AnyCall,
  payment: Payment,
  source: SyncSource,
  actorId?: string,
): Promise<StatusCheck> {
  const reservedPayment = await reserveRequery({ db, ports }, payment)
  if (reservedPayment)
    return {
      ...(await requeryReserved({ db, ports }, reservedPayment, { source, actorId })),
      isRequeried: true,
    }
  const latest = await findPayment(db.read, { transactionId: payment.transactionId })
  return { payment: latest ?? payment, isRequeried: false, isAnswered: false }
}

/** Reserves a requery, and returns the payment; undefined if there has been a requery within the last 5 s. */
const reserveRequery = ({ db, ports }: AnyCall, { transactionId }: Pick<Payment, 'transactionId'>) =>
  reserveStatusCheck(db, { transactionId, now: ports.clock.now(), gap: STATUS_CHECK_GAP_MS })

async function requeryReserved<T>(
  { db, ports }: AnyCall,
  reservedPayment: Payment,
  {
    source,
    actorId,
    query: afterSync,
  }: { source: SyncSource; actorId?: string | undefined; query?: (tx: Tx) => Promise<T> },
): Promise<SyncResult<T>> {
  const synced = await syncPayment(ports, db, reservedPayment, source, actorId, afterSync)
  const { payment } = synced
  // Sends the mails to members of the organisation. The payer's mail is sent on commit.
  if (payment.status === 'paid' && payment.purpose === 'topup') sendSoon(ports)
  return synced
}

/**
 * Returns the current state of a payment. Requeries the gateway while money may still arrive; if that fails, returns the stored
 * state.
 */
export async function refreshView(
  call: AnyCall & Pick<Call, 'isHead'>,
  view: PaymentView,
): Promise<PaymentView> {
  const { db, ports } = call
  const { payment } = view.views[0]
  const now = ports.clock.now()
  if (call.isHead || !(canChange(payment, now) || mayStillBePaid(payment, now))) return view
  const { transactionId } = payment
  try {
    // If the gateway refused to start the payment, there is no checkout.
    if (payment.status === 'failed' && !(await findPayment(db.read, { transactionId }))?.paymentUrl)
      return view
    const reservedPayment = await reserveRequery(call, payment)
    const afterSync = (tx: Tx) => readViewRows(tx, { transactionId, userId: undefined })
    const rows =
      reservedPayment &&
      (await requeryReserved(call, reservedPayment, { source: 'user', query: afterSync })).queryResult
    if (rows) return (await buildPaymentView(db.read, rows)) ?? view
  } catch (error) {
    const cause = error instanceof Error ? error.name : 'unknown'
    ports.log({ level: 'warn', event: 'status_check_failed', cause })
  }
  return (await findPaymentView(db.read, { transactionId, userId: undefined })) ?? view
}

/** Returns a top-up by card, after requerying it if that can change its state. Top-ups have no certificate. */
export async function refreshTopup(
  call: AnyCall & Pick<Call, 'isHead'>,
  stored: Payment | undefined,
): Promise<{ payment: Payment; refunds: Awaited<ReturnType<typeof sumRefunds>> }> {
  if (!isCardTopup(stored)) throw new Fault('TRANSACTION_NOT_FOUND')
  const shouldRequery = !call.isHead && canChange(stored, call.ports.clock.now())
  const payment = shouldRequery ? (await requeryIfDue(call, stored, 'user')).payment : stored
  return { payment, refunds: await sumRefunds(call.db.read, { paymentId: payment.id }) }
}

/** True for a top-up by card. Bank transfers to a balance have the same purpose, but no gateway. */
const isCardTopup = (payment: Payment | undefined): payment is Payment =>
  payment?.purpose === 'topup' && !isWithoutGateway(payment.provider)

/** Returns the status reply for the stored state of a payment. */
export async function readStatusReply({ db, ports }: AnyCall, payment: Payment) {
  const { id: paymentId, transactionId } = payment
  const view = await findPaymentView(db.read, { transactionId, userId: undefined })
  if (view) return toStatusReply(view, ports.environment.PUBLIC_URL)
  if (!isCardTopup(payment)) throw new Fault('TRANSACTION_NOT_FOUND')
  return toTopupReply(payment, await sumRefunds(db.read, { paymentId }))
}
