import type { organisationVerifications } from '@portal/contract/organisation-verifications'
import { paginate } from '@portal/contract/shapes'
import { Fault } from '../fault.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { periodOf } from '../logs/rules.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import { createMemberCaller } from './caller.ts'
import { cancelVerification } from './cancel-verification.ts'
import { requestVerification } from './request-verification.ts'
import { readVerificationReply, toVerification } from './verification-replies.ts'
import {
  countVerifications,
  findVerification,
  listVerifications,
  type VerificationFilter,
  type VerificationView,
} from './verification-store.ts'

type Domain = typeof organisationVerifications

/** Number of rows that an export reads per query. */
const EXPORT_BATCH = 1000

const filterOf = ({ params, query }: Call<Domain['list']>): VerificationFilter => ({
  organisationId: params.id,
  search: query.search,
  status: query.status,
  result: query.result,
  source: query.source,
  requestedBy: query.requested_by,
  // By default, lists contain no test data.
  livemode: query.livemode ?? true,
  ...periodOf(query),
})

async function verificationOrFail({ db, params }: Pick<Call<Domain['read']>, 'db' | 'params'>) {
  const found = await findVerification(db.read, { organisationId: params.id, id: params.ver })
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such verification.' })
  return found
}

const toCsvRow = (row: VerificationView) => {
  const { requested_by, livemode: _, ...rest } = toVerification(row)
  return { ...rest, requested_by: requested_by?.name ?? null }
}

export const organisationVerificationHandlers: HandlersOf<Domain> = {
  create: call => requestVerification(call, createMemberCaller(call)),
  list: withCsv(
    async call => {
      const { db, user, params, query } = call
      await memberOrFail(db.read, user, params.id, 'verify')
      const filter = filterOf(call)
      const { page, per_page: limit } = query
      const rows = await listVerifications(db.read, { ...filter, limit, offset: (page - 1) * limit })
      const total = await countVerifications(db.read, filter)
      return { verifications: rows.map(toVerification), pagination: paginate(page, limit, total) }
    },
    async function* (call) {
      const { db, user, params } = call
      await memberOrFail(db.read, user, params.id, 'verify')
      for (let below: number | undefined; ; ) {
        const rows = await listVerifications(db.read, { ...filterOf(call), below, limit: EXPORT_BATCH })
        yield rows.map(toCsvRow)
        below = rows.at(-1)?.verification.seq
        if (rows.length < EXPORT_BATCH) return
      }
    },
  ),
  read: async call => {
    await memberOrFail(call.db.read, call.user, call.params.id, 'verify')
    return await readVerificationReply(call, await verificationOrFail(call))
  },
  cancel: call => cancelVerification(call, createMemberCaller(call), call.params.ver),
}
