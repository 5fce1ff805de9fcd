import * as field from '@portal/contract/fields'
import type { Batch, batchBody } from '@portal/contract/organisation-batches'
import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import { counted } from '@portal/format/counted'
import type * as z from 'zod'
import { Fault } from '../fault.ts'
import { afterResponse } from '../http/after-response.ts'
import type { Call } from '../http/serve.ts'
import { liveScope, runOnceForKey } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { recordLogEntry } from '../logs/store.ts'
import { drainOutbox } from '../mail/outbox.ts'
import { holdForItems, releaseItems } from '../organisation-money/hold-store.ts'
import { findVerifiedNumbers } from '../payments/numbers-store.ts'
import { readSettings } from '../settings/store.ts'
import { toTaxColumns } from '../settings/tax-line.ts'
import { createBatchNotFoundFault, readBatchReply } from './batch-replies.ts'
import { completeBatch, runBatches } from './batch-run.ts'
import {
  type BatchItemRow,
  cancelPendingItems,
  changeBatch,
  countRunningBatches,
  findBatch,
  findBatchById,
  insertBatch,
  insertItems,
} from './batch-store.ts'
import { type Caller, toLogEntry } from './caller.ts'
import { findVerificationByPayment } from './verification-store.ts'

type BatchCall = Pick<Call, 'db' | 'ports' | 'header' | 'replyHeaders'> & {
  body: z.output<typeof batchBody>
}

/** An item of a batch that has not been stored yet. */
export type NewItem = Pick<BatchItemRow, 'certificateNumber' | 'status' | 'message'>

/** Returns an item for each distinct number in a list, in order. Invalid ones have the reason as their message. */
export function toNewItems(texts: readonly string[]): NewItem[] {
  const schema = field.certificateNumber()
  const items = new Map<string, NewItem>()
  for (const text of texts) {
    const { success, data, error } = schema.safeParse(text)
    const number = success ? data : text.trim().slice(0, 100)
    const message = success ? null : (error.issues[0]?.message ?? null)
    const status = success ? ('pending' as const) : ('invalid' as const)
    if (!items.has(number)) items.set(number, { certificateNumber: number, status, message })
  }
  return [...items.values()]
}

/**
 * Starts a batch for a member or an API key, once per idempotency key, and holds its fees.
 * @throws Fault `INSUFFICIENT_BALANCE`, `LIMIT_REACHED`, and those of `caller.admit`
 */
export async function startBatch(call: BatchCall, caller: Caller): Promise<{ batch: Batch }> {
  const { body, ports } = call
  const { organisationId, requester, source } = caller
  const operation = { scope: liveScope(organisationId), action: 'batch' }
  const reply = await runOnceForKey(call, operation, async tx => {
    const organisation = await caller.admit(tx)
    if ((await countRunningBatches(tx, { organisationId })) >= ORGANISATION_LIMITS.batches)
      throw new Fault('LIMIT_REACHED')
    const items = toNewItems(body.certificate_numbers)
    const numbers = items.flatMap(item => (item.status === 'pending' ? [item.certificateNumber] : []))
    const verifiedNumbers = await findVerifiedNumbers(tx, { userId: organisationId, numbers })
    const { fee, tax, policies } = await readSettings(tx)
    const at = ports.clock.now()
    const id = newPrefixedId('bat')
    await insertBatch(tx, {
      id,
      organisationId,
      name: body.name,
      purpose: body.purpose,
      status: 'processing',
      feeMinor: fee.minor,
      unknownPolicy: policies.unknown_certificates,
      ...toTaxColumns(tax),
      total: items.length,
      requestedBy: requester.userId,
      ipAddress: requester.address,
      requestId: requester.requestId,
      source,
      livemode: true,
      createdAt: at,
    })
    const rows: Parameters<typeof insertItems>[1][number][] = []
    for (const item of items) {
      const earlierPayment = verifiedNumbers.get(item.certificateNumber)?.payment
      const earlierVerification =
        earlierPayment && (await findVerificationByPayment(tx, { paymentId: earlierPayment.id }))
      rows.push({
        ...item,
        batchId: id,
        ...(earlierPayment && {
          status: 'already_paid' as const,
          verificationId: earlierVerification?.verification.id ?? null,
        }),
      })
    }
    const pendingSeqs = await insertItems(tx, rows)
    const isHeld = await holdForItems(tx, { organisationId, itemSeqs: pendingSeqs, feeMinor: fee.minor, at })
    if (!isHeld) throw new Fault('INSUFFICIENT_BALANCE')
    const details = `${body.name ?? id}: ${counted(items.length, 'number')}`
    await recordLogEntry(tx, toLogEntry(caller, { activity: 'Batch started', details, at }))
    const batch = await findBatchById(tx, { id })
    if (batch && pendingSeqs.length === 0) await completeBatch(ports, tx, { batch, organisation, at })
    return { batch: await readBatchReply(tx, organisationId, id) }
  })
  afterResponse(ports, 'batches_failed', async database => {
    await runBatches(ports, database)
    await drainOutbox(ports, database)
  })
  return reply
}

/** Cancels a running batch of the caller's organisation. @throws Fault `NOT_FOUND`, `WRONG_STATE` */
export async function cancelBatch(
  { db, ports }: Pick<Call, 'db' | 'ports'>,
  caller: Caller,
  id: string,
): Promise<{ batch: Batch }> {
  const { organisationId } = caller
  return await db.write(async tx => {
    await caller.admit(tx)
    const found = await findBatch(tx, { organisationId, id })
    if (!found) throw createBatchNotFoundFault()
    if (found.batch.status !== 'processing') throw new Fault('WRONG_STATE')
    const at = ports.clock.now()
    const cancelledSeqs = await cancelPendingItems(tx, { batchId: id, message: null })
    await releaseItems(tx, { organisationId, itemSeqs: cancelledSeqs, at })
    await changeBatch(tx, id, {
      status: 'cancelled',
      waitingUntil: null,
      leaseUntil: null,
      completedAt: at,
    })
    const details = found.batch.name ?? id
    await recordLogEntry(tx, toLogEntry(caller, { activity: 'Batch cancelled', details, at }))
    return { batch: await readBatchReply(tx, organisationId, id) }
  })
}
