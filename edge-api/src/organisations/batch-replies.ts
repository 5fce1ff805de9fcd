import {
  type Batch,
  batchItemStatuses,
  type organisationBatches,
} from '@portal/contract/organisation-batches'
import { paginate } from '@portal/contract/shapes'
import { toMajor } from '@portal/format/money'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { toRequester } from '../membership/requester.ts'
import { CURRENCY } from '../settings/rules.ts'
import { buildSpecimen } from '../test-mode/specimen.ts'
import { iso, isoOrNull } from '../wire.ts'
import {
  type BatchView,
  countByStatus,
  countItems,
  findBatch,
  type ItemView,
  listItems,
} from './batch-store.ts'
import { NOTHING_DELIVERED, readDeliveredReplies } from './verification-replies.ts'

/** Creates the fault for a batch that does not exist, or belongs to another organisation or mode. */
export const createBatchNotFoundFault = () => new Fault('NOT_FOUND', { message: 'There is no such batch.' })

/** Converts batches to the API's format, with their progress. */
export async function buildBatchReplies(db: Reader, rows: readonly BatchView[]): Promise<Batch[]> {
  const progress = await countByStatus(db, { ids: rows.map(({ batch }) => batch.id) })
  return rows.map(row => {
    const { batch } = row
    const counts = progress.get(batch.id) ?? {}
    // The fee is held for each pending item of a live batch, until the item is processed or cancelled.
    const heldMinor = batch.livemode ? batch.feeMinor * (counts.pending ?? 0) : 0
    const all = Object.fromEntries(batchItemStatuses.map(status => [status, counts[status] ?? 0]))
    return {
      id: batch.id,
      name: batch.name,
      purpose: batch.purpose,
      status: batch.status,
      fee: toMajor(batch.feeMinor),
      currency: CURRENCY,
      total: batch.total,
      // The cast is safe, because `all` has an entry for every status, which the type of `fromEntries` does not show.
      counts: all as Batch['counts'],
      held: toMajor(heldMinor),
      waiting_until: isoOrNull(batch.waitingUntil),
      requested_by: batch.source === 'api' ? null : toRequester({ ...row, requestedBy: batch.requestedBy }),
      livemode: batch.livemode,
      created_at: iso(batch.createdAt),
      completed_at: isoOrNull(batch.completedAt),
    }
  })
}

/** Returns the reply about one batch. @throws Fault `NOT_FOUND` */
export async function readBatchReply(db: Reader, organisationId: string, id: string): Promise<Batch> {
  const found = await findBatch(db, { organisationId, id })
  const [reply] = found ? await buildBatchReplies(db, [found]) : []
  if (!reply) throw createBatchNotFoundFault()
  return reply
}

/** Converts items of a batch to the API's format, with their results. */
export async function buildItemReplies(db: Reader, rows: readonly ItemView[], publicUrl: string) {
  const paymentIds = rows.flatMap(({ verification }) => verification?.paymentId ?? [])
  const delivered = await readDeliveredReplies(db, { paymentIds, publicUrl })
  return rows.map(({ item, verification }) => {
    const { certificate, letter } =
      verification?.livemode === false
        ? (buildSpecimen(verification, publicUrl) ?? NOTHING_DELIVERED)
        : (delivered.get(verification?.paymentId ?? '') ?? NOTHING_DELIVERED)
    return {
      certificate_number: item.certificateNumber,
      status: item.status,
      ...(item.message !== null && { message: item.message }),
      verification_id: item.verificationId,
      certificate,
      letter,
    }
  })
}

/** Returns the reply with one page of a batch's items. */
export async function readItemsPage({
  db,
  params,
  query,
  ports,
}: Pick<Call<(typeof organisationBatches)['items']>, 'db' | 'query' | 'ports'> & {
  params: { bat: string }
}) {
  const { page, per_page: limit, status } = query
  const filter = { batchId: params.bat, status }
  const rows = await listItems(db.read, { ...filter, limit, offset: (page - 1) * limit })
  return {
    items: await buildItemReplies(db.read, rows, ports.environment.PUBLIC_URL),
    pagination: paginate(page, limit, await countItems(db.read, filter)),
  }
}
