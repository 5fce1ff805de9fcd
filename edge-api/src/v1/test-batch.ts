import type { Batch, batchBody } from '@portal/contract/organisation-batches'
import type * as z from 'zod'
import type { Call } from '../http/serve.ts'
import { runOnceForKey, testScope } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { recordEvent } from '../organisation-events/record-event.ts'
import { readBatchReply } from '../organisations/batch-replies.ts'
import { insertBatch, insertItems } from '../organisations/batch-store.ts'
import type { Caller } from '../organisations/caller.ts'
import { toNewItems } from '../organisations/request-batch.ts'
import { insertVerifications } from '../organisations/verification-store.ts'
import { hintFor, simulateError } from '../test-mode/numbers.ts'
import { createTestRow } from './test-verification.ts'

type BatchCall = Pick<Call, 'db' | 'ports' | 'header' | 'replyHeaders'> & {
  body: z.output<typeof batchBody>
}

/**
 * Runs a batch in test mode, once for each idempotency key. The batch completes immediately; items that wait for consent change
 * later.
 * @throws Fault the error that one of the numbers simulates, and those of `caller.admit`
 */
export async function runTestBatch(call: BatchCall, caller: Caller): Promise<{ batch: Batch }> {
  const { body, ports } = call
  const { organisationId, requester } = caller
  const operation = { scope: testScope(organisationId), action: 'batch' }
  return await runOnceForKey(call, operation, async tx => {
    await caller.admit(tx)
    const items = toNewItems(body.certificate_numbers)
    for (const { certificateNumber } of items) simulateError(certificateNumber)
    const at = ports.clock.now()
    const id = newPrefixedId('bat')
    await insertBatch(tx, {
      id,
      organisationId,
      name: body.name,
      purpose: body.purpose,
      status: 'completed',
      feeMinor: 0,
      unknownPolicy: 'free',
      total: items.length,
      requestedBy: null,
      ipAddress: requester.address,
      requestId: requester.requestId,
      source: 'api',
      livemode: false,
      createdAt: at,
      completedAt: at,
    })
    const preparedItems = items.map(item => {
      if (item.status !== 'pending') return { item: { ...item, batchId: id }, row: undefined }
      const { certificateNumber } = item
      const row = createTestRow({ organisationId, certificateNumber, purpose: body.purpose, batchId: id }, at)
      const status = row.result ?? ('awaiting_consent' as const)
      return {
        item: {
          ...item,
          batchId: id,
          status,
          message: hintFor(certificateNumber) ?? null,
          verificationId: row.id,
        },
        row,
      }
    })
    await insertVerifications(
      tx,
      preparedItems.flatMap(({ row }) => row ?? []),
    )
    await insertItems(
      tx,
      preparedItems.map(({ item }) => item),
    )
    await recordEvent(tx, ports, {
      organisationId,
      type: 'batch.completed',
      livemode: false,
      data: { id, status: 'completed' },
      dedupeKey: `${id}:batch.completed`,
      at,
    })
    return { batch: await readBatchReply(tx, organisationId, id) }
  })
}
