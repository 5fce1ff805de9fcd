import type { organisationBatches } from '@portal/contract/organisation-batches'
import { paginate } from '@portal/contract/shapes'
import { Fault } from '../fault.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { respondWithArchive } from '../letter-handlers/archive.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import {
  buildBatchReplies,
  buildItemReplies,
  createBatchNotFoundFault,
  readBatchReply,
  readItemsPage,
} from './batch-replies.ts'
import { findBatch, listBatches, listItems, listLetterCodes } from './batch-store.ts'
import { createMemberCaller } from './caller.ts'
import { cancelBatch, startBatch } from './request-batch.ts'

type Domain = typeof organisationBatches

const EXPORT_BATCH = 500

async function requireBatchOfMember({
  db,
  user,
  params,
}: Pick<Call<Domain['read']>, 'db' | 'user' | 'params'>) {
  await memberOrFail(db.read, user, params.id, 'verify')
  const found = await findBatch(db.read, { organisationId: params.id, id: params.bat })
  if (!found) throw createBatchNotFoundFault()
}

export const organisationBatchHandlers: HandlersOf<Domain> = {
  create: call => startBatch(call, createMemberCaller(call)),
  list: async ({ db, user, params, query }) => {
    await memberOrFail(db.read, user, params.id, 'verify')
    const { page, per_page: limit, status, livemode = true } = query
    const range = { limit, offset: (page - 1) * limit }
    const filter = { organisationId: params.id, status, livemode }
    const { rows, total } = await listBatches(db.read, { ...filter, ...range })
    return { batches: await buildBatchReplies(db.read, rows), pagination: paginate(page, limit, total) }
  },
  read: async ({ db, user, params }) => {
    await memberOrFail(db.read, user, params.id, 'verify')
    return { batch: await readBatchReply(db.read, params.id, params.bat) }
  },
  cancel: call => cancelBatch(call, createMemberCaller(call), call.params.bat),
  items: withCsv(
    async call => {
      await requireBatchOfMember(call)
      return await readItemsPage(call)
    },
    async function* (call) {
      await requireBatchOfMember(call)
      const { db, params, query, ports } = call
      for (let after: number | undefined; ; ) {
        const page = { batchId: params.bat, status: query.status, after, limit: EXPORT_BATCH }
        const rows = await listItems(db.read, page)
        const replies = await buildItemReplies(db.read, rows, ports.environment.PUBLIC_URL)
        yield replies.map(({ certificate, letter, message = null, ...item }) => ({
          ...item,
          message,
          student_name: certificate?.student_name ?? null,
          course: certificate?.course ?? null,
          graduation_date: certificate?.graduation_date ?? null,
          grade: certificate?.grade ?? null,
          letter_code: letter?.code ?? null,
        }))
        after = rows.at(-1)?.item.seq
        if (rows.length < EXPORT_BATCH) return
      }
    },
  ),
  letters: async call => {
    await requireBatchOfMember(call)
    const { id: organisationId, bat: batchId } = call.params
    const codes = await listLetterCodes(call.db.read, { organisationId, batchId })
    if (codes.length === 0) throw new Fault('NOT_FOUND', { message: 'This batch has no letters.' })
    return await respondWithArchive(call, codes)
  },
}
