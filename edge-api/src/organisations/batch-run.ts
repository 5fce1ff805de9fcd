import { batchCompletedNotice } from '@portal/format/organisation-notices'
import { organisationMessages } from '@portal/rules/organisations'
import { findUser } from '../accounts/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { withBackgroundCheckpoints } from '../db/long-log.ts'
import { useShortTimeSlices } from '../db/time-slices.ts'
import { Fault } from '../fault.ts'
import { notifyUnprintable } from '../letters/printable.ts'
import { composeBatchCompletedMail } from '../mail/organisation-mail.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { findMember, findOrganisation, type OrganisationRow } from '../membership/store.ts'
import { linkToOrganisation } from '../notifications/links.ts'
import { notify } from '../notifications/store.ts'
import { areRequestsOpen } from '../open-requests.ts'
import { recordEvent } from '../organisation-events/record-event.ts'
import { releaseItems } from '../organisation-money/hold-store.ts'
import type { Ports } from '../ports.ts'
import { runQueue, SKIPPED } from '../queues/run-queue.ts'
import { yieldToOthers } from '../queues/yield-to-others.ts'
import {
  BATCH_LEASE_MS,
  type BatchItemRow,
  type BatchRow,
  changeBatch,
  countByStatus,
  findBatchById,
  leaseBatch,
  listDueBatches,
  listPendingItems,
  setItem,
} from './batch-store.ts'
import { findVerificationByPayment } from './verification-store.ts'
import { verifyInTransaction } from './verify.ts'

/**
 * Maximum number of items per transaction, normally and while other requests are in progress: reads wait for the commit, and
 * writes for the whole transaction.
 */
const CHUNK_SIZE = 10
const SMALL_CHUNK_SIZE = 4

interface BatchContext {
  ports: Ports
  db: Database
  batch: BatchRow
  organisation: OrganisationRow
  at: number
}

/** Verifies one item. If the process dies, the whole transaction is rolled back. */
async function runItem(tx: Tx, context: BatchContext, item: BatchItemRow): Promise<void> {
  const { ports, db, batch, organisation, at } = context
  const limiterCall = { db, ports }
  const release = () => releaseItems(tx, { organisationId: organisation.id, itemSeqs: [item.seq], at })
  const outcome = await verifyInTransaction(tx, limiterCall, {
    organisation,
    certificateNumber: item.certificateNumber,
    reference: null,
    purpose: batch.purpose,
    feeMinor: batch.feeMinor,
    unknownPolicy: batch.unknownPolicy,
    tax: { taxName: batch.taxName, taxBasisPoints: batch.taxBasisPoints },
    requester: {
      userId: batch.requestedBy,
      email:
        (context.batch.requestedBy && (await findUser(tx, { id: context.batch.requestedBy }))?.email) || null,
      address: batch.ipAddress,
      requestId: batch.requestId,
    },
    source: batch.source === 'api' ? 'api' : 'batch',
    batchId: batch.id,
    ...(batch.feeMinor > 0 && { heldItemSeq: item.seq }),
    at,
  })
  switch (outcome.kind) {
    case 'already_paid': {
      const earlierVerification = await findVerificationByPayment(tx, outcome)
      await setItem(tx, item.seq, {
        status: 'already_paid',
        verificationId: earlierVerification?.verification.id ?? null,
      })
      return await release()
    }
    case 'unprintable':
      await notifyUnprintable(tx, { number: item.certificateNumber, problem: outcome.problem, at })
      await setItem(tx, item.seq, { status: 'invalid', message: organisationMessages.unprintable })
      return await release()
    case 'done':
      await setItem(tx, item.seq, { status: outcome.result, verificationId: outcome.id })
      if (outcome.paymentId === null) await release()
  }
}

