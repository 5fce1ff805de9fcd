import type { DisputeAnswer, recordedStates } from '@portal/contract/admin-disputes'
import { formatMinor } from '@portal/format/money'
import { disputeMessages } from '@portal/rules/messages'
import type { Database, Tx } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import type { Disputes, GatewayDispute } from '../payment-gateway.ts'
import { bookFeeForDispute } from '../payments/dispute-money.ts'
import { withDeadline } from '../payments/query-gateway.ts'
import { findPayment } from '../payments/store.ts'
import { retryOnConflict } from '../payments/version-conflict.ts'
import type { Ports } from '../ports.ts'
import { buildEvidenceToSend } from './evidence.ts'
import { type DisputeRow, disputeCallsOf } from './rules.ts'
import { changeDisputeOrFail, enterState, openDispute } from './states.ts'
import { type DisputeView, findDispute, findDisputeView, insertDispute } from './store.ts'

/*
 * Actions of staff on a dispute. An answer is stored before it is sent, so that the queue can send it again if sending fails.
 */

/** Time limit for all calls to the gateway that one answer needs, in milliseconds. */
const ANSWER_TIMEOUT_MS = 60_000

type StaffCall = Pick<Call, 'db' | 'ports' | 'address' | 'requestId'> & {
  user: { id: string; email: string }
}

/** Returns the dispute with this ID. @throws Fault `NOT_FOUND` */
export async function disputeOrFail(db: Database['read'] | Tx, id: string): Promise<DisputeView> {
  const found = await findDisputeView(db, { id })
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such dispute.' })
  return found
}

/** True while staff can answer the dispute through the gateway's API. */
export const canAnswer = ({ dispute, payment }: DisputeView, gateways: Ports['gateways']): boolean =>
  dispute.source === 'gateway' &&
  dispute.state === 'open' &&
  dispute.acknowledgedAt === null &&
  disputeCallsOf({ provider: dispute.provider, mode: payment.mode }, gateways) !== undefined

/** True if staff must record the answer and the outcome themselves, because no API reports them. */
export const canRecord = ({ dispute, payment }: DisputeView, gateways: Ports['gateways']): boolean =>
  dispute.source === 'manual' ||
  disputeCallsOf({ provider: dispute.provider, mode: payment.mode }, gateways) === undefined

/**
 * Returns the amount that the payer gets back if the dispute is accepted, in minor units: the disputed amount minus separate
 * refunds.
 */
const amountToReturn = ({ dispute, refundedMinor }: Pick<DisputeView, 'dispute' | 'refundedMinor'>) =>
  Math.max(0, dispute.amountMinor - refundedMinor)

/** Stores an answer for the gateway, which the queue sends until the gateway confirms it. */
export async function queueAnswer(
  call: StaffCall,
  { id, answer, note }: { id: string; answer: DisputeAnswer; note: string },
): Promise<void> {
  const { ports, db } = call
  await retryOnConflict(() =>
    db.write(async tx => {
      const found = await disputeOrFail(tx, id)
      if (!canAnswer(found, ports.gateways)) throw new Fault('DISPUTE_CLOSED')
      if (answer === 'accept' && amountToReturn(found) === 0) throw new Fault('DISPUTE_ALREADY_REFUNDED')
      const { dispute, payment } = found
      const at = ports.clock.now()
      const answerFields = { answer, answeredBy: call.user.id, answeredAt: at, acknowledgedAt: null }
      await changeDisputeOrFail(tx, dispute, {
        ...answerFields,
        note: note || dispute.note,
        tries: 0,
        nextAt: at,
        updatedAt: at,
      })
      await recordChange(tx, call, {
        activity: answer === 'accept' ? 'Payment dispute acceptance ordered' : 'Payment dispute contested',
        details: `${payment.transactionId}: ${formatMinor(dispute.amountMinor, dispute.currency)}`,
        at,
      })
    }),
  )
}

/** Sends a stored answer. If the dispute's state at the gateway shows that it was already sent, it is not sent again. */
export async function sendAnswer(
  ports: Ports,
  database: Database,
  calls: Disputes,
  row: DisputeRow,
): Promise<GatewayDispute> {
  const found = await disputeOrFail(database.read, row.id)
  const evidence = await buildEvidenceToSend({ db: database, ports }, found)
  const dispute = { id: row.providerDisputeId }
  return withDeadline(
    signal =>
      row.answer === 'accept'
        ? calls.accept(
            { ...dispute, amountMinor: amountToReturn(found), note: row.note, file: evidence.file },
            signal,
          )
        : calls.contest({ ...dispute, evidence }, signal),
    ANSWER_TIMEOUT_MS,
  )
}

