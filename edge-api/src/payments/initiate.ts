import { findUser } from '../accounts/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { isOpen } from '../db/schema/payment-states.ts'
import { sha256Hex } from '../digest.ts'
import type { Ports } from '../ports.ts'
import { readSettings } from '../settings/store.ts'
import { completeFreePayment } from './enter-state.ts'
import { buildBill, insertNewAttempt, type PaymentStarter } from './new-attempt.ts'
import { findOpenAttempt, findVerified } from './numbers-store.ts'
import { type BeginOutcome, type Initiated, type RequestKey, startAttempt } from './start-attempt.ts'
import type { Fulfilment, Payment } from './store.ts'
import { findUnprintable, notifyOfUnprintable } from './unprintable-letters.ts'

export interface StartRequest extends PaymentStarter {
  certificateNumber: string
}

type Finished =
  | { kind: 'already_paid'; payment: Payment; fulfilment: Fulfilment }
  /** Nothing was charged: the certificate was deleted during a free verification. */
  | { kind: 'not_found'; payment?: undefined }

export type StartResult = Initiated | Finished

/**
 * Starts the payment for one certificate, or continues its open attempt.
 * @throws Fault `IDEMPOTENCY_MISMATCH`, `FEE_BELOW_MINIMUM`, `GATEWAY_UNAVAILABLE` (no one was charged), `DATABASE_UNAVAILABLE`
 */
export function startPayment(ports: Ports, database: Database, request: StartRequest): Promise<StartResult> {
  const requestHash = sha256Hex(`process-payment:${request.certificateNumber}`)
  return startAttempt<Finished>(ports, database, { ...request, requestHash }, (tx, key) =>
    begin(ports, tx, request, key),
  )
}

async function begin(
  ports: Ports,
  db: Tx,
  request: StartRequest,
  { keyedPayment, storeKey }: RequestKey,
): Promise<BeginOutcome<Finished>> {
  const { user, certificateNumber } = request
  const at = ports.clock.now()

  const [payer, verified, open, unprintable, settings] = await Promise.all([
    findUser(db, { id: user.id }),
    findVerified(db, { userId: user.id, certificateNumber }),
    findOpenAttempt(db, { userId: user.id, certificateNumber }),
    findUnprintable(db, { userId: user.id, numbers: [certificateNumber] }),
    readSettings(db),
  ])
  if (verified) return { kind: 'finished', started: { kind: 'already_paid', ...verified } }

  if (keyedPayment?.paymentUrl && !isOpen(keyedPayment.status)) {
    // Returns the same response as the first time. The status check shows how that attempt ended.
    const { paymentUrl } = keyedPayment
    return { kind: 'finished', started: { kind: 'initiated', payment: keyedPayment, paymentUrl } }
  }

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
