import { paginate } from '@portal/contract/shapes'
import type { v1Batches } from '@portal/contract/v1'
import type { Call, HandlersOf } from '../http/serve.ts'
import {
  buildBatchReplies,
  createBatchNotFoundFault,
  readBatchReply,
  readItemsPage,
} from '../organisations/batch-replies.ts'
import { findBatch, listBatches } from '../organisations/batch-store.ts'
import { cancelBatch, startBatch } from '../organisations/request-batch.ts'
import { createKeyCaller } from './caller.ts'
import { runTestBatch } from './test-batch.ts'
import { applyChangesFor } from './test-changes.ts'

type Domain = typeof v1Batches

const isLive = ({ key }: Pick<Call<Domain['list']>, 'key'>) => key.mode === 'live'

/** Requires that the batch exists in the key's mode. @throws Fault `NOT_FOUND` */
async function requireBatch(call: Pick<Call<Domain['read']>, 'db' | 'key' | 'params'>): Promise<void> {
  const { db, key, params } = call
  const found = await findBatch(db.read, { organisationId: key.organisationId, id: params.bat })
  if (!found || found.batch.livemode !== isLive(call)) throw createBatchNotFoundFault()
}

export const v1BatchHandlers: HandlersOf<Domain> = {
  create: async call => {
    const caller = createKeyCaller(call)
    const created = await (isLive(call) ? startBatch(call, caller) : runTestBatch(call, caller))
    return { ...created, livemode: isLive(call) }
  },
  list: async call => {
    const { db, key, query } = call
    await applyChangesFor(call)
    const livemode = isLive(call)
    const { page, per_page: limit, status } = query
    const filter = { organisationId: key.organisationId, status, livemode }
    const { rows, total } = await listBatches(db.read, { ...filter, limit, offset: (page - 1) * limit })
    return {
      batches: await buildBatchReplies(db.read, rows),
      pagination: paginate(page, limit, total),
      livemode,
    }
  },
  read: async call => {
    await applyChangesFor(call)
    await requireBatch(call)
    call.isCacheable = isLive(call)
    const batch = await readBatchReply(call.db.read, call.key.organisationId, call.params.bat)
    return { batch, livemode: isLive(call) }
  },
  items: async call => {
    await applyChangesFor(call)
    await requireBatch(call)
    return { ...(await readItemsPage(call)), livemode: isLive(call) }
  },
  cancel: async call => {
    await requireBatch(call)
    return { ...(await cancelBatch(call, createKeyCaller(call), call.params.bat)), livemode: isLive(call) }
  },
}