export async function saveNote(call: StaffCall, { id, note }: { id: string; note: string }): Promise<void> {
  await retryOnConflict(() =>
    call.db.write(async tx => {
      const { dispute, payment } = await disputeOrFail(tx, id)
      if (dispute.state !== 'open') throw new Fault('DISPUTE_CLOSED')
      const at = call.ports.clock.now()
      await changeDisputeOrFail(tx, dispute, { note, updatedAt: at })
      await recordChange(tx, call, {
        activity: 'Payment dispute note changed',
        details: payment.transactionId,
        at,
      })
    }),
  )
}

export interface EnteredDispute {
  transaction_id: string
  gateway_reference: string
  /** Disputed amount in minor units. */
  minor: number
  dueAt: number | null
  reason: string
}

/** Adds a dispute that no API reports. @returns its ID */
export async function addDisputeManually(call: StaffCall, input: EnteredDispute): Promise<string> {
  const { ports, db } = call
  const { minor, dueAt, reason, gateway_reference: providerDisputeId } = input
  return retryOnConflict(() =>
    db.write(async tx => {
      const payment = await findPayment(tx, { transactionId: input.transaction_id })
      if (!payment) throw new Fault('TRANSACTION_NOT_FOUND')
      const createFault = (field: string, message: string) =>
        new Fault('VALIDATION_ERROR', { fields: { [field]: message } })
      if (disputeCallsOf(payment, ports.gateways))
        throw createFault('transaction_id', 'The gateway of this payment reports its disputes itself.')
      if (payment.paidAt === null) throw createFault('transaction_id', disputeMessages.noMoney)
      if (minor > (payment.amountPaidMinor ?? payment.amountMinor))
        throw createFault('amount', disputeMessages.tooMuch)
      const { provider } = payment
      if (await findDispute(tx, { provider, providerDisputeId })) throw new Fault('DISPUTE_EXISTS')
      const at = ports.clock.now()
      const row = {
        paymentId: payment.id,
        provider,
        providerDisputeId,
        source: 'manual' as const,
        amountMinor: minor,
        currency: payment.currency,
        category: null,
        reason,
        openedAt: at,
        dueAt,
        gatewayStatus: null,
      }
      const origin = { source: 'user' as const, actorId: call.user.id }
      const { id } = await openDispute(ports, tx, row, insertDispute, { origin, at, notify: true })
      await recordChange(tx, call, {
        activity: 'Payment dispute entered',
        details: `${payment.transactionId}: ${formatMinor(minor, payment.currency)}, ${providerDisputeId}`,
        at,
      })
      return id
    }),
  )
}

const answerByState: Partial<Record<(typeof recordedStates)[number], DisputeAnswer>> = {
  accepted: 'accept',
  contested: 'contest',
}

/** Records the answer or the outcome of a dispute that no API reports. @returns the transaction ID of the payment */
export async function recordOutcome(
  call: StaffCall,
  {
    id,
    state,
    note,
    feeMinor,
  }: { id: string; state: (typeof recordedStates)[number]; note: string; feeMinor: number },
): Promise<string> {
  const { ports, db } = call
  return retryOnConflict(() =>
    db.write(async tx => {
      const found = await disputeOrFail(tx, id)
      const { dispute, payment } = found
      if (!canRecord(found, ports.gateways) || dispute.state === state) throw new Fault('DISPUTE_CLOSED')
      const at = ports.clock.now()
      const fee = Math.max(0, feeMinor - dispute.feeMinor)
      await bookFeeForDispute(tx, {
        paymentId: dispute.paymentId,
        currency: dispute.currency,
        minor: fee,
        at,
      })
      const answer = answerByState[state]
      const answerFields = answer && { answer, answeredBy: call.user.id, answeredAt: at, acknowledgedAt: at }
      await recordChange(tx, call, {
        activity: `Payment dispute recorded as ${state}`,
        details: `${payment.transactionId}: ${formatMinor(dispute.amountMinor, dispute.currency)}${note ? `. ${note}` : ''}`,
        at,
      })
      await enterState(ports, tx, dispute, state, {
        origin: { source: 'user', actorId: call.user.id },
        at,
        changes: { ...answerFields, note: note || dispute.note, feeMinor: dispute.feeMinor + fee },
      })
      return payment.transactionId
    }),
  )
}
