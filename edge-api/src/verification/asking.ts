import { Fault } from '../fault.ts'
import { consume } from '../limits/limiter.ts'
import { sendSoon } from '../mail/outbox.ts'
import { STALE_START, STATUS_CHECK_GAP } from '../payments/schedule.ts'
import { type SettleSource, settle } from '../payments/settle.ts'
import { claimStatusCheck, findPayment, type Payment } from '../payments/store.ts'
import type { Call } from '../serve.ts'
import { statusReplyOf } from './rules.ts'
import { accountOf } from './store.ts'

/* A payment that a call is about, and asking the gateway for it: never more than once in 5 s a payment. */

type AnyCall = Pick<Call, 'db' | 'ports'>
type StatusCall = Pick<Call, 'db' | 'ports' | 'user' | 'address'> & { params: { id: string } }

/** The caller's own payment (any, for admins). Another's answers exactly as one that does not exist. */
export async function ownPayment(call: StatusCall): Promise<Payment> {
  const { user } = call
  const payment = await findPayment(call.db.read, { transactionId: call.params.id })
  if (payment && user && (payment.userId === user.id || user.role !== 'user')) return payment
  await consume(call, 'transaction_misses', user?.id ?? call.address)
  throw new Fault('TRANSACTION_NOT_FOUND')
}

/** States in which money may still come, so that a status check is worth a question. */
const askedStates = [
  'pending',
  'unknown',
  'processing',
  'review',
  'expired',
] as const satisfies readonly Payment['status'][]
const asked = new Set<Payment['status']>(askedStates)

/** True where asking can bring news. A start that somebody is still making is left alone. */
export const mayBringNews = ({ status, createdAt }: Payment, now: number): boolean =>
  asked.has(status) || (status === 'created' && now - createdAt > STALE_START)

export interface Asking {
  payment: Payment
  /** The gateway was asked by this very call. */
  asked: boolean
  /** Whether it then gave an answer. */
  answered: boolean
}

/** Asks the gateway, unless someone did so less than 5 s ago. */
export async function ask(
  { db, ports }: AnyCall,
  payment: Payment,
  source: SettleSource,
  actorId?: string,
): Promise<Asking> {
  const now = ports.clock.now()
  const mine = await db.write(tx => claimStatusCheck(tx, { id: payment.id, now, gap: STATUS_CHECK_GAP }))
  if (!mine) {
    const latest = await findPayment(db.read, { transactionId: payment.transactionId })
    return { payment: latest ?? payment, asked: false, answered: false }
  }
  const settled = await settle(ports, db, { transactionId: payment.transactionId }, source, actorId)
  if (settled?.payment.status === 'paid') sendSoon(ports)
  return { payment: settled?.payment ?? payment, asked: true, answered: settled?.answered ?? false }
}

/** The payment as it is now, the gateway asked while money may still come. What is stored is enough when that fails. */
export async function refreshed(call: AnyCall, payment: Payment): Promise<Payment> {
  const { ports } = call
  if (!mayBringNews(payment, ports.clock.now())) return payment
  try {
    return (await ask(call, payment, 'user')).payment
  } catch (error) {
    const cause = error instanceof Error ? error.name : 'unknown'
    ports.log({ level: 'warn', event: 'status_check_failed', cause })
    return payment
  }
}

/** The status reply of a payment as it is stored. */
export async function replyOf({ db, ports }: AnyCall, payment: Payment, certificateNumber?: string) {
  return statusReplyOf(await accountOf(db.read, payment), ports.environment.PUBLIC_URL, certificateNumber)
}