/** Processes the next items of a batch in one transaction. @returns whether there is more to do now */
async function runChunk(tx: Tx, ports: Ports, db: Database, id: string): Promise<boolean> {
  const batch = await findBatchById(tx, { id })
  const organisation = batch && (await findOrganisation(tx, { id: batch.organisationId }))
  if (batch?.status !== 'processing' || !organisation) return false
  // While the organisation is suspended, the batch is paused and its holds remain.
  if (organisation.state !== 'active') {
    await changeBatch(tx, id, { leaseUntil: null })
    return false
  }
  const at = ports.clock.now()
  const pending = await listPendingItems(tx, { batchId: id, limit: CHUNK_SIZE })
  let processed = 0
  for (const item of pending) {
    // Lets reads of other calls run between two items.
    await yieldToOthers()
    if (areRequestsOpen()) {
      if (processed >= SMALL_CHUNK_SIZE) break
      useShortTimeSlices(tx)
    }
    try {
      await runItem(tx, { ports, db, batch, organisation, at }, item)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'RATE_LIMITED') throw error
      // Nothing was written for this item, because the rate limit is checked first.
      const waitingUntil = at + (error.retryAfter ?? 60) * 1000
      await changeBatch(tx, id, { waitingUntil, leaseUntil: null })
      return false
    }
    processed++
  }
  if (processed < pending.length || pending.length === CHUNK_SIZE) {
    await changeBatch(tx, id, { waitingUntil: null, leaseUntil: at + BATCH_LEASE_MS })
    return true
  }
  await completeBatch(ports, tx, { batch, organisation, at })
  return false
}

/**
 * Completes a batch that has no pending items, and notifies the member who started it or, if that member has left, the owners.
 */
export async function completeBatch(
  ports: Ports,
  tx: Tx,
  { batch, organisation, at }: { batch: BatchRow; organisation: OrganisationRow; at: number },
): Promise<void> {
  await changeBatch(tx, batch.id, {
    status: 'completed',
    waitingUntil: null,
    leaseUntil: null,
    completedAt: at,
  })
  await recordEvent(tx, ports, {
    organisationId: organisation.id,
    type: 'batch.completed',
    livemode: batch.livemode,
    data: { id: batch.id, status: 'completed' },
    dedupeKey: batch.id,
    at,
  })
  const counts = (await countByStatus(tx, { ids: [batch.id] })).get(batch.id)
  const { verified = 0, not_found = 0, already_paid = 0 } = counts ?? {}
  const notice = batchCompletedNotice(batch.name, { verified, total: batch.total })
  const path = `/batches/${encodeURIComponent(batch.id)}`
  const result = { organisation, batch, counts: { verified, not_found, already_paid } }
  const organisationId = organisation.id
  const requester =
    batch.requestedBy === null
      ? undefined
      : await findMember(tx, { organisationId, userId: batch.requestedBy })
  const dedupeKey = `batch:${batch.id}`
  if (!requester) {
    await notifyMembers(ports, tx, {
      organisationId,
      roles: ['owner'],
      notice,
      path,
      mail: (sender, to) => composeBatchCompletedMail(sender, to, result),
      dedupeKey,
      at,
    })
    return
  }
  await notify(tx, {
    ...notice,
    userId: requester.userId,
    link: linkToOrganisation(organisationId, path),
    at,
  })
  const sender = await readSender(tx, ports)
  await enqueueMail(tx, ports, { ...composeBatchCompletedMail(sender, requester, result), dedupeKey })
}

/** Runs batches that are waiting to start, and continues those whose process has died. */
export async function runBatches(ports: Ports, db: Database): Promise<number> {
  return await runQueue(ports, db, {
    name: 'batches',
    listDue: range => listDueBatches(db.read, range),
    idOf: ({ id }) => id,
    async processItem({ id }, mayContinue) {
      const now = ports.clock.now()
      if (!(await db.write(tx => leaseBatch(tx, { id, now, until: now + BATCH_LEASE_MS })))) return SKIPPED
      try {
        return await withBackgroundCheckpoints(db, async () => {
          while (await db.write(tx => runChunk(tx, ports, db, id))) {
            if (!mayContinue()) return SKIPPED
            await yieldToOthers()
          }
          return undefined
        })
      } finally {
        // Releases the lease. The failed batch is deferred, and retried when the deferral ends.
        await db.write(tx => changeBatch(tx, id, { leaseUntil: null })).catch(() => undefined)
      }
    },
  })
}
