import { findByNumber } from '../certificates/store.ts'
import type { Tx } from '../db/database.ts'
import { newPrefixedId } from '../ids.ts'
import type { LetterProblem } from '../letters/printable.ts'
import { countWithin, type LimiterCall, requireAllowance } from '../limits/limiter.ts'
import type { OrganisationRow } from '../membership/store.ts'
import { recordEvent } from '../organisation-events/record-event.ts'
import { type Charge, chargeBalance, type Requester } from '../payments/charge.ts'
import { findVerified } from '../payments/numbers-store.ts'
import { findUnprintable } from '../payments/unprintable-letters.ts'
import type { Ports } from '../ports.ts'
import { insertVerification, type VerificationRow } from './verification-store.ts'

/** A request to verify one certificate number, with its price. */
export interface VerificationOrder {
  organisation: OrganisationRow
  certificateNumber: string
  reference: string | null
  purpose: string | null
  feeMinor: number
  unknownPolicy: Charge['unknownPolicy']
  tax: Charge['tax']
  requester: Requester
  source: VerificationRow['source']
  batchId: string | null
  heldItemSeq?: number | undefined
  at: number
}

export type VerificationOutcome =
  | { kind: 'already_paid'; paymentId: string }
  /** Not charged, because the letter would contain characters that cannot be printed. */
  | { kind: 'unprintable'; problem: LetterProblem }
  | { kind: 'done'; id: string; paymentId: string | null; result: 'verified' | 'not_found' }

/** What verifying needs of a call: the rate limit for unknown numbers, and the ports for sending events. */
export type VerifyingCall = LimiterCall & { ports: Ports }

/**
 * Verifies one number for an organisation, in the caller's transaction. A certificate that the organisation has already paid for
 * and that is still in the register is free, and so is an unknown number under the policy `free`.
 * @throws Fault `INSUFFICIENT_BALANCE`, or `RATE_LIMITED` above the limit of unknown numbers
 */
export async function verifyInTransaction(
  tx: Tx,
  call: VerifyingCall,
  order: VerificationOrder,
): Promise<VerificationOutcome> {
  const { ports } = call
  const { organisation, certificateNumber, at } = order
  const earlier = await findVerified(tx, { userId: organisation.id, certificateNumber })
  if (earlier) return { kind: 'already_paid', paymentId: earlier.payment.id }
  const isFree = order.unknownPolicy === 'free' || order.feeMinor === 0
  const certificate = await findByNumber(tx, { certificateNumber })
  if (!certificate && isFree) {
    await requireAllowance(call, 'organisation_misses', organisation.id, tx)
    await countWithin(tx, call, 'organisation_misses', organisation.id)
    const id = await storeVerification(tx, ports, order, {
      paymentId: null,
      result: 'not_found',
      amountMinor: 0,
    })
    return { kind: 'done', id, paymentId: null, result: 'not_found' }
  }
  const problems = await findUnprintable(tx, { userId: organisation.id, numbers: [certificateNumber] })
  const problem = problems.get(certificateNumber)
  if (problem) return { kind: 'unprintable', problem }
  const { payment, outcome } = await chargeBalance(tx, {
    organisationId: organisation.id,
    certificateNumber,
    feeMinor: order.feeMinor,
    unknownPolicy: order.unknownPolicy,
    tax: order.tax,
    requester: order.requester,
    heldItemSeq: order.heldItemSeq,
    at,
  })
  const result = outcome === 'verified' ? 'verified' : 'not_found'
  const amountMinor = payment.amountMinor
  const id = await storeVerification(tx, ports, order, { paymentId: payment.id, result, amountMinor })
  return { kind: 'done', id, paymentId: payment.id, result }
}

async function storeVerification(
  tx: Tx,
  ports: Ports,
  order: VerificationOrder,
  outcome: Pick<VerificationRow, 'paymentId' | 'result' | 'amountMinor'>,
): Promise<string> {
  const { organisation, certificateNumber, reference, purpose, source, batchId, requester, at } = order
  const id = newPrefixedId('ver')
  await insertVerification(tx, {
    id,
    organisationId: organisation.id,
    certificateNumber,
    reference,
    purpose,
    status: 'completed',
    ...outcome,
    batchId,
    requestedBy: requester.userId,
    source,
    livemode: true,
    createdAt: at,
    completedAt: at,
  })
  // For a batch, a single event is recorded at its end instead.
  if (batchId === null)
    await recordEvent(tx, ports, {
      organisationId: organisation.id,
      type: 'verification.completed',
      livemode: true,
      data: { id, status: 'completed', certificate_number: certificateNumber, reference },
      dedupeKey: id,
      at,
    })
  return id
}
