import { formatMinor } from '@portal/format/money'
import { refundMessages } from '@portal/rules/messages'
import type { Database, Tx } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { recordLogEntry } from '../logs/store.ts'
import type { Ports } from '../ports.ts'
import type { Principal } from '../principal.ts'
import { isDisputed } from './disputed-store.ts'
import { withDeadline } from './query-gateway.ts'
import { findRefundingGateway, refundMethodOf } from './refund-rules.ts'
import {
  changeRefund,
  findOtherPaymentByBankReference,
  findRefund,
  listRefundsByStatus,
  type RefundRow,
  type RefundView,
} from './refund-store.ts'
import { completeRefund, refundOrFail, sendRefund } from './refunds.ts'
import { retryOnConflict } from './version-conflict.ts'

const IN_PROGRESS_OR_DONE = refundMessages.underWay
const createInvalidReferenceFault = (message: string) =>
  new Fault('VALIDATION_ERROR', { fields: { bank_reference: message } })

export interface Approval {
  id: string
  actor: Pick<Principal, 'id' | 'email'>
  /**
   * For a refund that staff made: the reference of the bank transfer, or the refund's number at the gateway. Otherwise null.
   */
  bankReference: string | null
  address: string
  requestId: string
}

async function recordApproval(
  db: Tx,
  { payment, refund }: RefundView,
  approval: Approval,
  { at, isMadeAtGateway = false }: { at: number; isMadeAtGateway?: boolean },
): Promise<void> {
  const { actor, address, requestId, bankReference } = approval
  const amount = formatMinor(refund.amountMinor, refund.currency)
  const detailsSuffix =
    bankReference === null
      ? ''
      : `, ${isMadeAtGateway ? 'gateway refund' : 'bank reference'} ${bankReference}`
  await recordLogEntry(db, {
    userId: actor.id,
    userEmail: actor.email,
    activity:
      bankReference === null || isMadeAtGateway ? 'Refund approved' : 'Refund by bank transfer recorded',
    details: `${payment.transactionId}: ${amount}${detailsSuffix}`,
    ipAddress: address,
    requestId,
    at,
  })
}

/**
 * Stores that the refund is to be requested from the gateway. The scheduler requests it even if this call does not.
 * @returns false if the refund has changed
 */
async function storeRefundRequest(
  ports: Ports,
  database: Database,
  seen: RefundRow,
  approval: Approval,
): Promise<boolean> {
  const at = ports.clock.now()
  return database.write(async tx => {
    const found = await findRefund(tx, { id: seen.id })
    if (!found) return false
    const isChanged = await changeRefund(tx, seen, {
      status: 'approved',
      attempts: seen.attempts + 1,
      tries: 0,
      nextTryAt: at,
      leaseUntil: null,
      note: null,
      // Clears the ID of an earlier refund at the gateway, which failed.
      providerRefundId: null,
      approvedBy: approval.actor.id,
      approvedAt: at,
      updatedAt: at,
    })
    if (isChanged) await recordApproval(tx, found, approval, { at })
    return isChanged
  })
}

/**
 * True if the reference is the number of a refund that staff made at the gateway. If the gateway does not answer, the reference
 * is assumed to be the bank's.
 * @throws Fault `VALIDATION_ERROR` if that refund has another amount, or has already been recorded
 */
async function isGatewayRefund(
  ports: Ports,
  database: Database,
  found: RefundView,
  reference: string,
): Promise<boolean> {
  const { refund, payment } = found
  const gateway = findRefundingGateway(found, ports.gateways) && ports.gateways[payment.provider]
  const { providerTxnId } = payment
  if (!gateway?.findRefund || providerTxnId === null) return false
  const minor = await withDeadline(async signal =>
    gateway.findRefund?.({ providerTxnId, refundId: reference }, signal),
  ).catch(() => undefined)
  if (minor === undefined) return false
  if (minor !== refund.amountMinor)
    throw createInvalidReferenceFault(
      `The gateway's refund with this number is of ${formatMinor(minor, refund.currency)}.`,
    )
  const statuses = ['due', 'approved', 'needs_attention', 'failed', 'processed'] as const
  const others = await listRefundsByStatus(database.read, { paymentId: refund.paymentId, statuses })
  if (others.some(({ id, providerRefundId }) => id !== refund.id && providerRefundId === reference))
    throw createInvalidReferenceFault(
      'The gateway’s refund with this number is already recorded for another refund.',
    )
  return true
}

/**
 * Completes a refund that staff made outside the portal: by bank transfer, with the bank's reference, or at the gateway, with
 * the refund's number there. One transfer may cover several parts of a payment. A reference that another payment's refund has
 * is rejected as a typing error, because otherwise someone would never be refunded.
 */
async function recordRefund(
  ports: Ports,
  database: Database,
  approval: Approval & { bankReference: string },
): Promise<void> {
  const { id, actor, bankReference } = approval
  const view = await refundOrFail(database, id)
  const isMadeAtGateway = await isGatewayRefund(ports, database, view, bankReference)
  return retryOnConflict(() =>
    database.write(async tx => {
      const found = await findRefund(tx, { id })
      if (!found || refundMethodOf(found, ports.gateways) === null) return
      const otherPayment = await findOtherPaymentByBankReference(tx, {
        bankReference,
        exceptPaymentId: found.refund.paymentId,
      })
      if (otherPayment)
        throw createInvalidReferenceFault(
          `This reference is already used for a refund of ${otherPayment.transactionId}. Please check it.`,
        )
      const at = ports.clock.now()
      await recordApproval(tx, found, approval, { at, isMadeAtGateway })
      const reference = isMadeAtGateway ? { providerRefundId: bankReference } : { bankReference }
      const changes = { approvedBy: actor.id, approvedAt: at, ...reference }
      const request = { ipAddress: approval.address, requestId: approval.requestId }
      await completeRefund(ports, tx, found, changes, at, request)
    }),
  )
}

/**
 * Approves a refund, or approves it again after it has failed. A refund in progress or completed is left unchanged.
 * @returns the refund's current state
 * @throws Fault `NOT_FOUND`, or `VALIDATION_ERROR` if a bank reference is missing or not expected
 */
export async function approveRefund(
  ports: Ports,
  database: Database,
  approval: Approval,
): Promise<RefundView> {
  const { id, bankReference } = approval
  const found = await refundOrFail(database, id)
  const method = refundMethodOf(found, ports.gateways)
  if (method === null) {
    if (bankReference !== null && !hasReference(found, bankReference))
      throw createInvalidReferenceFault(IN_PROGRESS_OR_DONE)
    return found
  }
  if (method === 'bank' && bankReference === null)
    throw createInvalidReferenceFault('Bank reference is required')
  if (method === 'gateway' && bankReference === null && (await isDisputed(database.read, found.refund)))
    throw new Fault('PAYMENT_DISPUTED')
  if (bankReference !== null) await recordRefund(ports, database, { ...approval, bankReference })
  else if (await storeRefundRequest(ports, database, found.refund, approval))
    await sendRefund(ports, database, id)
  const updated = await refundOrFail(database, id)
  // Someone else has ended the refund, or the gateway has reversed everything. If the money was already sent by bank transfer,
  // that must still be recorded.
  if (bankReference !== null && !hasReference(updated, bankReference))
    throw createInvalidReferenceFault(IN_PROGRESS_OR_DONE)
  return updated
}

const hasReference = ({ refund }: RefundView, reference: string) =>
  refund.status === 'processed' && [refund.bankReference, refund.providerRefundId].includes(reference)
